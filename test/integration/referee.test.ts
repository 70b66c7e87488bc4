// What the API says of ninety simulated days, beside a count of its own over the rows of the store (test/referee).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Script } from '#server/simulator/past/script.ts';
import { writeScript } from '#server/simulator/past/write-script.ts';
import type { Clock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { defaultPolicy } from '#lib/domain/guarantee.ts';
import { startWeb } from '#server/web/start-web.ts';
import { sqliteSource } from '#server/web/store-source.ts';
import { until } from '#server/collector/clusters/testing/until.ts';
import {
  CorrectionAnswer,
  countCorrections,
  countIncidents,
  countLane,
  countStanding,
  countTransitions,
  HeadAnswer,
  IncidentAnswer,
  LaneAnswer,
  ObjectAnswer,
  tally,
  TransitionAnswer,
} from '#test/referee/lists.ts';
import { isIn, nameOf, type Scope } from '#test/referee/own-count.ts';
import { csvRows } from '#test/referee/csv.ts';
import { countReport, ReportAnswer } from '#test/referee/report.ts';
import { readRows, type RecordRows } from '#test/referee/rows.ts';
import { Moment } from '#test/referee/wire.ts';
import { momentsOf, questionsOf, timeText, type Question } from '#test/referee/questions.ts';
import { moreBlindness, partOfTheDemo } from './ninety-days/part-of-the-demo.ts';
import { writeRecord } from './ninety-days/records.ts';
import { workDirectory } from './running/running-fleet.ts';

const NextPage = z.object({ nextCursor: z.string().nullable() });
const HistoryAnswer = z.looseObject({ from: Moment });

const directory = workDirectory();
const stops: (() => Promise<void>)[] = [];
let rows: RecordRows;
let script: Script;
let now = 0;
let origin = '';

beforeAll(async () => {
  const inventory = await partOfTheDemo(directory.path);
  script = writeScript(inventory, 7);
  const path = `${directory.path}/referee.db`;
  await writeRecord({ ...script, blindness: moreBlindness(script, 107) }, inventory, path, true);
  now = inventory.at;
  const web = await startWeb({
    host: '127.0.0.1',
    port: 0,
    source: sqliteSource(path),
    policy: defaultPolicy,
    retention: { spans: 1, messages: 1 },
    repositories: [],
    embeds: { keys: null, frameAncestors: [] },
    simulated: true,
    clock: standing(now),
    log: silentLog,
    mountPages: null,
  });
  if (web.type === 'refused') throw new Error(web.message);
  stops.push(web.stop);
  origin = `http://127.0.0.1:${web.port}`;
  await until('the store to be read', () => web.follower.synced());
  rows = readRows(path);
}, 120_000);

afterAll(async () => {
  for (const stop of stops) await stop();
  directory.remove();
});

/** Time stands, and what waits is done after as long as it takes. */
function standing(at: number): Clock {
  return {
    now: () => at,
    after(delay, task) {
      const handle = setTimeout(task, delay);
      return { cancel: () => clearTimeout(handle) };
    },
  };
}

async function text(path: string, query: Readonly<Record<string, string>>): Promise<string> {
  const answer = await fetch(`${origin}/api/v1/${path}?${new URLSearchParams(query)}`);
  const body = await answer.text();
  if (!answer.ok) throw new Error(`${answer.url}: ${body}`);
  return body;
}

async function ask(path: string, query: Readonly<Record<string, string>>): Promise<unknown> {
  return JSON.parse(await text(path, query));
}

/** Every page of a list, one after the other. */
async function askAll(path: string, query: Readonly<Record<string, string>>): Promise<readonly unknown[]> {
  const pages: unknown[] = [];
  let cursor = '';
  do {
    const page = await ask(path, { ...query, limit: '1000', cursor });
    pages.push(page);
    cursor = NextPage.parse(page).nextCursor ?? '';
  } while (cursor !== '');
  return pages;
}

async function eachQuestion(seed: number, count: number, check: (question: Question) => Promise<void>): Promise<void> {
  for (const question of questionsOf(rows, { from: script.from, to: script.to }, { seed, count }))
    await check(question).catch((error: unknown) => {
      throw new Error(question.name, { cause: error });
    });
}

it('notices a single millisecond', async () => {
  const [scope, period] = [{ clusters: null }, { from: script.from, to: script.to }] as const;
  const told = ReportAnswer.parse(await ask('report', { from: timeText(period.from), to: timeText(period.to) }));
  const { alarmWithin } = defaultPolicy;
  const [first, ...others] = rows.objects.filter(({ spans }) => spans.length > 1);
  if (first === undefined) throw new Error('no object ever changed');
  const [begun, ...later] = first.spans;
  if (begun === undefined) throw new Error('it has no span');
  const shorter = { ...first, spans: [{ ...begun, to: begun.to - 1 }, ...later] };
  const otherRows = { ...rows, objects: [shorter, ...rows.objects.filter((object) => object !== first)] };
  expect(others.length).toBeGreaterThan(20);
  expect(countReport({ rows, scope, period, alarmWithin }, told.distribution)).toEqual(told);
  expect(countReport({ rows: otherRows, scope, period, alarmWithin }, told.distribution)).not.toEqual(told);
});

describe('what the API says is what the rows come to', () => {
  it('in the report, figure by figure', () =>
    eachQuestion(1, 40, async ({ period, scope, query }) => {
      const told = ReportAnswer.parse(await ask('report', query));
      const { alarmWithin } = defaultPolicy;
      expect(told).toEqual(countReport({ rows, scope, period, alarmWithin }, told.distribution));
    }));

  it('in the list of incidents, by every filter and in both orders', () =>
    eachQuestion(2, 40, async ({ period, scope, query }) => {
      for (const order of ['newest', 'longest'] as const)
        for (const [verdict, open] of [
          ['', ''],
          ['diverged,stale', ''],
          ['', 'true'],
          ['unhealthy', 'false'],
        ] as const) {
          const pages = (await askAll('incidents', { ...query, verdict, open, order })).map((page) =>
            IncidentAnswer.parse(page),
          );
          const wish = {
            verdict: verdict === '' ? [] : verdict.split(','),
            open: open === '' ? null : open === 'true',
            order,
          };
          const own = countIncidents(rows, scope, period, wish, now);
          expect(pages.flatMap((page) => page.rows)).toEqual(own.rows);
          for (const { figures } of pages) expect(figures).toEqual(own.figures);
        }
    }));

  it('in the file of incidents', () =>
    eachQuestion(7, 10, async ({ period, scope, query }) => {
      const wish = { verdict: [], open: null, order: 'newest' } as const;
      const told = csvRows(await text('incidents', { ...query, format: 'csv' }));
      expect(
        told.map(({ cluster, group, kind, namespace, name, openedAt, closedAt, worst, seconds }) => ({
          object: [cluster, group, kind, namespace, name].join('/'),
          ...{ openedAt, closedAt, worst, seconds },
        })),
      ).toEqual(
        countIncidents(rows, scope, period, wish, now).rows.map(({ object, openedAt, closedAt, worst }) => ({
          ...{ object, openedAt: timeText(openedAt), closedAt: closedAt === null ? '' : timeText(closedAt), worst },
          seconds: String(Math.floor(((closedAt ?? now) - openedAt) / 1000)),
        })),
      );
    }));

  it('in the ledger of corrections', () =>
    eachQuestion(3, 40, async ({ period, scope, query }) => {
      const own = countCorrections(rows, scope, period);
      const pages = (await askAll('corrections', query)).map((page) => CorrectionAnswer.parse(page));
      expect(pages.flatMap((page) => page.rows).toSorted()).toEqual(own.rows);
      for (const { days } of pages) expect(days).toEqual(own.days);
    }));

  it('in the changes of verdict', () =>
    eachQuestion(4, 20, async ({ period, scope: { clusters }, query: { group: _group, kind: _kind, ...query } }) => {
      const pages = await askAll('transitions', query);
      const told = pages.flatMap((page) => TransitionAnswer.parse(page).transitions);
      expect(told.toSorted()).toEqual(countTransitions(rows, { clusters }, period));
    }));

  it('in the object time of the lanes', () =>
    eachQuestion(5, 25, async ({ period, scope, query }) => {
      const clusters = scope.clusters ?? [...new Set(rows.objects.map(({ ref }) => ref.cluster))];
      const answer = HistoryAnswer.parse(await ask('history', { ...query, limit: '500' }));
      const shown = { from: answer.from, to: period.to };
      const own =
        clusters.length === 1 && scope.clusters !== null
          ? lanesWithin(scope, shown)
          : clusters.map((name) => countLane(rows, { ...scope, clusters: [name] }, shown, name));
      const told = LaneAnswer.parse(answer).lanes;
      expect(byKey(told.filter(({ existed }) => existed > 0))).toEqual(byKey(own.filter(({ existed }) => existed > 0)));
    }));

  it('in the head and the objects of any past moment', async () => {
    for (const at of momentsOf(rows, { from: script.from, to: script.to }, 6, 40)) {
      const stands = countStanding(rows, { clusters: null }, at);
      const told = HeadAnswer.parse(await ask('fleet', { at: timeText(at) }));
      expect({ at: timeText(at), ...told.head }).toEqual({
        at: timeText(at),
        counts: tally(stands.values()),
        objects: stands.size,
        clusters: { total: new Set(script.clusters).size },
      });
      for (const { cluster, counts } of told.rows)
        expect(counts).toEqual(tally(countStanding(rows, { clusters: [cluster] }, at).values()));
      const pages = (await askAll('objects', { at: timeText(at) })).map((page) => ObjectAnswer.parse(page));
      const objects = pages.flatMap((page) => page.objects);
      expect(new Map(objects.map(({ verdict, ...ref }) => [nameOf(ref), verdict]))).toEqual(stands);
      for (const [verdict, count] of Object.entries(told.head.counts)) {
        const list = ObjectAnswer.parse(await ask('objects', { at: timeText(at), verdict, limit: '1' }));
        expect([verdict, timeText(at), list.total]).toEqual([verdict, timeText(at), count]);
      }
    }
  });
});

function byKey<Row extends { readonly key: string }>(lanes: readonly Row[]): readonly Row[] {
  return lanes.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** The lanes of one cluster: of its kinds, or of the objects of the one that is asked for. */
function lanesWithin(scope: Scope, period: { readonly from: number; readonly to: number }) {
  const keys = new Map<string, Scope>();
  for (const { ref } of rows.objects) {
    const { group, kind, namespace, name } = ref;
    if (!isIn(scope, ref)) continue;
    const whole = { ...scope, kind: { group, kind } };
    if (scope.kind) keys.set(`${group}/${kind}/${namespace}/${name}`, { ...whole, namespace, name });
    else keys.set(`${group}/${kind}`, whole);
  }
  return [...keys].map(([key, of]) => countLane(rows, of, period, key));
}
