import { describe, expect, it } from 'vitest';
import { HistoryQuery, type WireHistory } from '#lib/api/history.ts';
import type { CurrentObject, Transition } from '#lib/domain/current.ts';
import type { Verdict } from '#lib/domain/verdict.ts';
import type { CoverageChange } from '#server/store/port.ts';
import { plainRecord } from '#test/contract/plain-record.ts';
import type { KnownCluster } from '../picture/known-cluster.ts';
import { goodCommit, sampleNow, sampleObject, sampleRef, type SampleRef } from '../testing/sample.ts';
import { knownCluster } from '../testing/known.ts';
import { timelines } from './timelines.ts';

const minute = 60_000;
const ago = (minutes: number): number => sampleNow - minutes * minute;

function change(ref: SampleRef, minutes: number, to: Verdict | null, part: Partial<Transition> = {}): Transition {
  return {
    ref: sampleRef(ref),
    uid: 'u',
    at: ago(minutes),
    bound: 'exact',
    noticedAt: ago(minutes),
    from: null,
    to,
    reason: to === 'diverged' ? 'BuildFailed' : '',
    message: '',
    commit: goodCommit,
    attempted: null,
    rootCause: null,
    ...part,
  };
}

function covered(minutes: number, observed: boolean, part: Partial<CoverageChange> = {}): CoverageChange {
  const [state, reason] = observed ? ['live', null] : ['unreachable', 'no route'];
  return { cluster: 'eu-west-3', kind: null, at: ago(minutes), observed, state, reason, ...part };
}

interface World {
  readonly transitions: readonly Transition[];
  readonly coverage?: readonly CoverageChange[];
  readonly known?: readonly CurrentObject[];
  readonly clusters?: readonly string[];
}

function ask(query: Partial<HistoryQuery>, world: World): Promise<WireHistory> {
  const { transitions, coverage = [covered(300, true)], known = [], clusters = ['eu-west-3'] } = world;
  const fleet: KnownCluster[] = clusters.map((name) =>
    knownCluster(
      name,
      known.filter(({ ref }) => ref.cluster === name),
    ),
  );
  return timelines({
    record: plainRecord({ transitions: transitions.toSorted((a, b) => a.noticedAt - b.noticedAt), coverage }),
    query: HistoryQuery.parse(query),
    period: { from: ago(100), to: sampleNow },
    fleet,
    find: (ref) => known.find((object) => object.ref.name === ref.name && object.ref.cluster === ref.cluster) ?? null,
    now: sampleNow,
  });
}

/** "100 converged, 40 diverged BuildFailed": from how many minutes ago on. */
function lane(history: WireHistory, index = 0): string[] {
  return (history.lanes[index]?.marks ?? []).map(({ from, state, events, objects, reason }) => {
    const minutes = (sampleNow - Date.parse(from)) / minute;
    return [minutes, state, events > 1 ? `${events} events` : '', objects > 1 ? `of ${objects}` : '', reason ?? '']
      .filter((part) => part !== '')
      .join(' ');
  });
}

const checkout = { name: 'checkout' };
const one = {
  cluster: 'eu-west-3',
  group: 'kustomize.toolkit.fluxcd.io',
  kind: 'Kustomization',
  namespace: 'flux-system',
  name: 'checkout',
};

describe('the timeline of one object', () => {
  it('is its spans, with what was not seen laid over, and the reason of each', async () => {
    const history = await ask(one, {
      transitions: [change(checkout, 200, 'converged'), change(checkout, 40, 'diverged')],
      coverage: [covered(300, true), covered(60, false), covered(20, true)],
    });
    expect(lane(history)).toEqual(['100 converged', '60 unobserved no route', '20 diverged BuildFailed']);
    expect(history.lanes[0]).toMatchObject({ existed: 100 * minute, observed: 60 * minute, converged: 40 * minute });
  });

  it('begins with the record, is empty while it was not there, and ends when it went', async () => {
    const history = await ask(one, {
      transitions: [change(checkout, 70, 'converged'), change(checkout, 30, null)],
      coverage: [covered(90, true)],
    });
    expect(lane(history)).toEqual(['100 not-recorded', '90 absent', '70 converged', '30 absent']);
    expect(history.lanes[0]?.existed).toBe(40 * minute);
  });

  it('ends as it is known now where its last word has outlived its proof: nothing stays green', async () => {
    const onset = { time: ago(10), bound: 'exact' as const, noticedAt: ago(10) };
    const history = await ask(one, {
      transitions: [change(checkout, 200, 'converged')],
      known: [sampleObject(checkout, { verdict: 'stale', onset })],
    });
    expect(lane(history)).toEqual(['100 converged', '10 stale']);
    expect(history.lanes[0]?.converged).toBe(90 * minute);
  });

  it('does not take what is known now for what was known in a period that has ended', async () => {
    const known = [
      sampleObject(checkout, { verdict: 'stale', onset: { time: ago(90), bound: 'exact', noticedAt: 0 } }),
    ];
    const history = await timelines({
      record: plainRecord({ transitions: [change(checkout, 200, 'converged')], coverage: [covered(300, true)] }),
      query: HistoryQuery.parse(one),
      period: { from: ago(100), to: ago(50) },
      fleet: [knownCluster('eu-west-3', known)],
      find: () => known[0] ?? null,
      now: sampleNow,
    });
    expect(lane(history)).toEqual(['100 converged']);
  });

  it('tells of an onset that was known only later, and since when at least', async () => {
    const history = await ask(one, {
      transitions: [change(checkout, 50, 'diverged', { at: ago(80), bound: 'at-least' })],
    });
    expect(history.lanes[0]?.marks.at(-1)?.onset).toEqual({
      time: new Date(ago(80)).toISOString(),
      bound: 'at-least',
    });
  });

  it('gathers what is too short for its width, and says how many', async () => {
    const flapping = Array.from({ length: 20 }, (_, n) =>
      change(checkout, 50 - n / 100, n % 2 === 0 ? 'unhealthy' : 'converged'),
    );
    const history = await ask(
      { ...one, width: 100 },
      { transitions: [change(checkout, 200, 'converged'), ...flapping] },
    );
    expect(lane(history)).toEqual(['100 converged', '50 unhealthy 10 events', '49.81 converged']);
    expect(history.lanes[0]?.marks[1]?.at).toBe(new Date(ago(50)).toISOString());
  });

  it('names what is gathered by the worst of it, and leads to when that began: not to before it was there', async () => {
    const history = await ask(
      { ...one, width: 100 },
      {
        transitions: [
          change(checkout, 49, 'progressing'),
          change(checkout, 48, 'diverged'),
          change(checkout, 47.5, 'converged'),
        ],
        coverage: [covered(50, true)],
      },
    );
    expect(lane(history)).toEqual(['100 not-recorded', '50 diverged 2 events BuildFailed', '47.5 converged']);
    expect(history.lanes[0]?.marks[1]?.at).toBe(new Date(ago(48)).toISOString());
  });

  it('is nothing where nothing is recorded', async () => {
    const history = await ask(one, { transitions: [], coverage: [] });
    expect(history).toMatchObject({ lanes: [], total: 0, recordedSince: null, by: 'object' });
  });
});

describe('the timelines of a cluster', () => {
  it('are one lane a kind, at every moment the worst of its objects; least converged first', async () => {
    const other = { name: 'web' };
    const source = { group: 'source.toolkit.fluxcd.io', kind: 'GitRepository', name: 'control' };
    const history = await ask(
      { cluster: 'eu-west-3' },
      {
        transitions: [
          change(source, 200, 'converged'),
          change(checkout, 200, 'converged'),
          change(other, 200, 'converged'),
          change(checkout, 60, 'diverged'),
          change(other, 50, 'diverged'),
          change(checkout, 30, 'converged'),
          change(other, 20, 'stale'),
        ],
      },
    );
    expect(history.lanes.map(({ title, note, history: to }) => [title, note, to])).toEqual([
      ['Kustomization', '2 objects', '/history?cluster=eu-west-3&group=kustomize.toolkit.fluxcd.io&kind=Kustomization'],
      ['GitRepository', '1 object', '/history?cluster=eu-west-3&group=source.toolkit.fluxcd.io&kind=GitRepository'],
    ]);
    expect(lane(history)).toEqual(['100 converged of 2', '60 diverged', '50 diverged of 2', '30 diverged', '20 stale']);
  });

  it('tell two kinds of one name apart', async () => {
    const groups = ['source.toolkit.fluxcd.io', 's3.aws.upbound.io'];
    const history = await ask(
      { cluster: 'eu-west-3' },
      { transitions: groups.map((group) => change({ group, kind: 'Bucket', name: 'media' }, 200, 'converged')) },
    );
    expect(history.lanes.map(({ title }) => title)).toEqual([
      'Bucket.s3.aws.upbound.io',
      'Bucket.source.toolkit.fluxcd.io',
    ]);
  });

  it('are one lane an object of a kind, the least converged first, page by page', async () => {
    const transitions = ['a', 'b', 'c'].flatMap((name, n) => [
      change({ name }, 200, 'converged'),
      change({ name }, 10 + n, 'stale'),
    ]);
    const query = { cluster: 'eu-west-3', kind: 'Kustomization', limit: 2 };
    const known = [sampleObject({ name: 'a' })];
    const first = await ask(query, { transitions, known });
    expect(first.lanes.map(({ title }) => title)).toEqual(['c', 'b']);
    expect(first).toMatchObject({ total: 3, nextCursor: '2' });
    const next = await ask({ ...query, cursor: '2' }, { transitions, known });
    expect(next.lanes.map(({ title }) => title)).toEqual(['a']);
    expect(next.nextCursor).toBeNull();
  });
});

describe('the timelines of a column', () => {
  it('are one lane a cluster, by name; an object that stands for its cluster leads to its page', async () => {
    const query = { kind: 'Kustomization', name: 'checkout' };
    const transitions = ['us-east-1', 'eu-west-3'].map((cluster) => change({ ...checkout, cluster }, 200, 'converged'));
    const history = await ask(query, {
      transitions: [...transitions, change({ ...checkout, cluster: 'us-east-1' }, 20, 'diverged')],
      coverage: [covered(300, true), covered(300, true, { cluster: 'us-east-1' })],
      known: [sampleObject(checkout)],
      clusters: ['us-east-1', 'eu-west-3', 'empty'],
    });
    expect(history.lanes.map(({ title, note, href }) => [title, note, href])).toEqual([
      ['eu-west-3', '', '/clusters/eu-west-3/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/checkout'],
      ['us-east-1', '', '/clusters/us-east-1/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/checkout'],
    ]);
    expect(lane(history, 1)).toEqual(['100 converged', '20 diverged BuildFailed']);
  });
});

describe('too much for one answer', () => {
  it('begins later, and says so; what is shown is all of what it names', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `k${n}`);
    const transitions = names.flatMap((name) =>
      Array.from({ length: 1000 }, (_, n) =>
        change({ name }, 100 - n / 10, n % 2 === 0 ? 'converged' : 'stale', { noticedAt: ago(100 - n / 10) }),
      ),
    );
    const history = await ask({ cluster: 'eu-west-3' }, { transitions });
    expect(Date.parse(history.askedFrom)).toBe(ago(100));
    const from = Date.parse(history.from);
    expect(from).toBeGreaterThan(ago(60));
    expect(from).toBeLessThan(ago(20));
    expect(history.lanes[0]).toMatchObject({ objects: 40, existed: 40 * (sampleNow - from) });
  });
});
