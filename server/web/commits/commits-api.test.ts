import { beforeEach, describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { noGit } from '#server/git/port/git-reader.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { commitNames } from '../endpoints/commits/commit-names.ts';
import { commits } from '../endpoints/commits/commits.ts';
import { repositories } from '../endpoints/commits/repositories.ts';
import { isRefused } from '../http/problem.ts';
import { fakeGit, fakeSha } from '../testing/fake-git.ts';
import { answerOf, given, sampleMoment, samplePresent } from '../testing/moment.ts';
import {
  hasComponents,
  includesOther,
  sampleCluster,
  sampleNow,
  sampleObject,
  sampleSource,
} from '../testing/sample.ts';
import { awaitedCommits } from './wait/awaited-commit.ts';
import { commitPage } from './commit-page.ts';
import { pacedLooks } from './wait/paced-looks.ts';

const url = 'https://github.com/acme/control-repo';
const here = { by: '192.0.2.7', isGone: () => false };
/** Who asks, and has not left. */
const present = { by: '', isGone: () => false };

const asked = { sha: fakeSha('b'), cluster: '', label: '', state: '', wait: 0 };

let cache: ReturnType<typeof createFleetCache>;
let git: ReturnType<typeof fakeGit>;

/** An applier that runs the commit of a digit, of a path of its own. */
function applier(cluster: string, name: string, digit: string, more: Parameters<typeof sampleObject>[1] = {}) {
  const revision = `main@sha1:${fakeSha(digit)}`;
  const runs = { repository: url, path: `clusters/${cluster}/${name}`, commit: fakeSha(digit) };
  return sampleObject(
    { cluster, name },
    { ...runs, revision: { applied: revision, attempted: revision, offered: revision }, ...more },
  );
}

function put(object: ReturnType<typeof applier>): void {
  cache.apply([{ type: 'object', object }]);
}

beforeEach(() => {
  git = fakeGit({
    url: `${url}.git`,
    commits: [
      { digit: 'a', files: ['README.md'] },
      {
        digit: 'b',
        subject: 'Raise checkout (#12)',
        pullRequest: 12,
        files: ['clusters/eu/checkout/k.yaml', 'clusters/us/checkout/k.yaml'],
      },
      { digit: 'c', files: ['clusters/us/checkout/k.yaml'] },
    ],
  });
  cache = createFleetCache();
  for (const name of ['eu', 'us'])
    cache.apply([
      {
        type: 'cluster',
        cluster: sampleCluster(name, { labels: { environment: name === 'eu' ? 'staging' : 'production' } }),
      },
    ]);
});

const moment = () => sampleMoment(cache, defaultPolicy, git);

describe('a commit across the fleet', () => {
  it('says of an object whose branch does not hold it that it does not', async () => {
    const revision = `release@sha1:${fakeSha('a')}`;
    put(applier('eu', 'checkout', 'a', { revision: { applied: revision, attempted: revision, offered: revision } }));
    put(applier('us', 'checkout', 'a'));
    const { clusters } = given(await commitPage(moment(), asked));
    expect(clusters.map(({ cluster, state, why }) => [cluster, state, why])).toEqual([
      ['eu', 'on-its-way', 'the commit is not on release, which it follows'],
      ['us', 'on-its-way', ''],
    ]);
  });

  it('is converged where it runs, superseded where a later one touches the same, and concerns nothing else', async () => {
    put(applier('eu', 'checkout', 'b'));
    put(applier('eu', 'search', 'b'));
    put(applier('us', 'checkout', 'c'));
    const page = given(await commitPage(moment(), asked));
    expect(page.clusters.map(({ cluster, state, environment }) => [cluster, state, environment])).toEqual([
      ['us', 'superseded', 'production'],
      ['eu', 'converged', 'staging'],
    ]);
    expect(page.clusters[0]?.objects[0]?.by).toEqual({ sha: fakeSha('c'), subject: 'Commit c' });
    expect(page).toMatchObject({
      outcome: 'arrived',
      sentence: 'Converged on 1 of 2 clusters; superseded on 1.',
      commit: {
        subject: 'Raise checkout (#12)',
        pullRequest: { number: 12, href: null },
        self: `/commits/${fakeSha('b')}`,
      },
      branches: ['main'],
      counts: { converged: 1, superseded: 1, 'not-concerned': 1, stuck: 0 },
    });
    // No time is told that the record does not have.
    expect(page.clusters.map(({ offeredAt, firstAt, lastAt }) => [offeredAt, firstAt, lastAt])).toEqual([
      [null, null, null],
      [null, null, null],
    ]);
  });

  it('is on its way where an older one runs, and failed as soon as it is stuck anywhere, with why', async () => {
    put(applier('eu', 'checkout', 'a'));
    expect(given(await commitPage(moment(), asked)).outcome).toBe('waiting');
    put(
      applier('us', 'checkout', 'a', {
        verdict: 'diverged',
        reason: 'BuildFailed',
        revision: {
          applied: `main@sha1:${fakeSha('a')}`,
          attempted: `main@sha1:${fakeSha('b')}`,
          offered: `main@sha1:${fakeSha('b')}`,
        },
      }),
    );
    const page = given(await commitPage(moment(), asked));
    expect([page.outcome, page.clusters[0]?.cluster, page.clusters[0]?.why]).toEqual(['failed', 'us', 'BuildFailed']);
    expect(page.sentence).toContain('stuck on 1: us, BuildFailed');
  });

  describe('that ran well, until a later one broke the same', () => {
    const at = (digit: string) => `main@sha1:${fakeSha(digit)}`;
    const broke = (good: string | null, bad: string, watched = true) => ({
      verdict: 'diverged' as const,
      reason: 'BuildFailed',
      revision: { applied: at('b'), attempted: at(bad), offered: at(bad) },
      range: { lastGood: good === null ? null : at(good), firstBad: at(bad), seenBetween: 0, watched },
    });
    const statesOf = async (sha: string) => {
      const { outcome, environments, clusters, counts } = given(await commitPage(moment(), { ...asked, sha }));
      return { outcome, arrived: environments.map((one) => one.arrived), clusters, counts };
    };

    it('has arrived there: it is counted in the environment, and nobody waits for it', async () => {
      put(applier('us', 'checkout', 'b', broke('b', 'c')));
      const page = await statesOf(fakeSha('b'));
      expect(page).toMatchObject({ outcome: 'arrived', arrived: [1], counts: { superseded: 1, stuck: 0 } });
      expect(page.clusters[0]).toMatchObject({ state: 'superseded', why: 'fails at a later commit: BuildFailed' });
      expect(page.clusters[0]?.objects[0]?.by).toEqual({ sha: fakeSha('c'), subject: 'Commit c' });
      expect(await statesOf(fakeSha('c'))).toMatchObject({ outcome: 'failed', arrived: [0] });
      const waited = awaitedCommits(fakeClock(sampleNow)).page(moment(), { ...asked, wait: 600 }, present);
      expect(given(await waited).outcome).toBe('arrived');
    });

    it('has arrived where the later one was applied and does not work', async () => {
      put(applier('us', 'checkout', 'c', { ...broke('b', 'c'), verdict: 'unhealthy' }));
      expect(await statesOf(fakeSha('b'))).toMatchObject({ outcome: 'arrived', arrived: [1] });
    });

    it('has not where it was only ever tried with the later one', async () => {
      put(applier('us', 'checkout', 'c', { ...broke('a', 'c'), verdict: 'unhealthy' }));
      expect(await statesOf(fakeSha('b'))).toMatchObject({ outcome: 'failed', arrived: [0] });
      put(applier('us', 'checkout', 'c', { ...broke(null, 'c'), verdict: 'unhealthy' }));
      expect(await statesOf(fakeSha('b'))).toMatchObject({ outcome: 'failed', arrived: [0] });
      put(applier('us', 'checkout', 'c', { ...broke(null, 'c', false), verdict: 'unhealthy' }));
      expect(await statesOf(fakeSha('b'))).toMatchObject({ outcome: 'unknown', arrived: [0] });
    });

    it('failed later where a hand broke it: no later commit touches it', async () => {
      put(applier('us', 'checkout', 'b', broke('b', 'b')));
      expect(await statesOf(fakeSha('b'))).toMatchObject({ outcome: 'failed', arrived: [0] });
      put(applier('us', 'checkout', 'b', broke('b', 'c')));
      put(applier('eu', 'checkout', 'b', broke('b', 'c')));
      const { clusters } = await statesOf(fakeSha('b'));
      expect(clusters.map(({ cluster, state }) => [cluster, state])).toEqual([
        ['eu', 'failed-later'],
        ['us', 'superseded'],
      ]);
    });

    it('has arrived where a revert fails, and both have once a revert works', async () => {
      git.add({ digit: 'd', files: ['clusters/us/checkout/k.yaml'], subject: 'Revert c' });
      put(applier('us', 'checkout', 'b', broke('b', 'd')));
      expect(await statesOf(fakeSha('b'))).toMatchObject({ outcome: 'arrived' });
      put(applier('us', 'checkout', 'd'));
      expect(await statesOf(fakeSha('b'))).toMatchObject({ outcome: 'arrived' });
      expect(await statesOf(fakeSha('c'))).toMatchObject({ outcome: 'arrived', counts: { superseded: 1 } });
    });

    it('is on its way where the object went back to an older commit and fails there: nothing later broke it', async () => {
      put(applier('us', 'checkout', 'a', { ...broke('c', 'a'), reason: 'Failed' }));
      expect(await statesOf(fakeSha('b'))).toMatchObject({ outcome: 'waiting' });
    });
  });

  it('is stuck where an object waits for one that fails, and not where this commit may mend that', async () => {
    const cause = applier('eu', 'infra', 'a', { verdict: 'diverged', reason: 'BuildFailed' });
    const waits = { verdict: 'waiting', reason: 'DependencyNotReady' } as const;
    put(cause);
    put(applier('eu', 'checkout', 'a', { ...waits, rootCause: { type: 'object', ref: cause.ref } }));
    const page = given(await commitPage(moment(), asked));
    expect(page.clusters).toMatchObject([{ state: 'stuck', why: 'waits for infra on eu: BuildFailed' }]);
    expect(page.outcome).toBe('failed');
    // The commit touches what fails, and was not tried there yet.
    put(applier('eu', 'infra', 'a', { verdict: 'diverged', reason: 'BuildFailed', path: 'clusters/us/checkout' }));
    expect(given(await commitPage(moment(), asked)).outcome).toBe('waiting');
    put(applier('eu', 'infra', 'a', { verdict: 'progressing' }));
    expect(given(await commitPage(moment(), asked)).outcome).toBe('waiting');
  });

  it('is not known where an object is suspended, though it runs there', async () => {
    put(applier('eu', 'checkout', 'b', { verdict: 'suspended', was: 'converged', reason: 'Suspended' }));
    const page = given(await commitPage(moment(), asked));
    expect(page.clusters).toMatchObject([{ state: 'unknown', why: 'suspended, and ran it when last seen' }]);
  });

  it('is not known where an object builds from more than its path, and the commit may touch that', async () => {
    put(applier('eu', 'search', 'c', hasComponents));
    put(applier('eu', 'checkout', 'b', hasComponents));
    put(sampleSource('us', includesOther('us')));
    put(applier('us', 'search', 'c'));
    put(applier('us', 'checkout', 'c'));
    const { clusters } = given(await commitPage(moment(), asked));
    const fates = clusters.flatMap(({ objects }) =>
      objects.map(({ ref, state, why }) => [ref.cluster, ref.name, state, why]),
    );
    expect(fates.toSorted((a, b) => (a.join() < b.join() ? -1 : 1))).toEqual([
      ['eu', 'checkout', 'converged', ''],
      ['eu', 'search', 'unknown', 'it builds from spec.components too, which are not known'],
      ['us', 'checkout', 'superseded', ''],
      ['us', 'search', 'unknown', 'its source includes other sources, which are not looked at'],
    ]);
    put(applier('eu', 'checkout', 'c', hasComponents));
    const [eu] = given(await commitPage(moment(), { ...asked, cluster: 'eu' })).clusters;
    // A later commit may touch its components.
    expect(eu?.objects.map(({ state }) => state)).toEqual(['unknown', 'unknown']);
  });

  it('concerns an object by its components, too, and arrives there', async () => {
    const having = (name: string) => ({
      ...hasComponents,
      builds: { components: [name], ignore: null, sparse: [] },
    });
    put(applier('eu', 'search', 'b', having('../checkout')));
    put(applier('eu', 'mail', 'b', having('../tls')));
    put(applier('us', 'search', 'c', having('../../us/checkout')));
    const page = given(await commitPage(moment(), asked));
    expect(
      page.clusters.map(({ cluster, state, objects }) => [cluster, state, objects.map(({ ref }) => ref.name)]),
    ).toEqual([
      ['us', 'superseded', ['search']],
      ['eu', 'converged', ['search']],
    ]);
    expect([page.outcome, page.counts['not-concerned']]).toEqual(['arrived', 1]);
    const waited = awaitedCommits(fakeClock(sampleNow)).page(moment(), { ...asked, wait: 600 }, present);
    expect(given(await waited).outcome).toBe('arrived');
  });

  it('is not known where what runs is not in the repository', async () => {
    put(applier('eu', 'checkout', 'f'));
    const page = given(await commitPage(moment(), asked));
    expect([page.outcome, page.clusters[0]?.state]).toEqual(['unknown', 'unknown']);
    expect(page.clusters[0]?.why).toBe('the mirror does not hold the commit that it runs');
  });

  it('is not known, and never converged, where git does not tell what came after it', async () => {
    put(applier('us', 'checkout', 'c'));
    for (const told of [
      { type: 'not-told' as const, reason: 'It sleeps.' },
      { type: 'told' as const, asOf: sampleNow, answer: [{ type: 'unknown' as const, why: 'too-many' as const }] },
    ]) {
      const silent = sampleMoment(cache, defaultPolicy, { ...git, between: () => Promise.resolve(told) });
      const page = given(await commitPage(silent, asked));
      expect([page.outcome, page.clusters[0]?.state, page.clusters[0]?.why]).toEqual([
        'unknown',
        'unknown',
        'what came after it is not known',
      ]);
    }
  });

  it('has files that are not known where git does not tell them, and not none', async () => {
    put(applier('eu', 'checkout', 'b'));
    const silent = { ...git, files: () => Promise.resolve({ type: 'not-told' as const, reason: 'It sleeps.' }) };
    expect(given(await commitPage(sampleMoment(cache, defaultPolicy, silent), asked)).files).toBeNull();
    const list = await answerOf(
      commits,
      samplePresent(sampleMoment(cache, defaultPolicy, { ...git, touches: silent.files })),
      { path: 'clusters/eu/checkout' },
    );
    expect([list.rows, list.reason]).toEqual([[], 'What its commits touch cannot be told now.']);
  });

  it('is asked of some clusters, and of some states', async () => {
    put(applier('eu', 'checkout', 'b'));
    put(applier('us', 'checkout', 'a'));
    const of = async (query: object) =>
      given(await commitPage(moment(), { ...asked, ...query })).clusters.map(({ cluster }) => cluster);
    expect(await of({ cluster: 'eu' })).toEqual(['eu']);
    expect(await of({ label: 'environment=production' })).toEqual(['us']);
    expect(await of({ state: 'converged' })).toEqual(['eu']);
    const missing = await commitPage(moment(), { ...asked, cluster: 'nowhere' });
    expect(isRefused(missing) && missing.refused.type).toBe('not-there');
  });

  it('that no mirror holds is refused, and digits of several name them', async () => {
    const none = await commitPage(moment(), { ...asked, sha: 'deadbeef' });
    expect(isRefused(none) && none.refused).toMatchObject({
      type: 'not-found',
      what: expect.stringContaining('deadbee'),
    });
    const silent = await commitPage(sampleMoment(cache, defaultPolicy, noGit('It sleeps.')), asked);
    expect(isRefused(silent) && silent.refused).toEqual({ type: 'not-ready', message: 'It sleeps.' });
  });
});

describe('a commit that is waited for', () => {
  it('is answered as soon as it has come, and at the end of the time where it has not', async () => {
    const clock = fakeClock(sampleNow);
    const awaited = awaitedCommits(clock);
    put(applier('eu', 'checkout', 'a'));
    const turn = async (ms: number) => {
      for (let left = ms; left > 0; left -= 1_000) {
        clock.advance(1_000);
        for (let n = 0; n < 30; n += 1) await Promise.resolve();
        await new Promise((resolve) => void setImmediate(resolve));
      }
    };
    const late = awaited.page(moment(), { ...asked, wait: 10 }, here);
    await turn(12_000);
    expect(given(await late).outcome).toBe('waiting');
    const known = moment();
    const soon = awaited.page(known, { ...asked, wait: 600 }, here);
    await turn(4_000);
    put(applier('eu', 'checkout', 'b'));
    await turn(4_000);
    expect(given(await soon).outcome).toBe('arrived');
  });

  it('is waited for too where no mirror holds it yet, and by nobody who has left', async () => {
    const clock = fakeClock(sampleNow);
    const gone = awaitedCommits(clock).page(
      moment(),
      { ...asked, sha: fakeSha('d'), wait: 600 },
      { by: '', isGone: () => true },
    );
    const left = await gone;
    expect(isRefused(left) && left.refused.type).toBe('not-found');
  });
});

describe('many that wait', () => {
  it('of one listener are half of all at most', async () => {
    const clock = fakeClock(sampleNow);
    const awaited = awaitedCommits(clock);
    const left: string[] = [];
    const known = moment();
    const wait = async (by: string): Promise<string> => {
      const page = await awaited.page(
        known,
        { ...asked, sha: fakeSha('d'), wait: 600 },
        { by, isGone: () => left.includes(by) },
      );
      return isRefused(page) ? page.refused.type : 'answered';
    };
    const first = Array.from({ length: 100 }, () => wait('a'));
    expect(await wait('a')).toBe('too-many-answers');
    const others = Array.from({ length: 100 }, () => wait('b'));
    expect(await wait('c')).toBe('too-many-answers');
    left.push('a', 'b');
    expect(new Set(await Promise.all([...first, ...others]))).toEqual(new Set(['not-found']));
    left.length = 0;
    left.push('c');
    expect(await wait('c')).toBe('not-found');
  });

  it('for the same are answered by one look, and git is asked for its news once', async () => {
    const clock = fakeClock(sampleNow);
    const awaited = awaitedCommits(clock);
    put(applier('eu', 'checkout', 'b'));
    const counts = { find: 0, repositories: 0 };
    const counting = {
      ...git,
      find: (digits: string) => ((counts.find += 1), git.find(digits)),
      repositories: () => ((counts.repositories += 1), git.repositories()),
    };
    const known = sampleMoment(cache, defaultPolicy, counting);
    const pages = await Promise.all(
      Array.from({ length: 50 }, (_, n) => awaited.page(known, { ...asked, wait: 600 }, { ...here, by: `${n}` })),
    );
    expect(new Set(pages.map((page) => given(page).outcome))).toEqual(new Set(['arrived']));
    // Once for the news, once for the branches that hold it.
    expect(counts).toEqual({ find: 1, repositories: 2 });
  });
});

describe('looks', () => {
  it('leave more time to others than they take, and have each listener in turn', async () => {
    const clock = fakeClock(0);
    const looks = pacedLooks<{ readonly at: number }>(clock);
    const order: (readonly [string, number])[] = [];
    const look = async (by: string, key: string): Promise<void> => {
      await looks.look({ by, key, stamp: '1' }, async () => {
        order.push([by, clock.now()]);
        await new Promise<void>((resolve) => void clock.after(100, resolve));
        return { at: clock.now() };
      });
    };
    const all = Promise.all([look('a', '1'), look('a', '2'), look('a', '3'), look('b', '4')]);
    for (let ms = 0; ms < 2_000; ms += 50) {
      await new Promise((resolve) => void setImmediate(resolve));
      clock.advance(50);
    }
    await all;
    expect(order).toEqual([
      ['a', 0],
      ['a', 500],
      ['b', 1_000],
      ['a', 1_500],
    ]);
  });
});

describe('a commit that concerns very much', () => {
  it('lists some objects of each cluster, of every state, and counts them all', async () => {
    for (let cluster = 0; cluster < 200; cluster += 1) {
      cache.apply([{ type: 'cluster', cluster: sampleCluster(`c${cluster}`) }]);
      for (let n = 0; n < 60; n += 1) {
        const verdict = n === 59 ? 'unhealthy' : 'converged';
        put(applier(`c${cluster}`, `o${n}`, 'c', { path: 'clusters/us/checkout', commit: fakeSha('c'), verdict }));
      }
    }
    const page = given(await commitPage(moment(), { ...asked, sha: fakeSha('c') }));
    expect(page.counts).toMatchObject({ converged: 200 * 59, stuck: 200 });
    const [first] = page.clusters;
    expect(new Set(page.clusters.map(({ objects }) => objects.length))).toEqual(new Set([26]));
    expect(first?.counts).toMatchObject({ converged: 59, stuck: 1 });
    expect(first?.objects[0]?.state).toBe('stuck');
    expect(first?.objects.at(-1)?.state).toBe('converged');
  });
});

describe('lists', () => {
  it('of commits, newest first, count the clusters that each concerns by their worst state', async () => {
    put(applier('eu', 'checkout', 'b'));
    put(applier('us', 'checkout', 'b', { verdict: 'unhealthy' }));
    put(applier('eu', 'search', 'b'));
    put(applier('ap', 'search', 'b'));
    const present = samplePresent(moment());
    const list = await answerOf(commits, present, { limit: 2 });
    expect(list.rows.map(({ sha }) => sha[0])).toEqual(['c', 'b']);
    expect(list.rows[1]?.counts).toMatchObject({ converged: 1, stuck: 1, 'not-concerned': 1 });
    expect(list).toMatchObject({
      of: { repository: 'github.com/acme/control-repo', branch: 'main' },
      nextCursor: fakeSha('b'),
    });
    const rest = await answerOf(commits, present, { limit: 2, after: fakeSha('b') });
    expect([rest.rows.length, rest.nextCursor]).toEqual([1, null]);
  });

  it('of commits are counted for 5 s: where git is slow the list comes without', async () => {
    put(applier('eu', 'checkout', 'b'));
    const known = moment();
    let now = sampleNow;
    const slow = {
      ...git,
      touches: (...given: Parameters<typeof git.touches>) => ((now += 3_000), git.touches(...given)),
    };
    const list = await answerOf(commits, samplePresent({ ...known, git: slow, now: () => now }), {});
    expect(list.rows.map(({ counts }) => counts !== null)).toEqual([true, true, false]);
  });

  it('of commits that touch a path', async () => {
    put(applier('eu', 'checkout', 'b'));
    const list = await answerOf(commits, samplePresent(moment()), { path: 'clusters/eu/checkout' });
    expect(list.rows.map(({ sha }) => sha[0])).toEqual(['b']);
  });

  it('of repositories say of each how old it is, and how many objects are built from it', async () => {
    put(applier('eu', 'checkout', 'b'));
    const list = await answerOf(repositories, samplePresent(moment()), {});
    expect(list).toMatchObject({
      reason: null,
      repositories: [{ key: 'github.com/acme/control-repo', objects: 1, state: 'current' }],
    });
    const silent = samplePresent(sampleMoment(cache, defaultPolicy, noGit('It sleeps.')));
    expect(await answerOf(repositories, silent, {})).toMatchObject({ repositories: [], reason: 'It sleeps.' });
  });

  it('of names tell which commits no mirror holds', async () => {
    put(applier('eu', 'checkout', 'b'));
    const names = await answerOf(commitNames, samplePresent(moment()), { sha: `${fakeSha('b')},${fakeSha('f')}` });
    expect([names.commits.map(({ subject }) => subject), names.unknown]).toEqual([
      ['Raise checkout (#12)'],
      [fakeSha('f')],
    ]);
  });
});
