import { beforeEach, expect, it } from 'vitest';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { minute } from '#lib/domain/time/length.ts';
import { nothingRecorded } from '#server/store/record/recorded.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { commits } from '../endpoints/commits/commits.ts';
import { fakeGit, fakeSha } from '../testing/fake-git.ts';
import { memoryStore } from '../testing/memory-reader.ts';
import { answerOf, given, sampleMoment, samplePresent } from '../testing/moment.ts';
import { sampleCluster, sampleNow, sampleObject } from '../testing/sample.ts';
import { worstStates } from './cluster-fates.ts';
import { commitPage } from './commit-page.ts';

const url = 'https://github.com/acme/control-repo';
const asked = { sha: fakeSha('b'), cluster: '', label: '', state: '', wait: 0 };
const at = (digit: string) => `main@sha1:${fakeSha(digit)}`;
/** Commits: `b` touches eu/checkout, `c` and `d` do not. */
const git = fakeGit({
  url: `${url}.git`,
  commits: [
    { digit: 'a', files: ['README.md'] },
    { digit: 'b', files: ['clusters/eu/checkout/k.yaml'] },
    { digit: 'c', files: ['clusters/eu/search/k.yaml'] },
    { digit: 'd', files: ['README.md'] },
  ],
});

let cache: ReturnType<typeof createFleetCache>;

beforeEach(() => {
  cache = createFleetCache();
  cache.apply([{ type: 'cluster', cluster: sampleCluster('eu', { labels: { environment: 'staging' } }) }]);
});

function put(name: string, digit: string, more: Partial<CurrentObject> = {}): CurrentObject {
  const runs = { repository: url, path: `clusters/eu/${name}`, commit: fakeSha(digit) };
  const revision = { applied: at(digit), attempted: at(digit), offered: at(digit) };
  const object = sampleObject({ cluster: 'eu', name }, { ...runs, revision, ...more });
  cache.apply([{ type: 'object', object }]);
  return object;
}

/** Worked at `good`, fails its health check since `bad`. */
const unhealthy = (good: string, bad: string): Partial<CurrentObject> => ({
  verdict: 'unhealthy',
  reason: 'HealthCheckFailed',
  range: { lastGood: at(good), firstBad: at(bad), seenBetween: 0, watched: true },
});

const dead: Partial<CurrentObject> = { verdict: 'stale', reason: 'ControllerDead' };

const moment = () => sampleMoment(cache, defaultPolicy, git);
const page = async (query: object = {}) => given(await commitPage(moment(), { ...asked, ...query }));

it('a commit that worked for days, on an object that fails at a later one that does not touch it, failed later', async () => {
  put('checkout', 'd', unhealthy('c', 'd'));
  const { outcome, sentence, counts, clusters, environments } = await page();
  expect(clusters).toMatchObject([{ state: 'failed-later', why: 'HealthCheckFailed' }]);
  expect(clusters[0]?.objects).toMatchObject([{ state: 'failed-later', verdict: 'unhealthy', by: null }]);
  expect(counts).toMatchObject({ 'failed-later': 1, stuck: 0, superseded: 0 });
  // Nothing is to be brought further on the strength of it.
  expect([outcome, environments.map(({ arrived }) => arrived)]).toEqual(['failed', [0]]);
  expect(sentence).toBe('Failed later on the 1 cluster that it concerns: eu, HealthCheckFailed for 1 h.');
  const list = await answerOf(commits, samplePresent(moment()), {});
  expect(list.rows.find(({ sha }) => sha === fakeSha('b'))?.counts).toMatchObject({ 'failed-later': 1, stuck: 0 });
});

it('tells when it came, and is found by its state', async () => {
  put('checkout', 'd', unhealthy('c', 'd'));
  const times = {
    offeredAt: sampleNow - 50 * minute,
    firstAt: sampleNow - 49 * minute,
    lastAt: sampleNow - 48 * minute,
  };
  const arrivals = [{ cluster: 'eu', commit: fakeSha('b'), objects: 2, ...times }];
  const store = await memoryStore({ ...nothingRecorded, arrivals }).source.open();
  const query = { ...asked, state: 'failed-later' };
  const { clusters, environments } = given(await commitPage({ ...moment(), reader: () => store }, query));
  const wire = (ms: number) => new Date(ms).toISOString();
  expect(clusters).toMatchObject([
    { offeredAt: wire(times.offeredAt), firstAt: wire(times.firstAt), lastAt: wire(times.lastAt) },
  ]);
  expect(environments).toMatchObject([
    { clusters: 1, arrived: 0, firstAt: wire(times.firstAt), lastAt: wire(times.lastAt) },
  ]);
});

it('a commit at which it first failed is stuck, and so is one that never came', async () => {
  put('search', 'c', unhealthy('b', 'c'));
  expect((await page({ sha: fakeSha('c') })).clusters).toMatchObject([{ state: 'stuck' }]);
  put('checkout', 'a', dead);
  expect((await page()).clusters).toMatchObject([{ state: 'stuck', why: 'ControllerDead' }]);
});

it('a commit that runs where the controller died since is not known, and not to be believed: nor stuck nor arrived', async () => {
  put('checkout', 'd', dead);
  const { outcome, clusters, sentence } = await page();
  expect(clusters).toMatchObject([{ state: 'unknown', why: 'ran it when last confirmed; ControllerDead' }]);
  expect([outcome, sentence]).toEqual(['unknown', 'Not known on the 1 cluster that it concerns.']);
  put('checkout', 'd', { ...unhealthy('c', 'd'), ...dead, was: 'unhealthy' });
  expect((await page()).clusters).toMatchObject([
    { state: 'failed-later', why: 'ControllerDead (unhealthy when last confirmed)' },
  ]);
});

it('a commit that runs and was drifted from failed later where that is known to be so', async () => {
  const drifted = { verdict: 'drifted', drift: 'found', reason: 'DriftDetected' } as const;
  put('checkout', 'd', { ...drifted, driftedLater: true });
  expect((await page()).clusters).toMatchObject([{ state: 'failed-later', why: 'DriftDetected' }]);
  put('checkout', 'd', drifted);
  expect((await page()).clusters).toMatchObject([{ state: 'stuck', why: 'DriftDetected' }]);
});

it('what waits for an object on which it failed later waits in vain', async () => {
  const cause = put('checkout', 'd', unhealthy('c', 'd'));
  const waits = { verdict: 'waiting', reason: 'DependencyNotReady', path: 'clusters/eu/checkout' } as const;
  put('web', 'a', { ...waits, rootCause: { type: 'object', ref: cause.ref } });
  const { clusters } = await page();
  expect(clusters[0]?.objects.map(({ ref, state, why }) => [ref.name, state, why])).toEqual([
    ['web', 'stuck', 'waits for checkout on eu: HealthCheckFailed'],
    ['checkout', 'failed-later', 'HealthCheckFailed'],
  ]);
  put('web', 'd', { ...waits, rootCause: { type: 'object', ref: cause.ref } });
  const [eu] = (await page()).clusters;
  expect(eu?.objects.map(({ ref, state }) => [ref.name, state])).toEqual([
    ['checkout', 'failed-later'],
    ['web', 'failed-later'],
  ]);
});

it('a list looks at a cluster whose controller died once: no fetch changes what is not known of it', async () => {
  const lookedAt = async (objects: readonly CurrentObject[], fetchedAt: string) => {
    const commit = { repository: 'github.com/acme/control-repo', sha: fakeSha('b'), fetchedAt };
    const { worst, lookedAt: looked } = await worstStates(git, commit, [objects], () => null);
    return [worst[0], looked > 0];
  };
  const stopped = [put('checkout', 'd', dead), put('checkout-2', 'd', { ...dead, path: 'clusters/eu/checkout' })];
  expect(await lookedAt(stopped, '1')).toEqual(['unknown', true]);
  expect(await lookedAt(stopped, '2')).toEqual(['unknown', false]);
  // The next fetch may bring the commit that runs.
  const newer = [put('checkout', 'e', dead)];
  expect(await lookedAt(newer, '1')).toEqual(['unknown', true]);
  expect(await lookedAt(newer, '2')).toEqual(['unknown', true]);
});
