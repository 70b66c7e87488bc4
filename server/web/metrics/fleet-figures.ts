import { foreignName } from '#lib/foreign-words.ts';
import type { CurrentCluster, CurrentFeed } from '#lib/domain/record/current.ts';
import { kindKey, kindOfKey, type GroupKind } from '#lib/domain/observation/ref.ts';
import type { ClusterAsKnown } from '#lib/domain/verdict/as-known-at.ts';
import { stepOf } from '#lib/domain/alarm/check/since-step.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';

/** State of a feed as it may be told: `unobserved` where its cluster is not seen, whatever the feed said last. */
export type FeedState = CurrentFeed['state'] | 'unobserved';

/** Figures of one kind on one cluster, or of all the kinds together that have no figures of their own (`otherKinds`). */
export interface KindFigures extends GroupKind {
  /** Objects by verdict; none of those that there are none of. */
  readonly verdicts: ReadonlyMap<Verdict, number>;
  /** The same but for what is as in git, or suspended, by the step in which it left git (`stepOf`); null: all steps before those. */
  readonly since: ReadonlyMap<Verdict, ReadonlyMap<number | null, number>>;
  /** Feeds by state: one feed, but of `otherKinds`. */
  readonly feeds: ReadonlyMap<FeedState, number>;
  /** When something was received last (ms); of several feeds the longest ago; null where nothing ever was. */
  readonly lastWordAt: number | null;
}

/** Figures of one cluster, as it may be told now. Times in ms since the epoch. */
export interface ClusterFigures {
  /** As it is configured, in letters that everybody sees. */
  readonly name: string;
  readonly state: ClusterAsKnown['state'];
  readonly since: number;
  readonly lastWordAt: number | null;
  readonly kinds: readonly KindFigures[];
}

/** The name under which kinds are counted together: those that are left over, and those whose names Kubernetes would not take. */
export const otherKinds: GroupKind = { group: 'other', kind: 'other' };

/** Bounds of the figures: kinds that are counted by themselves, pairs of cluster and kind, and counts by steps of all together. */
interface Bounds {
  readonly kinds: number;
  readonly pairs: number;
  readonly steps: number;
}

/** Verdicts by kind and steps of one cluster. */
interface CountedKind {
  readonly verdicts: Map<Verdict, number>;
  readonly since: Map<Verdict, Map<number, number>>;
}

const groupName = /^[a-z0-9][a-z0-9.-]{0,252}$|^$/;
const kindName = /^[A-Za-z][A-Za-z0-9]{0,62}$/;

/** Makes the counter of a fleet; what has not changed on a cluster is not counted again. Kinds with the most objects are counted by themselves. */
export function fleetFigures(bounds: Bounds = { kinds: 200, pairs: 10_000, steps: 20_000 }) {
  const counted = new WeakMap<KnownCluster, ReadonlyMap<string, CountedKind>>();

  function countedOf(cluster: KnownCluster): ReadonlyMap<string, CountedKind> {
    const found = counted.get(cluster) ?? countedKinds(cluster);
    counted.set(cluster, found);
    return found;
  }

  return (
    clusters: readonly KnownCluster[],
    recordOf: (cluster: string) => Pick<CurrentCluster, 'lastWordAt'> | null,
  ): readonly ClusterFigures[] => {
    const most = Math.min(bounds.kinds, Math.floor(bounds.pairs / Math.max(1, clusters.length)));
    const named = namedKinds(clusters, countedOf, most);
    const counts = clusters.map((cluster) => kindsOf(cluster, countedOf(cluster), named));
    const steps = stepsKept(counts.flat(), bounds.steps);
    return clusters.map((cluster, at) => ({
      name: foreignName(cluster.name),
      state: cluster.known.state,
      since: cluster.known.since,
      lastWordAt: recordOf(cluster.name)?.lastWordAt ?? null,
      kinds: (counts[at] ?? []).map((kind) => ({ ...kind, since: newestSteps(kind, steps) })),
    }));
  };
}

/** Verdicts that are no reason to call anybody. */
const unalarmed: ReadonlySet<Verdict> = new Set(['converged', 'suspended']);

function countedKinds({ objects }: KnownCluster): ReadonlyMap<string, CountedKind> {
  const kinds = new Map<string, CountedKind>();
  for (const object of objects) {
    const { ref, verdict } = object;
    const key = kindKey(ref);
    const { verdicts, since } = kinds.get(key) ?? { verdicts: new Map(), since: new Map() };
    kinds.set(key, { verdicts: verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1), since });
    if (unalarmed.has(verdict)) continue;
    const steps = since.get(verdict) ?? new Map<number, number>();
    const start = stepOf(object);
    since.set(verdict, steps.set(start, (steps.get(start) ?? 0) + 1));
  }
  return kinds;
}

/** Steps that are told one by one of a kind on a cluster and a verdict, the newest: the first of these with which all together are not too many. */
const mostSteps = [24, 4, 1, 0] as const;

function stepsKept(kinds: readonly CountedKind[], most: number): number {
  const lengths = kinds.flatMap(({ since }) => Array.from(since.values(), ({ size }) => size));
  return mostSteps.find((kept) => lengths.reduce((sum, length) => sum + Math.min(length, kept + 1), 0) <= most) ?? 0;
}

function newestSteps({ since }: CountedKind, kept: number): KindFigures['since'] {
  return new Map(
    Array.from(since, ([verdict, steps]) => {
      const sorted = [...steps].toSorted(([a], [b]) => b - a);
      const before = sorted.slice(kept).reduce((sum, [, count]) => sum + count, 0);
      const told: (readonly [number | null, number])[] = sorted.slice(0, kept);
      return [verdict, new Map(before > 0 ? [...told, [null, before]] : told)];
    }),
  );
}

/** The keys of at most `most` kinds: of those with the most objects on all clusters, by key where they have as many. */
function namedKinds(
  clusters: readonly KnownCluster[],
  countedOf: (cluster: KnownCluster) => ReadonlyMap<string, CountedKind>,
  most: number,
): ReadonlySet<string> {
  const objects = new Map<string, number>();
  for (const cluster of clusters) {
    for (const feed of cluster.feeds) objects.set(kindKey(feed), objects.get(kindKey(feed)) ?? 0);
    for (const [key, { verdicts }] of countedOf(cluster))
      for (const count of verdicts.values()) objects.set(key, (objects.get(key) ?? 0) + count);
  }
  const usable = [...objects].filter(([key]) => {
    const { group, kind } = kindOfKey(key);
    return groupName.test(group) && kindName.test(kind);
  });
  const sorted = usable.toSorted(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
  return new Set(sorted.slice(0, most).map(([key]) => key));
}

interface Draft extends CountedKind {
  readonly feeds: Map<FeedState, number>;
  lastWordAt: number | null;
}

function kindsOf(
  { known, feeds }: KnownCluster,
  counted: ReadonlyMap<string, CountedKind>,
  named: ReadonlySet<string>,
): readonly (GroupKind & Draft)[] {
  const drafts = new Map<string, Draft>();
  const other = kindKey(otherKinds);

  function draftOf(key: string): Draft {
    const own = named.has(key) ? key : other;
    const draft = drafts.get(own) ?? { verdicts: new Map(), since: new Map(), feeds: new Map(), lastWordAt: null };
    drafts.set(own, draft);
    return draft;
  }

  for (const [key, { verdicts, since }] of counted) {
    const draft = draftOf(key);
    addUp(draft.verdicts, verdicts);
    for (const [verdict, steps] of since) {
      const sum = draft.since.get(verdict) ?? new Map<number, number>();
      draft.since.set(verdict, sum);
      addUp(sum, steps);
    }
  }
  for (const feed of feeds) {
    // A kind that is served and of which there is nothing is looked at in turn: there may be thousands.
    if (feed.state === 'idle' || feed.state === 'absent') continue;
    const draft = draftOf(kindKey(feed));
    const state = known.state === 'live' ? feed.state : 'unobserved';
    draft.feeds.set(state, (draft.feeds.get(state) ?? 0) + 1);
    if (feed.lastWordAt !== null) draft.lastWordAt = Math.min(draft.lastWordAt ?? Infinity, feed.lastWordAt);
  }
  return [...drafts].map(([key, draft]) => ({ ...kindOfKey(key), ...draft }));
}

function addUp<Key>(sum: Map<Key, number>, counts: ReadonlyMap<Key, number>): void {
  for (const [key, count] of counts) sum.set(key, (sum.get(key) ?? 0) + count);
}
