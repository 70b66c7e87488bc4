import type { CoverageRow, ObjectRows, RecordRows, SpanRow } from './rows.ts';

/** A stretch of time, half-open, in ms since the epoch. */
export interface Between {
  readonly from: number;
  readonly to: number;
}

/** A stretch in which one thing was known of an object: a verdict, or `unobserved` where nobody looked. */
export interface Known extends Between {
  readonly state: string;
  readonly span: SpanRow;
  /** Why nobody looked; null where it was seen. */
  readonly blind: string | null;
}

/** The points that say at `at` that nobody looks: of the cluster, or of a kind there ("group/kind"). The one that held first comes first. */
function blindAt(coverage: readonly CoverageRow[], kind: string | null, at: number): readonly CoverageRow[] {
  return [null, ...(kind === null ? [] : [kind])]
    .flatMap((of) => coverage.findLast((point) => point.kind === of && point.at <= at) ?? [])
    .filter(({ observed }) => !observed)
    .toSorted((a, b) => a.at - b.at);
}

/** A cluster is seen where its last word says so; a kind there ("group/kind") where the last of its own does too. */
export function isSeen(coverage: readonly CoverageRow[], kind: string | null, at: number): boolean {
  return blindAt(coverage, kind, at).length === 0;
}

/**
 * All that was ever known of an object, oldest first: its time is cut wherever anything begins or ends, and of each piece is asked
 * what held at its beginning. Infinity where it lasts.
 */
function wholeOf(object: ObjectRows, { coverage }: RecordRows): readonly Known[] {
  const kind = `${object.ref.group}/${object.ref.kind}`;
  const points = (coverage.get(object.ref.cluster) ?? []).filter((point) => point.kind === null || point.kind === kind);
  return object.spans.flatMap((span) => {
    const inside = points.map(({ at }) => at).filter((at) => at > span.from && at < span.to);
    const edges = [...new Set([span.from, ...inside])].toSorted((a, b) => a - b);
    return edges.map((from, index) => {
      const blind = blindAt(points, kind, from)[0]?.why ?? null;
      return {
        from,
        to: edges[index + 1] ?? span.to,
        state: blind === null ? span.verdict : 'unobserved',
        span,
        blind,
      };
    });
  });
}

const wholes = new WeakMap<ObjectRows, readonly Known[]>();

/** Knowledge of an object in a period, oldest first. */
export function knownOf(object: ObjectRows, rows: RecordRows, period: Between): readonly Known[] {
  const whole = wholes.get(object) ?? wholeOf(object, rows);
  wholes.set(object, whole);
  return whole
    .map((known) => ({ ...known, from: Math.max(known.from, period.from), to: Math.min(known.to, period.to) }))
    .filter(({ from, to }) => from < to);
}

/** The state of an object at a moment; null where it was not there. */
export function stateAt(object: ObjectRows, rows: RecordRows, at: number): string | null {
  return knownOf(object, rows, { from: at, to: at + 1 })[0]?.state ?? null;
}
