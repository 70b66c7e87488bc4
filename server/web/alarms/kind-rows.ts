import type { WireClusterCoverage, WireKindCoverage, WireReachCount } from '#lib/api/alarm/alarms.ts';
import { reachSteps, type KindCoverage, type ReachStep } from '#lib/domain/alarm/finding.ts';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import { wireTimeOrNull } from '../wire/wire-time.ts';

/** Names that a row tells. */
const NAMED = 10;

/** Sums over rows, by what is counted. */
export interface CoverageSums extends Readonly<Record<ReachStep, WireReachCount>> {
  readonly objects: number;
  readonly away: number;
  readonly silent: number;
}

/** Sums of rows. */
export function sumsOf(rows: readonly KindCoverage[]): CoverageSums {
  const sum = { objects: 0, away: 0, silent: 0 };
  const steps = { exported: none(), ruled: none(), routed: none() };
  for (const row of rows) {
    sum.objects += row.objects;
    sum.away += row.away;
    sum.silent += row.silent;
    for (const step of reachSteps) {
      const { yes, no, unknown } = row[step];
      steps[step].yes += yes;
      steps[step].no += no;
      steps[step].unknown += unknown;
    }
  }
  return { ...sum, ...steps };
}

function none(): WireReachCount {
  return { yes: 0, no: 0, unknown: 0 };
}

/** Silent ones first, then where most objects have nobody to be called, then where most is not known. */
function compareSums(a: CoverageSums, b: CoverageSums): number {
  return (
    b.silent - a.silent ||
    b.routed.no - a.routed.no ||
    b.ruled.no - a.ruled.no ||
    b.exported.no - a.exported.no ||
    b.routed.unknown - a.routed.unknown
  );
}

interface Kind {
  readonly rows: readonly KindCoverage[];
  readonly sums: CoverageSums;
}

/** The rows by kind, the worst kind first; of each the worst cluster first, at most `limit`. */
export function kindRows(rows: readonly KindCoverage[], limit: number): readonly WireKindCoverage[] {
  return kindsOf(rows).map(({ rows: of, sums }) => ({
    group: of[0]?.group ?? '',
    kind: of[0]?.kind ?? '',
    ...sums,
    firedAt: wireTimeOrNull(lastOf(of)),
    clusters: worstFirst(of).slice(0, limit).map(wireCluster),
    clustersTotal: of.length,
  }));
}

function kindsOf(rows: readonly KindCoverage[]): readonly Kind[] {
  return [...Map.groupBy(rows, ({ group, kind }) => `${kind}/${group}`)]
    .map(([key, of]) => ({ key, rows: of, sums: sumsOf(of) }))
    .toSorted((a, b) => compareSums(a.sums, b.sums) || compareText(a.key, b.key));
}

/** Rows of one kind or of several, the worst first. */
export function worstFirst(rows: readonly KindCoverage[]): readonly KindCoverage[] {
  return rows
    .map((row) => ({ row, sums: sumsOf([row]) }))
    .toSorted(
      (a, b) =>
        compareSums(a.sums, b.sums) ||
        compareText(a.row.kind, b.row.kind) ||
        compareText(a.row.group, b.row.group) ||
        compareText(a.row.cluster, b.row.cluster),
    )
    .map(({ row }) => row);
}

function lastOf(rows: readonly KindCoverage[]): number | null {
  return rows.reduce<number | null>(
    (last, { firedAt }) => (firedAt === null ? last : Math.max(last ?? 0, firedAt)),
    null,
  );
}

function wireCluster(row: KindCoverage): WireClusterCoverage {
  const { cluster, rules, receivers, firedAt, why } = row;
  return {
    cluster,
    ...sumsOf([row]),
    rules: rules.slice(0, NAMED),
    rulesTotal: rules.length,
    receivers: receivers.slice(0, NAMED),
    receiversTotal: receivers.length,
    firedAt: wireTimeOrNull(firedAt),
    why,
  };
}
