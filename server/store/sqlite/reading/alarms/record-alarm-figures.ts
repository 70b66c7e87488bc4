import type { AlarmFigures } from '#lib/domain/alarm/alarm-figures.ts';
import { firstCall, isLate, overdueParts, standingOf } from '#lib/domain/alarm/called/absence-calls.ts';
import { callBook, type CallBook } from '#lib/domain/alarm/called/call-book.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { intersectionOf, reachingInto, unionOf, type FlatStretches } from '#lib/domain/record/flat-stretches.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { durationList } from '../../../codec/duration-list.ts';
import type { RecordScope } from '../../../port/record-port.ts';
import { isWithin } from '../../../record/lists.ts';
import { firstWhole } from '../../rows/cells.ts';
import { lastingAbsences } from '../record/absence-reader.ts';
import { openFaultReader } from '../record/incident/fault-reader.ts';
import type { GapReader, GapsOf } from '../record/record-gaps.ts';
import { ofClusters, type ScopeIds, type Scopes } from '../record/record-scope.ts';
import type { AbsenceRow } from './absence-times.ts';
import { openCallSums } from './call-sums.ts';
import { openConcernedAbsences } from './concerned-absences.ts';
import { openLateAbsences } from './late-absences.ts';
import { openMeantCalls, type StoredCall } from './meant-calls.ts';
import { openToldAbsences, type ToldAbsence } from './told-absences.ts';
import { openUnknownOverdue, type OverdueReaders } from './unknown-overdue.ts';

/** Readers of absences that figures of calls rest on. */
export interface FigureReaders extends OverdueReaders {
  readonly gaps: GapReader;
}

type Parts = Pick<AlarmFigures, 'called' | 'silent' | 'unknown' | 'overdue' | 'toCall'>;

const nothing: Parts = {
  ...{ called: 0, silent: 0, unknown: 0 },
  overdue: { inTime: 0, late: 0, never: 0, unknown: 0 },
  toCall: new Float64Array(0),
};

/** A question with what was called meanwhile. */
interface Asked {
  readonly scope: ScopeIds;
  readonly period: Period;
  /** The part of it since the first absence began. */
  readonly since: Period;
  readonly alarmWithin: number;
  readonly book: CallBook<StoredCall>;
  /** By the id of each cluster of the scope, when nothing could be known of any of its objects. */
  readonly unknown: ReadonlyMap<number, FlatStretches>;
}

/**
 * Figures of who was called for what was away, over an open database. Absences that a call concerns are looked at one by one; of all others it is known
 * by their cluster alone whether nobody was called.
 */
export function openAlarmFigures(scopes: Scopes, readers: FigureReaders) {
  const calls = openMeantCalls(scopes);
  const sums = openCallSums(scopes);
  const faults = openFaultReader(scopes);
  const toldAbsences = openToldAbsences(scopes, faults, readers.rollups);
  const overdueWithin = openUnknownOverdue(scopes, readers);
  const concernedBy = openConcernedAbsences(scopes, faults);
  const late = openLateAbsences(scopes);

  /** When the first of the absences began that were known in a period; its end where there are none. */
  function begun(scope: ScopeIds, { from, to }: Period): number {
    const { join, sql, parameters } = scopes.rows(scope, 'i');
    const statement = scopes.statement(
      `SELECT MIN(i.opened_at) FROM ${lastingAbsences(scope, 'object, cluster, opened_at')} i ${join && `CROSS ${join}`} WHERE ${sql}`,
    );
    return firstWhole(statement, from - 1, to, ...parameters) ?? to;
  }

  /** When somebody was called for an absence: by its object, or by what that waited for. */
  function calledFor(book: CallBook<StoredCall>, ref: ObjectRef, { causes }: ToldAbsence): FlatStretches {
    return causes.reduce(
      (sum, { ref: cause, from, to }) => unionOf(sum, intersectionOf(book.named(cause), Float64Array.of(from, to))),
      book.named(ref),
    );
  }

  function partsOf(asked: Asked, concerned: Iterable<AbsenceRow>, gapsOf: GapsOf): Parts {
    const { scope, period, alarmWithin, book, unknown } = asked;
    const tell = toldAbsences(gapsOf, alarmWithin, period.to);
    const toCall = durationList();
    const all = readers.overdueIn(scope, period, alarmWithin);
    const dark = overdueWithin({ scope, period: asked.since, alarmWithin, stretches: unknown });
    const parts = { called: 0, unknown: dark };
    const overdue = { inTime: 0, late: 0, never: 0, unknown: 0 };
    overdue.unknown = late.countWithin(asked, unknown);
    overdue.never = late.count(asked) - overdue.unknown;
    for (const absence of concerned) {
      const [ref, told] = [scopes.refOf(absence.object), tell(absence)];
      const { openedAt, noticedAt, closedAt } = absence;
      const end = Math.min(closedAt, period.to);
      const alike = reachingInto(unknown.get(absence.cluster) ?? none, openedAt, end);
      const times = {
        ...{ openedAt, noticedAt, end, deadline: openedAt + alarmWithin, overdue: told.overdue },
        called: reachingInto(calledFor(book, ref, told), openedAt, end),
        unknown: reachingInto(book.unknown(ref), openedAt, end),
      };
      const call = firstCall(times);
      if (absence.bound === 'exact' && call !== null && isWithin(noticedAt, period)) toCall.add(call - openedAt);
      const its = overdueParts(times, period);
      parts.called += its.called;
      parts.unknown += its.unknown - overdueParts({ ...times, called: none, unknown: alike }, period).unknown;
      if (!isLate(times, period)) continue;
      const wasTaken = reachingInto(alike, Math.max(times.deadline, noticedAt), end).length > 0;
      overdue[wasTaken ? 'unknown' : 'never'] -= 1;
      overdue[standingOf(times)] += 1;
    }
    return { ...parts, silent: all - parts.called - parts.unknown, overdue, toCall: toCall.ascending() };
  }

  /** Where more calls were made than are looked at. */
  function unknownOf(scope: ScopeIds, period: Period, alarmWithin: number): Parts {
    const unknown = late.count({ scope, period, alarmWithin });
    return {
      ...nothing,
      unknown: readers.overdueIn(scope, period, alarmWithin),
      overdue: { ...nothing.overdue, unknown },
    };
  }

  return (asked: RecordScope, period: Period, alarmWithin: number): AlarmFigures => {
    const counted = sums.counted(asked, period);
    const scope = scopes.resolve(asked);
    if (period.from >= period.to) return { ...nothing, ...counted, withoutAbsence: 0 };
    const first = scope === null ? period.to : begun(scope, period);
    const looked = { from: Math.min(first, period.from), to: period.to };
    const within = calls.within(looked);
    if (within === null)
      return {
        ...(scope === null ? nothing : unknownOf(scope, period, alarmWithin)),
        ...{ ...counted, withoutAbsence: null },
      };
    const gapsOf = readers.gaps.within(scope ?? { clusters: null }, looked);
    const book = callBook(within, calls.times(looked));
    const concerned = scope === null ? [] : [...concernedBy(scope, period, book).values()];
    const withoutAbsence = sums.withoutAbsence(asked, period, { calls: within, concerned, gapsOf });
    if (scope === null) return { ...nothing, ...counted, withoutAbsence };
    const { sql, parameters } = ofClusters(scope, 'id');
    const clusters = scopes.ids(`SELECT id FROM cluster WHERE ${sql}`, parameters);
    const unknown = new Map(clusters.map((id) => [id, book.unknownOn(scopes.clusterName(id))]));
    const since = { from: Math.max(period.from, first), to: period.to };
    const parts = partsOf({ scope, period, since, alarmWithin, book, unknown }, concerned, gapsOf);
    return { ...parts, ...counted, withoutAbsence };
  };
}

const none: FlatStretches = new Float64Array(0);
