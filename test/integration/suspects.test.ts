// The demo's story, round after round, and its own script as the judge of every commit that is suspected.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WireIncidentList, WireIncidentPage } from '#lib/api/incident.ts';
import { objectWords, WireSuspects, type WireSuspicion } from '#lib/api/git/suspect.ts';
import { second } from '#lib/domain/time/length.ts';
import { until } from '#server/collector/clusters/testing/until.ts';
import { nothingJudged, wholeSecond } from './story/judged.ts';
import { startDemoGit, type DemoGit } from './story/demo-git.ts';
import { startPlayedDemo, type PlayedDemo } from './story/played-demo.ts';
import { scriptTruth, type ScriptTruth } from './story/script-truth.ts';
import { triedLog } from './story/tried-log.ts';
import { workDirectory } from './running/running-fleet.ts';

const round = 420 * second;
/** Ten take some minutes: PLUMBLINE_ROUNDS=10 vitest run --project integration test/integration/suspects.test.ts */
const rounds = Number(process.env['PLUMBLINE_ROUNDS'] ?? 2);
const seed = Number(process.env['PLUMBLINE_SEED'] ?? 1);
const checkEvery = 70 * second;

const directory = workDirectory();
let git: DemoGit;
let demo: PlayedDemo;

beforeAll(async () => {
  git = await startDemoGit(directory.path);
  demo = await startPlayedDemo(seed, { gitSocket: git.socketPath });
  await git.mirror(demo.fleet.repository.url);
});

afterAll(async () => {
  await demo.stop();
  await git.stop();
  directory.remove();
});

const found = { culprits: new Set<string>(), listed: 0, cleared: 0 };
const wrong = new Set<string>();
const untold = new Map<string, number>();

/** Commits that the script says broke any of the members, as their faults began; null among them where no commit did. */
async function brokenBy(truth: ScriptTruth, id: string): Promise<ReadonlySet<string | null>> {
  const page = WireIncidentPage.parse(await demo.ask(`incidents/${id}`, { limit: '1000' }));
  const culprits = page.members.flatMap(({ ref, own, from }) => {
    if (ref === null || !own) return [];
    const fault = truth.faultsOf(ref).findLast((one) => one.from - wholeSecond <= Date.parse(from));
    return fault === undefined ? [] : [fault.culprit];
  });
  return new Set(culprits);
}

function judge(what: string, suspicion: WireSuspicion, by: ReadonlySet<string | null>): void {
  const { type, sentence } = suspicion;
  const shas = suspicion.suspects.map(({ sha }) => sha);
  const culprits = [...by].filter((sha) => sha !== null);
  const told = `${what}: "${sentence}" ${shas.join(' ')}, and it was ${culprits.join(' or ') || 'no commit'}`;
  switch (type) {
    case 'culprit':
      if (!culprits.includes(shas[0] ?? '')) wrong.add(told);
      else found.culprits.add(shas[0] ?? '');
      return;
    case 'suspects':
      found.listed += 1;
      if (culprits.length > 0 && !suspicion.more && !culprits.some((sha) => shas.includes(sha))) wrong.add(told);
      return;
    case 'none':
      found.cleared += 1;
      // The script breaks a Kustomization a moment before its commit comes: a pass between the two truly fails where it had worked.
      if (sentence.includes('the very commit')) return;
      if (!by.has(null) && sentence.includes('git did not change it')) wrong.add(told);
      return;
    case 'not-told':
      untold.set(sentence, (untold.get(sentence) ?? 0) + 1);
  }
}

const flux = { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization', namespace: 'flux-system' };
/** Objects that a commit of the script breaks in every round. */
const breaking = [
  { ...flux, cluster: 'eu-west-3', name: 'checkout' },
  { ...flux, cluster: 'stg-us', name: 'accounts' },
  { ...flux, cluster: 'stg-eu', name: 'accounts' },
  { ...flux, cluster: 'stg-ap', name: 'accounts' },
];

async function check(truth: ScriptTruth): Promise<void> {
  const { rows } = WireIncidentList.parse(await demo.ask('incidents', { last: '6h', limit: '1000' }));
  const broken = rows.filter(({ range }) => range !== null).slice(0, 100);
  const ids = broken.map(({ id }) => id);
  const list = WireSuspects.parse(await demo.ask('suspects', { incident: ids.join(',') }));
  for (const { id, title } of broken) {
    const by = await brokenBy(truth, id);
    // By itself, as its page asks, and as the list does.
    const alone = WireSuspects.parse(await demo.ask('suspects', { incident: id }));
    for (const { of, suspicion } of [...alone.rows, ...list.rows])
      if (of === id && suspicion !== null) judge(title, suspicion, by);
  }
  for (const ref of breaking) {
    const suspicion = WireSuspects.parse(await demo.ask('suspects', { object: objectWords(ref) })).rows[0]?.suspicion;
    const fault = truth.faultsOf(ref).findLast(({ from }) => from <= demo.now());
    if (suspicion && fault) judge(`${ref.name} on ${ref.cluster}`, suspicion, new Set([fault.culprit]));
  }
}

it(
  'names the commit that broke it, or lists it, and never a wrong one',
  async () => {
    const judged = nothingJudged();
    const tried = triedLog(demo.fleet);
    const play = async (ms: number): Promise<void> => {
      for (let left = ms; left > 0; left -= second) {
        await demo.play(Math.min(second, left));
        tried.sample(demo.now());
      }
    };
    await git.fetchUntil(demo.fleet.repository.head().sha);
    await until(
      'every object to be read',
      () => play(second).then(() => demo.now() - demo.startedAt > 40_000),
      120_000,
    );
    const seenFrom = demo.now();
    for (const end = demo.startedAt + rounds * round; demo.now() < end;) {
      await play(checkEvery);
      await git.fetchUntil(demo.fleet.repository.head().sha);
      await check(scriptTruth(demo.fleet, seenFrom, tried, judged));
    }
    expect([...wrong]).toEqual([]);
    // Each round breaks checkout and accounts anew: less would mean that nothing is concluded any more.
    expect([found.culprits.size, ...untold]).toSatisfy(([named]: [number]) => named >= rounds);
  },
  rounds * 200 * second,
);
