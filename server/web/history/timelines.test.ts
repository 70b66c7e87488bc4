import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { describe, expect, it } from 'vitest';
import { HistoryQuery, type WireHistory } from '#lib/api/history.ts';
import type { Transition } from '#lib/domain/record/current.ts';
import type { EarlierSpan } from '#lib/domain/record/span.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { CoverageChange } from '#server/store/port/port.ts';
import { readRecord } from '#server/store/record/record.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import { goodCommit, sampleNow, sampleObject, sampleRef, type SampleRef } from '../testing/sample.ts';
import { knownCluster } from '../testing/moment.ts';
import { historyCsv } from './history-csv.ts';
import { clustersOf, groupsOf, scopesOf } from './record-scope.ts';
import { timelines } from './timelines.ts';

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
  readonly known?: readonly KnownObject[];
  readonly clusters?: readonly string[];
  readonly earlier?: readonly EarlierSpan[];
}

async function ask(query: Partial<HistoryQuery>, world: World): Promise<WireHistory> {
  const { transitions, coverage = [covered(300, true)], known = [], clusters = ['eu-west-3'], earlier = [] } = world;
  const fleet: KnownCluster[] = clusters.map((name) =>
    knownCluster(
      name,
      known.filter(({ ref }) => ref.cluster === name),
    ),
  );
  const whole = { ...HistoryQuery.parse({}), ...query };
  const record = readRecord({
    transitions: transitions.toSorted((a, b) => a.noticedAt - b.noticedAt),
    coverage,
    earlier,
  });
  return timelines({
    record,
    query: whole,
    scopes: scopesOf(whole, await groupsOf(whole, fleet, record, sampleNow), clustersOf(whole)),
    period: { from: ago(100), to: sampleNow },
    clusters: fleet,
    find: (ref) => known.find((object) => object.ref.name === ref.name && object.ref.cluster === ref.cluster) ?? null,
    context: { now: sampleNow },
  });
}

/** "100 converged", "40 diverged BuildFailed": the rows of a lane, from how many minutes ago on; of several objects how many. */
function lane(history: WireHistory, index = 0): string[] {
  const { rows = [], objects: all = 0 } = history.lanes[index] ?? {};
  return rows.map(({ from, state, objects, of, steady, reason }) => {
    const minutes = (sampleNow - Date.parse(from)) / minute;
    const reach = all > 1 ? `${steady ? '' : 'at most '}${objects} of ${of}` : '';
    return [minutes, state, reason ?? '', reach].filter((part) => part !== '').join(' ');
  });
}

/** Lane as it is drawn: "50 9 changes: unhealthy 52 %, converged 48 %". */
function drawn(history: WireHistory, index = 0): string[] {
  return (history.lanes[index]?.marks ?? []).map(({ from, changes, shares }) => {
    const minutes = (sampleNow - Date.parse(from)) / minute;
    const parts = shares.map(({ state, share }) => (share === 1 ? state : `${state} ${Math.round(share * 100)} %`));
    return `${minutes} ${changes === 0 ? '' : `${changes} changes: `}${parts.join(', ')}`;
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
      record: readRecord({ transitions: [change(checkout, 200, 'converged')], coverage: [covered(300, true)] }),
      query: HistoryQuery.parse(one),
      scopes: scopesOf(HistoryQuery.parse(one), [one.group], clustersOf(HistoryQuery.parse(one))),
      period: { from: ago(100), to: ago(50) },
      clusters: [knownCluster('eu-west-3', known)],
      find: () => known[0] ?? null,
      context: { now: sampleNow },
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

  describe('where it came and went every five minutes, and everything is too short for its width', () => {
    const flapping = Array.from({ length: 20 }, (_, n) =>
      change(checkout, 50 - n / 100, n % 2 === 0 ? 'diverged' : 'converged', { reason: `r${n}` }),
    );
    const world = { transitions: [change(checkout, 200, 'converged'), ...flapping] };
    const at = (n: number): string => new Date(ago(50 - n / 100)).toISOString();

    it('draws one mark of both, never solid', async () => {
      const history = await ask({ ...one, width: 100 }, world);
      expect(drawn(history)).toEqual([
        '100 converged',
        '50 18 changes: diverged 53 %, converged 47 %',
        '49.81 converged',
      ]);
      expect(history.lanes[0]?.marks[1]).toMatchObject({ at: at(0), reason: null, commit: null, onset: null });
    });

    it('has in its table every one of them, to the millisecond, whatever the width', async () => {
      const history = await ask({ ...one, width: 100 }, world);
      const { rows = [], rowsTotal } = history.lanes[0] ?? {};
      expect(rowsTotal).toBe(21);
      expect(rows.map(({ from, to, state, reason }) => [from, to, state, reason]).slice(1, 4)).toEqual([
        [at(0), at(1), 'diverged', 'r0'],
        [at(1), at(2), 'converged', 'r1'],
        [at(2), at(3), 'diverged', 'r2'],
      ]);
      expect(rows.findLast(({ state }) => state === 'diverged')).toMatchObject({ from: at(18), to: at(19) });
    });

    it('has the newest of them where not all are asked for, and says how many there are', async () => {
      const history = await ask({ ...one, rows: 2 }, world);
      expect(history.lanes[0]).toMatchObject({ rows: [{ from: at(18) }, { from: at(19) }], rowsTotal: 21 });
    });

    it('is all in the file', async () => {
      const query = HistoryQuery.parse({ ...one, rows: 0 });
      const lines: string[] = [];
      for await (const piece of historyCsv(query, (page) => ask(page, world)))
        lines.push(...piece.split('\r\n').filter(Boolean));
      expect(lines).toHaveLength(22);
      expect(lines[0]).toBe('cluster,lane,state,from,to,milliseconds,objects,of,steady,reason,commit,onset,bound');
      expect(lines[2]).toBe(
        `eu-west-3,kustomize.toolkit.fluxcd.io/Kustomization/flux-system/checkout,diverged,${at(0)},${at(1)},600,1,1,true,r0,${goodCommit},,`,
      );
    });
  });

  it('leads from what is gathered to when the worst of it began: not to before it was there', async () => {
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
    expect(drawn(history)).toEqual([
      '100 not-recorded',
      '50 2 changes: diverged 20 %, progressing 40 %, absent 40 %',
      '47.5 converged',
    ]);
    expect(history.lanes[0]?.marks[1]?.at).toBe(new Date(ago(48)).toISOString());
    expect(lane(history)).toEqual([
      '100 not-recorded',
      '50 absent',
      '49 progressing',
      '48 diverged BuildFailed',
      '47.5 converged',
    ]);
  });

  it('is nothing where nothing is recorded', async () => {
    const history = await ask(one, { transitions: [], coverage: [] });
    expect(history).toMatchObject({ lanes: [], total: 0, recordedSince: null, by: 'object' });
  });
});

describe('what the reconciler tells of the time before', () => {
  const span = {
    uid: 'u',
    from: ago(400),
    to: ago(390),
    good: true,
    status: 'ReconciliationSucceeded',
    revision: null,
  };
  const cluster = 'eu-west-3';
  const namespace = sampleRef({ name: 'checkout' }).namespace;

  it.each<[what: string, query: Partial<HistoryQuery>, count: number]>([
    ['stands beside the timeline of one object', { cluster, kind: 'Kustomization', namespace, name: 'checkout' }, 1],
    ['does not where its name is not asked for', { cluster, kind: 'Kustomization', namespace }, 0],
    ['does not where its namespace is not asked for', { cluster, kind: 'Kustomization', name: 'checkout' }, 0],
    ['does not beside the timelines of clusters', { kind: 'Kustomization', namespace, name: 'checkout' }, 0],
  ])('%s', async (_what, query, count) => {
    const ref = sampleRef({ name: 'checkout' });
    const world = { transitions: [change({ name: 'checkout' }, 200, 'converged')], earlier: [{ ...span, ref }] };
    expect((await ask(query, world)).earlier).toHaveLength(count);
  });
});

describe('the column "lane" of the file', () => {
  const group = 'kustomize.toolkit.fluxcd.io';
  const world: World = {
    transitions: ['web', 'mail']
      .flatMap((name) => change({ name }, 200, 'converged'))
      .concat(change({ name: 'web', cluster: 'stg-eu' }, 200, 'converged')),
    coverage: [covered(300, true), covered(300, true, { cluster: 'stg-eu' })],
    clusters: ['eu-west-3', 'stg-eu'],
  };

  it.each([
    [{ group, kind: 'Kustomization' }, ['eu-west-3,', 'stg-eu,']],
    [{ group, kind: 'Kustomization', name: 'web' }, ['eu-west-3,', 'stg-eu,']],
    [{ cluster: 'stg-eu' }, ['stg-eu,kustomize.toolkit.fluxcd.io/Kustomization']],
    [
      { cluster: 'stg-eu', group, kind: 'Kustomization' },
      ['stg-eu,kustomize.toolkit.fluxcd.io/Kustomization/flux-system/web'],
    ],
  ])('of %o names a kind or an object of the cluster, and is empty for all of the cluster', async (query, lanes) => {
    let text = '';
    for await (const piece of historyCsv(HistoryQuery.parse(query), (page) => ask(page, world))) text += piece;
    const lines = text.split('\r\n').filter(Boolean).slice(1);
    expect(lines.map((line) => line.split(',').slice(0, 2).join())).toEqual(lanes);
  });
});

describe('the timelines of a cluster', () => {
  it('draw one bad object of many as high as its share, with the others beside it', async () => {
    const names = Array.from({ length: 50 }, (_, n) => ({ name: `k${n}` }));
    const history = await ask(
      { cluster: 'eu-west-3' },
      { transitions: [...names.map((ref) => change(ref, 200, 'converged')), change({ name: 'k7' }, 40, 'diverged')] },
    );
    expect(drawn(history)).toEqual(['100 converged', '40 diverged 2 %, converged 98 %']);
    expect(lane(history)).toEqual(['100 converged 50 of 50', '40 diverged 1 of 50']);
  });

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
    expect(lane(history)).toEqual(['100 converged 2 of 2', '60 diverged at most 2 of 2', '20 stale 1 of 2']);
    expect(drawn(history)).toEqual([
      '100 converged',
      '60 diverged 50 %, converged 50 %',
      '50 diverged',
      '30 diverged 50 %, converged 50 %',
      '20 stale 50 %, converged 50 %',
    ]);
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

  it('come page by page', async () => {
    const clusters = ['a', 'b', 'c'];
    const transitions = clusters.map((cluster) => change({ ...checkout, cluster }, 200, 'converged'));
    const known = clusters.map((cluster) => sampleObject({ ...checkout, cluster }));
    const page = async (cursor: string) => {
      const query = { kind: 'Kustomization', name: 'checkout', limit: 2, cursor };
      const { lanes, total, nextCursor } = await ask(query, { transitions, known, clusters });
      return [lanes.map(({ title }) => title).join(' '), total, nextCursor];
    };
    expect([await page(''), await page('2')]).toEqual([
      ['a b', 3, '2'],
      ['c', 3, null],
    ]);
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
