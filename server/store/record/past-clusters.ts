import { compareText } from '#lib/domain/observation/compare-text.ts';
import type { CurrentCluster, CurrentFeed } from '#lib/domain/record/current.ts';
import type { CoveragePoint } from '#lib/domain/record/gap.ts';
import { kindKey } from '#lib/domain/observation/ref.ts';
import { kindText } from './lists.ts';

const clusterStates: ReadonlyMap<string, CurrentCluster['state']> = new Map(
  (['connecting', 'unreachable', 'unauthorized', 'misconfigured', 'declared'] as const).map((state) => [state, state]),
);

const feedStates: ReadonlyMap<string, CurrentFeed['state']> = new Map(
  (['syncing', 'silent', 'forbidden', 'absent', 'failed'] as const).map((state) => [state, state]),
);

/** Number of objects of a kind; its `name` is group/kind. */
export interface KindCount {
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly objects: number;
}

/** Part of the present record of a cluster that is said of its past as well. */
export interface PresentCluster {
  readonly labels: CurrentCluster['labels'];
  readonly declared: boolean;
  /** Tells by group/kind if a kind has namespaces. */
  readonly namespaced: ReadonlyMap<string, boolean>;
}

/** Of the present record of a cluster. */
export function presentCluster({ labels, state, feeds }: CurrentCluster): PresentCluster {
  const namespaced = new Map(feeds.map((feed) => [kindKey(feed), feed.namespaced]));
  return { labels, declared: state === 'declared', namespaced };
}

/**
 * A cluster as it stood at `at` (ms). `points`: the last state of it (kind null) and of each of its kinds by then. `kinds`: those
 * of which it had objects; where no state of one was recorded it was being observed, as everywhere in the record. `present`: null
 * where it has no record now.
 */
function pastCluster(
  name: string,
  at: number,
  points: readonly CoveragePoint[],
  kinds: readonly KindCount[],
  present: PresentCluster | null,
): CurrentCluster {
  const own = points.find((point) => point.kind === null);
  const feeds = new Map<string, CurrentFeed>();
  function put(key: string, group: string, kind: string, objects: number, point: CoveragePoint | null): void {
    const observed = point === null || point.observed;
    const lost = feedStates.get(point?.state ?? '') ?? 'silent';
    feeds.set(key, {
      group,
      kind,
      version: null,
      namespaced: present?.namespaced.get(key) ?? true,
      state: observed ? (point?.state === 'idle' ? 'idle' : 'live') : lost,
      since: point?.at ?? own?.at ?? at,
      reason: point?.reason ?? null,
      lastWordAt: observed ? at : (point?.at ?? null),
      objects,
    });
  }
  for (const point of points)
    if (point.kind !== null) {
      const { group, kind } = point.kind;
      put(kindKey({ group, kind }), group, kind, 0, point);
    }
  for (const { name: key, group, kind, objects } of kinds) {
    const found = feeds.get(key);
    if (found === undefined) put(key, group, kind, objects, null);
    else feeds.set(key, { ...found, objects });
  }

  const observed = own === undefined || own.observed;
  const lost = clusterStates.get(own?.state ?? '');
  return {
    name,
    labels: present?.labels ?? {},
    // Nobody vouched for it then: that is what `asKnownAt` makes of a live one whose time is up.
    state: own === undefined && present?.declared === true ? 'declared' : observed ? 'live' : (lost ?? 'live'),
    since: own?.at ?? at,
    reason: own?.reason ?? null,
    protocol: null,
    version: null,
    lastWordAt: observed ? at : (own?.at ?? null),
    validUntil: observed ? at + 1 : (own?.at ?? at),
    feeds: [...feeds].toSorted(([a], [b]) => compareText(a, b)).map(([, feed]) => feed),
    probes: null,
    clockAhead: null,
    unread: [],
    cautions: [],
    controllers: [],
    conflicts: [],
    conflictsTotal: 0,
    alarming: null,
  };
}

/**
 * The clusters of which anything was known at `at` (ms), by name, without those that were forgotten by then. `points`: what was known
 * of each in the order of time; `kinds`: what it had objects of; `present`: of those that have a record now.
 */
export function pastClusters(
  at: number,
  points: ReadonlyMap<string, readonly CoveragePoint[]>,
  kinds: ReadonlyMap<string, readonly KindCount[]>,
  present: ReadonlyMap<string, PresentCluster>,
): readonly CurrentCluster[] {
  return [...new Set([...points.keys(), ...kinds.keys()])].toSorted().flatMap((name) => {
    const last = lastPoints(points.get(name) ?? []);
    const forgotten = last.some(({ kind, state }) => kind === null && state === 'forgotten');
    return forgotten ? [] : [pastCluster(name, at, last, kinds.get(name) ?? [], present.get(name) ?? null)];
  });
}

/** Of each kind, and of the cluster itself, the point that comes last. */
function lastPoints(points: readonly CoveragePoint[]): readonly CoveragePoint[] {
  return [...new Map(points.map((point) => [kindText(point.kind), point])).values()];
}
