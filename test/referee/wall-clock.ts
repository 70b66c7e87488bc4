import { z } from 'zod';
import { away, objectsIn, spreadOf, type Scope } from './own-count.ts';
import type { CoverageRow, ObjectRows, RecordRows } from './rows.ts';
import { isSeen, knownOf, type Between } from './stretches.ts';

/** Time on the clock (ms): while anything was away, and while anything was watched. */
export const Wall = z.object({ awayMs: z.number(), observedMs: z.number() });
export type Wall = z.infer<typeof Wall>;

export const FleetWall = Wall.extend({
  awayShare: z.number().nullable(),
  clusters: z.object({ observed: z.number(), neverAway: z.number(), medianAwayMs: z.number().nullable() }),
});

export const Application = z.object({
  group: z.string(),
  kind: z.string(),
  name: z.string(),
  clusters: z.number(),
  wall: Wall,
});

/** Kinds that apply something from git, as "group/kind". */
const appliers: ReadonlySet<string> = new Set([
  'kustomize.toolkit.fluxcd.io/Kustomization',
  'helm.toolkit.fluxcd.io/HelmRelease',
  'argoproj.io/Application',
  'infra.contrib.fluxcd.io/Terraform',
  'pulumi.com/Stack',
]);

const listed = 10;

/** Time for which at least one of some stretches lasted (ms). */
function anyOf(stretches: readonly Between[]): number {
  let [sum, until] = [0, -Infinity];
  for (const { from, to } of stretches.toSorted((a, b) => a.from - b.from)) {
    sum += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return sum;
}

function awayTimes(objects: readonly ObjectRows[], rows: RecordRows, period: Between): readonly Between[] {
  return objects.flatMap((object) => knownOf(object, rows, period).filter(({ state }) => away.has(state)));
}

/** When a cluster was watched, since its first row; where a kind is asked about ("group/kind"), when that was there too. */
function watched(points: readonly CoverageRow[], kind: string | null, period: Between): readonly Between[] {
  const begun = Math.min(...points.map(({ at }) => at));
  const edges = [period.from, begun, ...points.map(({ at }) => at), period.to]
    .filter((at) => at >= Math.max(begun, period.from) && at <= period.to)
    .toSorted((a, b) => a - b);
  return edges
    .map((from, index) => ({ from, to: edges[index + 1] ?? from }))
    .filter(({ from, to }) => from < to && isSeen(points, kind, from));
}

function wallOf(
  objects: readonly ObjectRows[],
  clusters: readonly string[],
  kind: string | null,
  rows: RecordRows,
  period: Between,
): Wall {
  const seen = clusters.flatMap((cluster) => watched(rows.coverage.get(cluster) ?? [], kind, period));
  return { awayMs: anyOf(awayTimes(objects, rows, period)), observedMs: anyOf(seen) };
}

function kindOf({ kind }: Scope): string | null {
  return kind ? `${kind.group}/${kind.kind}` : null;
}

/** The clock of one cluster. */
export function countClusterWall(rows: RecordRows, scope: Scope, period: Between, cluster: string): Wall {
  const own = objectsIn(rows, scope).filter(({ ref }) => ref.cluster === cluster);
  return wallOf(own, [cluster], kindOf(scope), rows, period);
}

/** The clock of all that is asked about, and how its clusters fared. */
export function countFleetWall(rows: RecordRows, scope: Scope, period: Between): z.infer<typeof FleetWall> {
  const clusters = [...rows.coverage.keys()].filter((cluster) => scope.clusters?.includes(cluster) ?? true);
  const fleet = wallOf(objectsIn(rows, scope), clusters, kindOf(scope), rows, period);
  const each = clusters
    .map((cluster) => countClusterWall(rows, scope, period, cluster))
    .filter(({ observedMs }) => observedMs > 0);
  return {
    ...fleet,
    awayShare: fleet.observedMs === 0 ? null : fleet.awayMs / (period.to - period.from),
    clusters: {
      observed: each.length,
      neverAway: each.filter(({ awayMs }) => awayMs === 0).length,
      medianAwayMs: spreadOf(each.map(({ awayMs }) => awayMs)).medianMs,
    },
  };
}

/** The applications that were away longest: appliers of one kind and name, on whichever clusters. */
export function countApplications(
  rows: RecordRows,
  scope: Scope,
  period: Between,
): readonly z.infer<typeof Application>[] {
  const applying = objectsIn(rows, scope).filter(({ ref }) => appliers.has(`${ref.group}/${ref.kind}`));
  const named = Map.groupBy(applying, ({ ref }) => `${ref.group}/${ref.kind}/${ref.name}`);
  return [...named]
    .map(([key, of]) => {
      const [group = '', kind = '', name = ''] = key.split('/');
      const there = of.filter((object) => knownOf(object, rows, period).length > 0).map(({ ref }) => ref.cluster);
      const clusters = [...new Set(there)];
      const wall = wallOf(of, clusters, `${group}/${kind}`, rows, period);
      return { key, one: { group, kind, name, clusters: clusters.length, wall } };
    })
    .filter(({ one }) => one.wall.awayMs > 0)
    .toSorted((a, b) => b.one.wall.awayMs - a.one.wall.awayMs || (a.key < b.key ? -1 : 1))
    .slice(0, listed)
    .map(({ one }) => one);
}
