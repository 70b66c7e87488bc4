import type { Transition } from '#lib/domain/record/current.ts';
import type { RecordReader, RecordScope } from '../port/record-port.ts';
import { descending, isWithin, pageOf, kindText } from './lists.ts';
import { includesCluster, includesObject, type Recorded } from './recorded.ts';

/** The nearest moments (ms) before and after one; null where there is none. */
export function nearestBeside(at: number, times: readonly number[]): { before: number | null; after: number | null } {
  let [before, after] = [-Infinity, Infinity];
  for (const time of times) {
    if (time < at) before = Math.max(before, time);
    if (time > at) after = Math.min(after, time);
  }
  return { before: before === -Infinity ? null : before, after: after === Infinity ? null : after };
}

/** Answers about changes of verdict by when they were noticed. */
export function readTransitions(
  recorded: Recorded,
): Pick<RecordReader, 'transitions' | 'transitionCount' | 'changesBeside'> {
  const within = (scope: RecordScope): readonly Transition[] =>
    recorded.transitions.filter(({ ref }) => includesObject(scope, ref));
  return {
    async transitions(scope, period, page) {
      const found = within(scope).filter(({ noticedAt }) => isWithin(noticedAt, period));
      return pageOf(
        descending(found, ({ noticedAt }) => noticedAt),
        page,
      );
    },
    async transitionCount(scope, period, most) {
      return Math.min(most, within(scope).filter(({ noticedAt }) => isWithin(noticedAt, period)).length);
    },
    async changesBeside(at, scope) {
      const coverage = recorded.coverage.filter(
        ({ cluster, kind }) =>
          includesCluster(scope, cluster) &&
          (kind === null || scope.kind === undefined || kindText(kind) === kindText(scope.kind)),
      );
      return nearestBeside(at, [...coverage.map((change) => change.at), ...within(scope).map((one) => one.noticedAt)]);
    },
  };
}
