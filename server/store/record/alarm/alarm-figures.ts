import { alertsTold, calledHowOf, type AlarmFigures, type CallingAlert } from '#lib/domain/alarm/alarm-figures.ts';
import type { AlarmCall } from '#lib/domain/alarm/call.ts';
import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import { sameRef } from '#lib/domain/observation/ref.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { durationList } from '../../codec/duration-list.ts';
import type { RecordReader, RecordScope } from '../../port/record-port.ts';
import { overdueOf, visitAway } from '../absences.ts';
import { descending, isWithin, overlaps, pageOf, timeWithin } from '../lists.ts';
import { includesObject, type Recorded } from '../recorded.ts';
import { awayWithin, segmentsWithin } from '../spans.ts';
import { includesCall } from './called-object.ts';
import { knownCalls, type KnownCalls } from './known-calls.ts';

/** Figures of who was called for what was away, moment by moment. */
export function readAlarmFigures(recorded: Recorded): Pick<RecordReader, 'alarmFigures' | 'absencesCalled'> {
  return {
    async absencesCalled(scope, period, { alarmWithin, called, worst, over, order, ...page }) {
      const known = knownCalls(recorded, period.to);
      const found = [...recorded.absences.entries()].filter(([place, absence]) => {
        if (!includesObject(scope, absence.ref) || period.from >= period.to) return false;
        if (worst !== undefined && !worst.includes(absence.worst)) return false;
        if (over !== undefined && over.is !== (absence.closedAt ?? Infinity) <= over.by) return false;
        const of = absenceCalls(recorded, known, { place, absence, alarmWithin, until: period.to });
        return of.isLate(period) && called.includes(calledHowOf[of.standing()]);
      });
      const rankOf = ({ noticedAt, openedAt, closedAt }: Absence): number =>
        order === 'newest' ? noticedAt : timeWithin({ from: openedAt, to: closedAt }, period);
      return pageOf(
        descending(
          found.map(([, absence]) => absence),
          rankOf,
        ),
        page,
      );
    },
    async alarmFigures(scope, period, alarmWithin) {
      const known = knownCalls(recorded, period.to);
      const parts = { called: 0, silent: 0, unknown: 0 };
      const overdue = { inTime: 0, late: 0, never: 0, unknown: 0 };
      const toCall = durationList();
      let toCallAtMost = 0;
      for (const [place, absence] of recorded.absences.entries()) {
        if (!includesObject(scope, absence.ref) || period.from >= period.to) continue;
        const of = absenceCalls(recorded, known, { place, absence, alarmWithin, until: period.to });
        if (isWithin(absence.noticedAt, period) && absence.bound === 'exact' && of.first !== null) {
          if (of.isKnownUntil(of.first)) toCall.add(of.first - absence.openedAt);
          else toCallAtMost += 1;
        }
        for (const { state, from, to } of of.overdue(period)) parts[state] += to - from;
        if (of.isLate(period)) overdue[of.standing()] += 1;
      }
      return {
        ...parts,
        overdue,
        toCall: toCall.ascending(),
        toCallAtMost,
        ...callFigures(recorded, known, scope, period),
        unlooked: [],
      };
    },
  };
}

/** A stretch of time away past the deadline of which one thing is known. */
interface OverdueStretch extends Period {
  readonly state: 'called' | 'unknown' | 'silent';
}

/** Answers about the calls for one absence, up to a moment (ms). */
function absenceCalls(
  recorded: Recorded,
  known: KnownCalls,
  asked: { readonly place: number; readonly absence: Absence; readonly alarmWithin: number; readonly until: number },
) {
  const { place, absence, alarmWithin, until: before } = asked;
  const { ref, openedAt } = absence;
  const subject = place + 1;
  const [deadline, end] = [openedAt + alarmWithin, Math.min(absence.closedAt ?? Infinity, before)];

  function overdue(period: Period): readonly OverdueStretch[] {
    const stretches: OverdueStretch[] = [];
    const { cluster, namespace, name, ...kind } = ref;
    for (const segment of awayWithin(recorded, { clusters: [cluster], kind, namespace, name }, period))
      visitAway({ away: add }, null, absence, segment);
    return stretches;

    function add(_kind: null, start: number, age: number, length: number): void {
      const to = start + length;
      const from = to - overdueOf(age, length, alarmWithin);
      const moments = known.moments(new Set([subject]), [from, to]).filter((at) => at >= from && at <= to);
      for (const [index, at] of moments.slice(0, -1).entries())
        stretches.push({ from: at, to: moments[index + 1] ?? at, state: known.stateAt(cluster, ref, subject, at) });
    }
  }

  const moments = known
    .moments(new Set([subject]), [openedAt, deadline, absence.noticedAt])
    .filter((at) => at >= openedAt && at < end);
  const states = moments.map((at) => ({ at, state: known.stateAt(ref.cluster, ref, subject, at) }));
  const first = states.find(({ state }) => state === 'called')?.at ?? null;
  const isKnownUntil = (until: number): boolean => !states.some(({ at, state }) => at < until && state === 'unknown');
  return {
    /** When somebody was called for it first; null where nobody is known to have been. */
    first,
    /** True if at no moment of it before another it was unknown whether anybody was called. */
    isKnownUntil,
    overdue,
    /** True if it lasted past its deadline in a period, and was known. */
    isLate: ({ from, to }: Period): boolean => Math.max(absence.noticedAt, deadline, from) < Math.min(end, to),
    standing(): keyof AlarmFigures['overdue'] {
      if (first !== null && first < deadline) return 'inTime';
      if (!isKnownUntil(first === null ? end : deadline)) return 'unknown';
      return first === null ? 'never' : 'late';
    },
  };
}

function callFigures(
  recorded: Recorded,
  known: KnownCalls,
  scope: RecordScope,
  period: Period,
): Pick<AlarmFigures, 'calls' | 'withoutAbsence' | 'alerts' | 'alertsTotal'> {
  const began = recorded.calls.filter((call) => isWithin(call.from, period) && includesCall(scope, call));
  const alerts = [...Map.groupBy(began, ({ source, alert }) => JSON.stringify([source, alert])).values()]
    .map(alertOf)
    .toSorted(
      (a, b) =>
        b.calls - a.calls || b.lastAt - a.lastAt || compareText(a.source, b.source) || compareText(a.alert, b.alert),
    );
  return {
    calls: began.length,
    withoutAbsence: began.filter((call) => isWithoutAbsence(recorded, known, call, period.to)).length,
    alerts: alerts.slice(0, alertsTold),
    alertsTotal: alerts.length,
  };
}

function alertOf(calls: readonly AlarmCall[]): CallingAlert {
  const { source = '', alert = '' } = calls[0] ?? {};
  return {
    source,
    alert,
    calls: calls.length,
    lastAt: calls.reduce((last, { from }) => Math.max(last, from), -Infinity),
  };
}

/** True if a call names an object, and each that it names was seen all its time and was never away in it. */
function isWithoutAbsence(recorded: Recorded, known: KnownCalls, call: AlarmCall, until: number): boolean {
  const period = { from: call.from, to: Math.min(call.to ?? until, until) };
  if (period.from >= period.to) return false;
  const refs = recorded.transitions.map(({ ref }) => ref).filter((ref) => known.names(call, ref));
  const named = refs.filter((ref, place) => refs.findIndex((other) => sameRef(other, ref)) === place);
  return (
    named.length > 0 &&
    named.every(({ cluster, namespace, name, ...kind }) => {
      const scope = { clusters: [cluster], kind, namespace, name };
      const segments = segmentsWithin(recorded, scope, period);
      const seen = segments.filter(({ verdict }) => verdict !== 'unobserved' && !isAway(verdict));
      const time = seen.reduce((sum, { from, to }) => sum + to - from, 0);
      const wasAway = recorded.absences.some(
        ({ ref, openedAt, closedAt }) =>
          includesObject(scope, ref) && overlaps({ from: openedAt, to: closedAt }, period),
      );
      return time === period.to - period.from && !wasAway;
    })
  );
}
