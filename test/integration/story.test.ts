// The demo's story, round after round, and its own script as the judge of every commit, time and number that is named.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { second } from '#lib/domain/time/length.ts';
import { until } from '#server/collector/clusters/testing/until.ts';
import { wrongIncidents, type ToldIncident } from './story/judge-incidents.ts';
import { wrongMoment } from './story/judge-moment.ts';
import { wrongHistory, wrongAbsences, wrongPage, wrongReport } from './story/judge-record.ts';
import { nothingJudged } from './story/judged.ts';
import { wrongArrivals, wrongChanges, wrongTransitions } from './story/judge-lists.ts';
import { startPlayedDemo, type PlayedDemo } from './story/played-demo.ts';
import {
  SaidArrivals,
  SaidChanges,
  SaidSummary,
  SaidHistory,
  SaidAbsences,
  SaidObjects,
  SaidPage,
  SaidReport,
  SaidTransitions,
  SaidIncidentPage,
  SaidIncidents,
  type SaidAbsence,
  type SaidIncident,
  type SaidMember,
} from './story/said.ts';
import { scriptTruth } from './story/script-truth.ts';
import { triedLog, type TriedLog } from './story/tried-log.ts';

const round = 420 * second;
/** Ten take five to eight minutes: PLUMBLINE_ROUNDS=10 vitest run --project integration test/integration/story.test.ts */
const rounds = Number(process.env['PLUMBLINE_ROUNDS'] ?? 3);
const seed = Number(process.env['PLUMBLINE_SEED'] ?? 1);
/** No divisor of a round, so that no two rounds are looked at in the same moments. */
const checkEvery = 17 * second;
const flux = { namespace: 'flux-system', group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization' };
const pages: readonly (readonly [cluster: string, name: string])[] = [
  ['eu-west-3', 'checkout'],
  ['ap-south-1', 'monitoring'],
  ['stg-us', 'accounts'],
  ['us-east-2', 'search'],
];
const kinds = ['Kustomization', 'HelmRelease', 'GitRepository', 'Instance', 'Role'] as const;

let demo: PlayedDemo;
/** Said while nothing was known yet, or contradicted by the script, each once. */
const wrong = new Map<string, string>();
let checks = 0;
const judged = nothingJudged();

function note(found: readonly string[]): void {
  for (const words of found)
    if (wrong.size < 500 && !wrong.has(words)) wrong.set(words, `${(demo.now() - demo.startedAt) / second} s`);
}

async function allAbsences(): Promise<readonly SaidAbsence[]> {
  const rows: SaidAbsence[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: ReturnType<typeof SaidAbsences.parse> = SaidAbsences.parse(
      await demo.ask('absences', { last: '6h', limit: '1000', cursor }),
    );
    rows.push(...page.rows);
    cursor = page.nextCursor;
  }
  return rows;
}

/** Every incident since the story began, each with all of its members. */
async function allIncidents(): Promise<readonly ToldIncident[]> {
  const rows: SaidIncident[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: z.infer<typeof SaidIncidents> = SaidIncidents.parse(
      await demo.ask('incidents', { last: '6h', limit: '1000', cursor }),
    );
    rows.push(...page.rows);
    cursor = page.nextCursor;
  }
  const told: ToldIncident[] = [];
  for (const { id } of rows) {
    const members: SaidMember[] = [];
    let incident: SaidIncident | null = null;
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: z.infer<typeof SaidIncidentPage> = SaidIncidentPage.parse(
        await demo.ask(`incidents/${id}`, { limit: '1000', cursor }),
      );
      members.push(...page.members);
      cursor = page.nextCursor;
      ({ incident } = page);
    }
    if (incident !== null) told.push({ incident, members });
  }
  return told;
}

/** True if every object that the script knows is listed, a second later. */
async function isRead(play: (ms: number) => Promise<void>): Promise<boolean> {
  await play(second);
  const { total } = SaidObjects.parse(await demo.ask('objects', { limit: '1' }));
  return total >= demo.fleet.ledger.refs().length;
}

beforeAll(async () => {
  demo = await startPlayedDemo(seed);
});

afterAll(() => demo.stop());

it(
  'names no commit, time or number that the script contradicts',
  async () => {
    const tried = triedLog(demo.fleet);
    const play = async (ms: number): Promise<void> => {
      for (let left = ms; left > 0; left -= second) {
        await demo.play(Math.min(second, left));
        tried.sample(demo.now());
      }
    };
    await until('every object to be read', () => isRead(play), 120_000);
    // By then every word has settled.
    await play(40 * second);
    const seenFrom = demo.now();
    for (let number = 1; number <= rounds; number += 1) {
      for (const end = demo.startedAt + number * round; demo.now() < end;) {
        await play(Math.min(checkEvery, end - demo.now()));
        const truth = scriptTruth(demo.fleet, seenFrom, tried, judged);
        const summary = SaidSummary.parse(await demo.ask('fleet', { causes: 'all' }));
        const objects = SaidObjects.parse(await demo.ask('objects', { limit: '2000' }));
        note(wrongMoment(truth, tried, summary, objects, demo.now()));
        const [cluster = '', name = ''] = pages[checks % pages.length] ?? [];
        note(wrongPage(truth, SaidPage.parse(await demo.ask('object', { cluster, name, ...flux }))));
        checks += 1;
      }
      await judgeRound(seenFrom, tried);
    }
    expect(checks).toBeGreaterThan(rounds * 20);
    // Less would mean that something is not read any more.
    expect(judged).toSatisfy(
      ({ sentences, commits, times, numbers }: typeof judged) =>
        Math.min(sentences, commits, times) > checks * 500 && numbers > checks * 30,
      JSON.stringify(judged),
    );
    expect([...wrong].map(([words, at]) => `${at}: ${words}`)).toEqual([]);
  },
  rounds * 300 * second,
);

/** Judges what the record says of everything so far. */
async function judgeRound(seenFrom: number, tried: TriedLog): Promise<void> {
  const truth = scriptTruth(demo.fleet, seenFrom, tried, judged);
  note(wrongAbsences(truth, await allAbsences(), demo.now()));
  note(wrongIncidents(truth, await allIncidents(), demo.now()));
  for (const cluster of demo.fleet.clusters.keys())
    for (const kind of kinds) {
      const answer = await demo.ask('history', { cluster, kind, last: '6h', rows: '1000', limit: '500' });
      note(wrongHistory(truth, cluster, SaidHistory.parse(answer), seenFrom));
    }
  const period = { from: demo.now() - round, to: demo.now() };
  const query = { from: new Date(period.from).toISOString(), to: new Date(period.to).toISOString() };
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = SaidTransitions.parse(await demo.ask('transitions', { ...query, limit: '1000', cursor }));
    note(wrongTransitions(truth, tried, answer));
    cursor = answer.nextCursor;
  }
  const changes = SaidChanges.parse(await demo.ask('changes', { ...query, limit: '1000' }));
  note(changes.more ? ['more was changed than is listed'] : []);
  note(wrongChanges(truth, tried, changes, period));
  const names = truth.kustomizations;
  note(wrongArrivals(truth, tried, names, SaidArrivals.parse(await demo.ask('arrivals', query))));
  const { figures } = SaidReport.parse(await demo.ask('report', query));
  note(wrongReport(truth, figures, period));
}
