import { sameRef, type ObjectRef } from '#lib/domain/observation/ref.ts';
import type { NotedChange } from '#lib/domain/record/change.ts';
import type { Transition } from '#lib/domain/record/current.ts';
import type { ChangeRange, CoverageChange, StoreReader } from '../port/port.ts';
import { descending, kindText } from './lists.ts';
import type { Recorded } from './recorded.ts';

/** Bounds (ms), both of which count. */
interface Bounds {
  readonly from: number;
  readonly to: number;
}

/** Answers about what was noted by its own time, newest first. */
export function readNoted(recorded: Recorded): Pick<StoreReader, 'transitions' | 'recent' | 'changes' | 'coverage'> {
  return {
    async transitions(ref, { limit, noticedBy = Infinity, ...bounds }) {
      const noticed = recorded.transitions.filter(({ noticedAt }) => noticedAt <= noticedBy);
      return transitionsWithin(noticed, bounds, (of) => sameRef(of, ref)).slice(0, limit);
    },
    async recent({ cluster, limit, ...bounds }) {
      return transitionsWithin(recorded.transitions, bounds, (of) => of.cluster === (cluster ?? of.cluster)).slice(
        0,
        limit,
      );
    },
    async changes(range) {
      const found = recorded.changes.filter((change) => isAskedFor(change, range) && mayBeWithin(change, range));
      return descending(found, ({ at }) => at).slice(0, range.limit);
    },
    async coverage(cluster, bounds) {
      return coverageWithin(
        recorded.coverage.filter((point) => point.cluster === cluster),
        bounds,
      );
    },
  };
}

function transitionsWithin(
  transitions: readonly Transition[],
  { from, to }: Bounds,
  isOf: (ref: ObjectRef) => boolean,
): readonly Transition[] {
  return descending(
    transitions.filter(({ ref, at }) => at >= from && at <= to && isOf(ref)),
    ({ at }) => at,
  );
}

function isAskedFor(change: NotedChange, { cluster, ref }: ChangeRange): boolean {
  const wanted = ref?.cluster ?? cluster;
  if (ref !== undefined && (wanted === undefined || !sameRef(change.ref, ref))) return false;
  return change.cluster === (wanted ?? change.cluster);
}

/** A change that is not dated may have happened at any time since the former state was last seen. */
function mayBeWithin(
  { at, notBefore, noticedAt }: NotedChange,
  { from, to, noticedBy = Infinity }: ChangeRange,
): boolean {
  return noticedAt <= noticedBy && at >= from && (at <= to || notBefore <= to);
}

/** Coverage noted within bounds, behind what was in force of the cluster and of each kind as they begin. */
export function coverageWithin(coverage: readonly CoverageChange[], { from, to }: Bounds): readonly CoverageChange[] {
  const inOrder = coverage.toSorted((a, b) => a.at - b.at);
  const before = inOrder.filter(({ at }) => at < from);
  const last = new Map(before.map((point) => [kindText(point.kind), point]));
  return [
    ...before.filter((point) => last.get(kindText(point.kind)) === point),
    ...inOrder.filter(({ at }) => at >= from && at <= to),
  ];
}
