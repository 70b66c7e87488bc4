// What the API says of ninety simulated days, beside a count of its own over the rows of the store (test/referee).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Script } from '#server/simulator/past/script.ts';
import { writeScript } from '#server/simulator/past/write-script.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { hour } from '#lib/domain/time/length.ts';
import { changedSentence } from '#components/changes/changed-text.ts';
import {
  CorrectionAnswer,
  countCorrections,
  countAbsences,
  countTransitions,
  AbsenceAnswer,
  ObjectAnswer,
  TransitionAnswer,
} from '#test/referee/lists.ts';
import { countHappened, transitionsAfter } from '#test/referee/changes.ts';
import {
  countSummary,
  countStanding,
  fleetFilters,
  SummaryAnswer,
  kindFilters,
  linksOf,
  worstMoments,
  type Summary,
} from '#test/referee/summaries.ts';
import { countAlarms } from '#test/referee/alarms.ts';
import { nameOf } from '#test/referee/own-count.ts';
import { csvRows } from '#test/referee/csv.ts';
import { countReport } from '#test/referee/report.ts';
import { ReportAnswer, SuspectAnswer } from '#test/referee/report-answer.ts';
import { csvLinesOf, parted, suspectsIn } from '#test/referee/report-csv.ts';
import { readRows } from '#test/referee/read-rows.ts';
import type { RecordRows } from '#test/referee/rows.ts';
import { countLanes, HistoryAnswer, historyLines } from '#test/referee/timeline.ts';
import { momentsOf, questionsOf, timeText, type Question } from '#test/referee/questions.ts';
import { answersOf, type Answers } from './ninety-days/answers.ts';
import { moreAlarms, moreBlindness, partOfTheDemo } from './ninety-days/part-of-the-demo.ts';
import { writeRecord } from './ninety-days/records.ts';
import { workDirectory } from './running/running-fleet.ts';

const { alarmWithin } = defaultPolicy;
const directory = workDirectory();
let answers: Answers;
let rows: RecordRows;
let script: Script;
let now = 0;

beforeAll(async () => {
  const inventory = await partOfTheDemo(directory.path);
  script = writeScript(inventory, 7);
  const path = `${directory.path}/referee.db`;
  const laidOver = { blindness: moreBlindness(script, 107), alarms: moreAlarms(script, 207) };
  await writeRecord({ ...script, ...laidOver }, inventory, path, true);
  now = inventory.at;
  answers = await answersOf(path, now);
  rows = readRows(path);
}, 120_000);

afterAll(async () => {
  await answers.stop();
  directory.remove();
});

async function eachQuestion(seed: number, count: number, check: (question: Question) => Promise<void>): Promise<void> {
  for (const question of questionsOf(rows, { from: script.from, to: script.to }, { seed, count }))
    await check(question).catch((error: unknown) => {
      throw new Error(question.name, { cause: error });
    });
}

it('notices a single millisecond', async () => {
  const [scope, period] = [{ clusters: null }, { from: script.from, to: script.to }] as const;
  const answer = ReportAnswer.parse(
    await answers.ask('report', { from: timeText(period.from), to: timeText(period.to) }),
  );
  const [first, ...others] = rows.objects.filter(({ spans }) => spans.length > 1);
  if (first === undefined) throw new Error('no object ever changed');
  const [begun, ...later] = first.spans;
  if (begun === undefined) throw new Error('it has no span');
  const shorter = { ...first, spans: [{ ...begun, to: begun.to - 1 }, ...later] };
  const otherRows = { ...rows, objects: [shorter, ...rows.objects.filter((object) => object !== first)] };
  const [worst] = answer.incidents.worst;
  const incidents = rows.incidents.map((row) => {
    const members = row.members.map((member) => ({ ...member, to: member.to - 1 }));
    return row.publicId === worst?.id ? { ...row, members } : row;
  });
  expect(others.length).toBeGreaterThan(20);
  expect(answer.figures.absences.gone, 'what was removed while it was away').toBeGreaterThan(0);
  expect(answer.figures.alarms.said, 'who was called').toBe('told');
  const [call, ...calls] = rows.calls.toSorted((a, b) => b.from - a.from).filter(({ names }) => names !== null);
  if (call === undefined) throw new Error('nobody was ever called');
  const uncalled = { ...rows, calls: [...calls, ...rows.calls.filter(({ names }) => names === null)] };
  expect(countAlarms({ rows: uncalled, scope, period, alarmWithin })).not.toEqual(answer.figures.alarms);
  expect(answer.figures.wall.awayMs, 'on the clock').toBeLessThan(answer.figures.wall.observedMs);
  expect(countReport({ rows, scope, period, alarmWithin }, answer)).toEqual(answer);
  expect(countReport({ rows: otherRows, scope, period, alarmWithin }, answer)).not.toEqual(answer);
  expect(countReport({ rows: { ...rows, incidents }, scope, period, alarmWithin }, answer)).not.toEqual(answer);
});

describe('what the API says is what the rows come to', () => {
  it('in the report, figure by figure', () =>
    eachQuestion(1, 40, async ({ period, scope, query }) => {
      const answer = ReportAnswer.parse(await answers.ask('report', query));
      expect(answer).toEqual(countReport({ rows, scope, period, alarmWithin }, answer));
      for (const { absences, incidents } of [
        answer.figures,
        ...(answer.before === null ? [] : [answer.before.figures]),
      ])
        for (const counted of [absences, incidents])
          expect((counted?.opened ?? NaN) + (counted?.openAtStart ?? NaN)).toBe(
            (counted?.closed ?? NaN) + (counted?.gone ?? NaN) + (counted?.open ?? NaN),
          );
    }));

  it('in the file of the report, line by line and column by column', () =>
    eachQuestion(8, 12, async ({ period, scope, query }) => {
      const json = await answers.ask('report', query);
      const told = ReportAnswer.parse(json);
      const answer = csvRows(await answers.text('report', { ...query, format: 'csv' }));
      const own = csvLinesOf(countReport({ rows, scope, period, alarmWithin }, told), true);
      const parts = answer.map(parted);
      expect(inOrder(parts.map(({ counted }) => counted))).toEqual(inOrder(own));
      const suspected = SuspectAnswer.parse(json);
      for (const { counted, suspects } of parts) expect(suspects).toEqual(suspectsIn(suspected, counted));
      const units = Map.groupBy(answer, ({ figure = '' }) => figure);
      for (const [figure, of] of units) expect([figure, new Set(of.map(({ unit }) => unit)).size]).toEqual([figure, 1]);
    }));

  it('in the list of absences, by every filter and in both orders', () =>
    eachQuestion(2, 40, async ({ period, scope, query }) => {
      for (const order of ['newest', 'longest'] as const)
        for (const [verdict, open] of [
          ['', ''],
          ['diverged,stale', ''],
          ['', 'true'],
          ['unhealthy', 'false'],
        ] as const) {
          const pages = (await answers.askAll('absences', { ...query, verdict, open, order })).map((page) =>
            AbsenceAnswer.parse(page),
          );
          const wish = {
            verdict: verdict === '' ? [] : verdict.split(','),
            open: open === '' ? null : open === 'true',
            order,
          };
          const own = countAbsences(rows, scope, period, wish, now);
          expect(pages.flatMap((page) => page.rows)).toEqual(own.rows);
          for (const { figures } of pages) expect(figures).toEqual(own.figures);
        }
    }));

  it('in the file of absences', () =>
    eachQuestion(7, 10, async ({ period, scope, query }) => {
      const wish = { verdict: [], open: null, order: 'newest' } as const;
      const answer = csvRows(await answers.text('absences', { ...query, format: 'csv' }));
      expect(
        answer.map(({ cluster, group, kind, namespace, name, openedAt, closedAt, worst, seconds }) => ({
          object: [cluster, group, kind, namespace, name].join('/'),
          openedAt,
          closedAt,
          worst,
          seconds,
        })),
      ).toEqual(
        countAbsences(rows, scope, period, wish, now).rows.map(({ object, openedAt, closedAt, worst }) => ({
          object,
          openedAt: timeText(openedAt),
          closedAt: closedAt === null ? '' : timeText(closedAt),
          worst,
          seconds: String(Math.floor(((closedAt ?? now) - openedAt) / 1000)),
        })),
      );
    }));

  it('in the ledger of corrections', () =>
    eachQuestion(3, 40, async ({ period, scope, query }) => {
      const own = countCorrections(rows, scope, period);
      const pages = (await answers.askAll('corrections', query)).map((page) => CorrectionAnswer.parse(page));
      expect(pages.flatMap((page) => page.rows).toSorted()).toEqual(own.rows);
      for (const { days } of pages) expect(days).toEqual(own.days);
    }));

  it('in the changes of verdict', () =>
    eachQuestion(4, 20, async ({ period, scope: { clusters }, query: { group: _group, kind: _kind, ...query } }) => {
      const pages = await answers.askAll('transitions', query);
      const answer = pages.flatMap((page) => TransitionAnswer.parse(page).transitions);
      expect(answer.toSorted()).toEqual(countTransitions(rows, { clusters }, period));
    }));

  it('in the timelines, row by row', () =>
    eachQuestion(5, 25, async ({ period, scope, query }) => {
      const answer = HistoryAnswer.parse(await answers.ask('history', { ...query, limit: '500', rows: '1000' }));
      const own = countLanes(rows, scope, { from: answer.from, to: period.to });
      expect(answer.lanes.filter(({ existed }) => existed > 0)).toEqual(
        own.map((lane) => ({ ...lane, rows: lane.rows.slice(-1000) })),
      );
    }));

  it('in the file of the timelines', () =>
    eachQuestion(9, 8, async ({ period, scope, query }) => {
      const { from } = HistoryAnswer.parse(await answers.ask('history', { ...query, limit: '500' }));
      const answer = csvRows(await answers.text('history', { ...query, format: 'csv' }));
      const notRead = from === period.from ? null : { from: period.from, to: from };
      const own = historyLines(scope, countLanes(rows, scope, { from, to: period.to }), notRead);
      expect(inOrder(answer)).toEqual(inOrder(own));
    }));

  it('in the summary of the page of changes', () =>
    eachQuestion(10, 30, async ({ period, scope: { clusters }, query: { from = '', to = '' } }) => {
      const cluster = clusters?.join(',') ?? '';
      const answer = await answers.runtime.changed({ from, to, last: '', cluster });
      if ('type' in answer) throw new Error(answer.type);
      const { transitions, changes, observed, sentence } = countHappened(rows, clusters, period);
      expect([answer.from, answer.to, answer.total, answer.observed]).toEqual([
        from,
        to,
        { transitions, changes },
        observed,
      ]);
      expect(changedSentence(answer)).toBe(sentence);
      if (answer.crowded) return;
      const listed = answer.transitions.map(({ ref, noticedAt, to: verdict }) => [
        ...[Date.parse(noticedAt), nameOf(ref), verdict ?? ''],
      ]);
      const since = answer.back === null ? period.from - 1 : Date.parse(answer.back);
      expect(listed.map((each) => each.join(' ')).toSorted()).toEqual(
        transitionsAfter(rows, clusters, { from: since, to: period.to }),
      );
    }));

  it('in the summary and the objects of any past moment', async () => {
    for (const at of momentsOf(rows, { from: script.from, to: script.to }, 6, 40)) {
      await expectSummary({ at: timeText(at) }, countSummary(rows, { clusters: null }, false, at));
      const pages = (await answers.askAll('objects', { at: timeText(at) })).map((page) => ObjectAnswer.parse(page));
      const objects = pages.flatMap((page) => page.objects);
      expect(new Map(objects.map(({ verdict, ...ref }) => [nameOf(ref), verdict]))).toEqual(
        countStanding(rows, { clusters: null }, at),
      );
    }
  });

  it('in summaries of every filter', async () => {
    const moments = momentsOf(rows, { from: script.from + hour, to: script.to }, 11, 40);
    for (const at of [...moments.slice(0, 2), ...worstMoments(rows, moments, 4)])
      for (const { query, keeps } of fleetFilters(rows))
        await expectSummary(
          { ...query, at: timeText(at) },
          countSummary(rows, keeps, Object.keys(query).length > 0, at),
        );
  });

  it('in the lists of one kind', async () => {
    for (const at of momentsOf(rows, { from: script.from + hour, to: script.to }, 12, 6))
      for (const { query, keeps } of kindFilters(rows)) {
        const own = countStanding(rows, keeps, at).size;
        const answer = await answers.ask('objects', { ...query, at: timeText(at), limit: '1' }).then(
          (list) => ObjectAnswer.parse(list).total,
          // What is not there at that moment is said to be missing: an empty list would read as good news.
          (error: unknown) => (String(error).includes('"notThere":[{') ? 'missing' : error),
        );
        expect([query, at, answer]).toEqual([query, at, own === 0 ? 'missing' : own]);
      }
  });
});

it('every number of a summary opens a list of exactly so many objects', async () => {
  const filters = [
    ...fleetFilters(rows).map(({ query }) => query),
    ...['flux', 'helm', 'crossplane'].map((reconciler) => ({ reconciler })),
    ...['checkout', 'kustomization', 'reconcil'].map((q) => ({ q })),
  ];
  const moments = momentsOf(rows, { from: script.from + hour, to: script.to }, 13, 3).map(timeText);
  for (const at of [...moments, '']) for (const filter of filters) await expectLinks({ ...filter, at });
});

async function expectSummary(query: Readonly<Record<string, string>>, own: Summary): Promise<void> {
  const { summary, rows: clusters } = SummaryAnswer.parse(await answers.ask('fleet', query));
  const { counts, objects, guarantee, filter } = summary;
  const outside = filter?.outside ?? null;
  expect({ query, counts, objects, clusters: guarantee.clusters, outside, rows: clusters }).toEqual({ query, ...own });
}

async function expectLinks(query: Readonly<Record<string, string>> & { readonly at: string }): Promise<void> {
  const { summary } = SummaryAnswer.parse(await answers.ask('fleet', query));
  const numbers = [
    ...linksOf(summary),
    ...Object.entries(summary.counts).map(([verdict, number]) => ({
      text: verdict,
      number,
      query: { ...query, verdict },
    })),
    { text: 'objects', number: summary.objects, query },
    { text: 'not measurable', number: summary.notMeasurable, query: { ...query, drift: 'not-measured' } },
  ];
  for (const { text, number, query: asked } of numbers) {
    const pages = await answers.askAll('objects', { ...asked, at: query.at });
    const lists = pages.map((page) => ObjectAnswer.parse(page));
    const found = new Set(lists.flatMap((list) => list.objects.map(nameOf)));
    const totals = lists.map(({ total }) => total);
    expect([query, text, found.size, ...totals]).toEqual([query, text, number, ...totals.map(() => number)]);
  }
}

/** Whatever the order of lines. */
function inOrder(lines: readonly object[]): readonly string[] {
  return lines.map((line) => JSON.stringify(line)).toSorted();
}
