import type { AlarmCall, AlarmCoverage } from '#lib/domain/alarm/call.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { AlarmReader } from '../../port/alarm-port.ts';
import { descending, overlaps, pageOf } from '../lists.ts';
import type { Recorded } from '../recorded.ts';
import { readAlarmFigures } from './alarm-figures.ts';
import { calledObject, includesCall, isCalled } from './called-object.ts';
import { readIncidentCalls } from './incident-calls.ts';
import { callKnownAt } from './known-call.ts';

/** Answers about calls and about when alarm sources could be read. */
export function readCalls(recorded: Recorded): AlarmReader {
  const { calls, alarmCoverage } = recorded;
  return {
    ...readAlarmFigures(recorded),
    ...readIncidentCalls(recorded),
    async calls({ scope, period, at }, page) {
      return pageOf(
        knownIn(calls, period, at).filter((call) => includesCall(scope, call)),
        page,
      );
    },
    async callsOf(ref, { from, to, at }, limit) {
      const known = knownIn(calls, { from, to }, at);
      return known.filter((call) => isCalled(calledObject(call), ref)).slice(0, limit);
    },
    alarmCoverage: async (range) => alarmCoverageWithin(alarmCoverage, range),
  };
}

/** Calls that were known, and not over, at some time in a period, the newest first. */
function knownIn(calls: readonly AlarmCall[], period: Period, at: number): readonly AlarmCall[] {
  const known = calls.flatMap((call) => callKnownAt(call, at) ?? []).filter((call) => overlaps(call, period));
  return descending(known, ({ from }) => from);
}

/** Coverage within bounds (both count), behind what held of each source as they begin. */
function alarmCoverageWithin(
  coverage: readonly AlarmCoverage[],
  { from, to }: { readonly from: number; readonly to: number },
): readonly AlarmCoverage[] {
  const inOrder = coverage.toSorted((a, b) => a.at - b.at);
  const before = inOrder.filter(({ at }) => at < from);
  const last = new Map(before.map((point) => [point.source, point]));
  return [
    ...before.filter((point) => last.get(point.source) === point),
    ...inOrder.filter(({ at }) => at >= from && at <= to),
  ];
}
