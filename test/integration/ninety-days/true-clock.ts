// The wall clock of a period, computed from the script of a past by taking away what was not so.
import type { ObjectPast, Script } from '#server/simulator/past/script.ts';
import { lengthOfAny, within, without, type Stretch } from './stretches.ts';
import { awayWords, blindTo, countOf, knownOf, leastOf, spanOf, objectsIn, type TrueScope } from './truth.ts';

/** Time on the clock (ms). */
interface TrueTime {
  readonly awayMs: number;
  readonly observedMs: number;
}

/** The appliers of one kind and name, on so many clusters. */
interface TrueApplication {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly clusters: number;
  readonly wall: TrueTime;
}

const listed = 10;
const noKind = { group: '', kind: '' };

/** When an object was seen to be away. */
function seenAway(script: Script, past: ObjectPast, period: Stretch): readonly Stretch[] {
  const there = past.spans.flatMap((span) => within(spanOf(span), period) ?? []);
  const seen = without(there, blindTo(script, past.object.ref));
  return knownOf(past)
    .filter(({ stage }) => awayWords.has(stage.verdict))
    .flatMap((known) => seen.flatMap((piece) => within(piece, known) ?? []));
}

/** When a cluster was observed, and a kind there. */
function watched(script: Script, cluster: string, kind: TrueScope['kind'], period: Stretch): readonly Stretch[] {
  const recorded = within(period, { from: script.from, to: Infinity });
  return recorded === null ? [] : without([recorded], blindTo(script, { cluster, ...(kind ?? noKind) }));
}

/** Time for which any of these objects was away, and for which any of these clusters was observed with a kind (null: at all). */
function timeOf(
  script: Script,
  objects: readonly ObjectPast[],
  clusters: readonly string[],
  kind: TrueScope['kind'],
  period: Stretch,
): TrueTime {
  const away = objects.flatMap((past) => seenAway(script, past, period));
  const observed = clusters.flatMap((cluster) => watched(script, cluster, kind, period));
  return { awayMs: lengthOfAny(away, period), observedMs: lengthOfAny(observed, period) };
}

/** The clock of one cluster. */
export function clockOf(script: Script, scope: TrueScope, period: Stretch, cluster: string): TrueTime {
  return timeOf(script, objectsIn(script, { ...scope, clusters: [cluster] }), [cluster], scope.kind, period);
}

/** The clock of all that is asked about, and how its clusters fared. */
export function wallOf(script: Script, scope: TrueScope, period: Stretch) {
  const clusters = script.clusters.filter((cluster) => scope.clusters?.includes(cluster) ?? true);
  const fleet = timeOf(script, objectsIn(script, scope), clusters, scope.kind, period);
  const seen = clusters
    .map((cluster) => clockOf(script, scope, period, cluster))
    .filter(({ observedMs }) => observedMs > 0);
  const away = seen.map(({ awayMs }) => awayMs).toSorted((a, b) => a - b);
  return {
    ...fleet,
    awayShare: fleet.observedMs === 0 ? null : fleet.awayMs / (period.to - period.from),
    clusters: {
      observed: seen.length,
      neverAway: away.filter((time) => time === 0).length,
      medianAwayMs: leastOf(away, 50),
    },
  };
}

/** The applications that were away longest, the longest first; of equals the first by name. */
export function applicationsOf(script: Script, scope: TrueScope, period: Stretch): readonly TrueApplication[] {
  const appliers = objectsIn(script, scope).filter(({ object }) => object.role === 'applier');
  const named = Map.groupBy(appliers, ({ object: { ref } }) => `${ref.group}/${ref.kind}/${ref.name}`);
  return [...named]
    .map(([key, of]) => {
      const [group = '', kind = '', name = ''] = key.split('/');
      const there = of.filter((past) => countOf([past], period) > 0).map(({ object }) => object.ref.cluster);
      const clusters = [...new Set(there)];
      const wall = timeOf(script, of, clusters, { group, kind }, period);
      return { key, one: { group, kind, name, clusters: clusters.length, wall } };
    })
    .filter(({ one }) => one.wall.awayMs > 0)
    .toSorted((a, b) => b.one.wall.awayMs - a.one.wall.awayMs || (a.key < b.key ? -1 : 1))
    .slice(0, listed)
    .map(({ one }) => one);
}
