import {
  firstCall,
  isFirstExact,
  isLate,
  overdueParts,
  standingOf,
  type AbsenceTimes,
} from '#lib/domain/alarm/called/absence-calls.ts';
import { callBook } from '#lib/domain/alarm/called/call-book.ts';
import { reachingInto, type FlatStretches } from '#lib/domain/record/flat-stretches.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { day as dayLength } from '#lib/domain/time/length.ts';
import { cutAtDays, dayOf } from '#lib/domain/time/utc-day.ts';
import type { CallDay } from '../../codec/alarm/call-block.ts';
import { openAbsenceTimes, type AbsenceRow } from '../reading/alarms/absence-times.ts';
import { openCallSums } from '../reading/alarms/call-sums.ts';
import { absenceColumns, absenceOf } from '../reading/alarms/concerned-absences.ts';
import { ever } from '../reading/alarms/late-absences.ts';
import { openMeantCalls, type StoredCall } from '../reading/alarms/meant-calls.ts';
import { openNamedObjects } from '../reading/alarms/named-objects.ts';
import { openNotedCauses, type NotedCauses } from '../reading/alarms/noted-causes.ts';
import { timesOf } from '../reading/alarms/told-times.ts';
import { openFaultReader } from '../reading/record/incident/fault-reader.ts';
import { openRecordGaps } from '../reading/record/record-gaps.ts';
import type { Scopes } from '../reading/record/record-scope.ts';
import { allRows } from '../rows/cells.ts';
import { gatherCalls, type GatheredCalls } from './gathered-calls.ts';

/** A call that names objects which were seen and never away while it lasted. */
interface AloneCall {
  readonly call: number;
  readonly objects: readonly number[];
  readonly endedAt: number;
  readonly name: string;
}

/** Figures of calls of some days of a cluster. */
interface CalledBlock {
  readonly days: readonly CallDay[];
  readonly alone: readonly AloneCall[];
  /** When the first absence began that counts in them (ms). */
  readonly begins: number;
}

const noCauses: NotedCauses = { noted: [], toCome: null };
const none: FlatStretches = new Float64Array(0);

/** Calls that one step looks at, at most: others wait while it writes. */
const callsAdded = 2_000;

/** Days of a cluster, all of one block and rolled up. */
export interface BlockAsked {
  readonly cluster: number;
  readonly period: Period;
  readonly alarmWithin: number;
}

/**
 * Adds up the calls of days of a cluster, absence by absence, over an open database that stands still; null where that is not known
 * before a report asks: there are more calls than a step looks at, or a root cause was noted days after its absence was over.
 * An absence and a call count in the day in which they ended, and so does overdue time that it depends on them how it counts.
 */
export function openCalledBlock(scopes: Scopes): (asked: BlockAsked) => CalledBlock | null {
  const gaps = openRecordGaps(scopes);
  const calls = openMeantCalls(scopes);
  const sums = openCallSums(scopes);
  const namedObjects = openNamedObjects(scopes);
  const overdueOf = openAbsenceTimes(scopes);
  const causesOf = openNotedCauses(scopes, openFaultReader(scopes));
  const known = scopes.statement(
    `SELECT ${absenceColumns} FROM absence i INDEXED BY absence_cluster CROSS JOIN object o ON o.id = i.object
     WHERE i.cluster = ? AND i.noticed_at < ? AND (i.closed_at IS NULL OR i.closed_at >= ?)`,
  );

  function aloneOf(within: readonly StoredCall[], { cluster, period }: BlockAsked): readonly AloneCall[] {
    const its = within.filter(({ ended }) => ended >= period.from && ended < period.to);
    if (its.length === 0) return [];
    const from = its.reduce((first, { began }) => Math.min(first, began), period.from);
    const gapsOf = gaps.within({ clusters: [cluster] }, { from, to: period.to });
    const well = sums.wellAmong({ calls: its, concerned: [], gapsOf, objectsOf: namedObjects() });
    return well.map(({ call: { id, ended, meaning }, objects }) => ({
      ...{ call: id, objects, endedAt: ended },
      name: meaning.type === 'objects' ? (meaning.named.name ?? '') : '',
    }));
  }

  return (asked) => {
    const { cluster, period, alarmWithin } = asked;
    const absences = allRows(known, cluster, period.to, period.from).map(absenceOf);
    const begins = absences.reduce((first, { openedAt }) => Math.min(first, openedAt), period.from);
    const looked = { from: Math.min(begins, period.from - 1), to: period.to };
    const within = calls.onCluster(scopes.clusterName(cluster), looked, callsAdded);
    if (within === null) return null;
    const book = callBook(within, calls.times(looked));
    const gapsOf = gaps.within({ clusters: [cluster] }, looked);
    const dark = book.unknownOn(scopes.clusterName(cluster));
    const gathered = gatherCalls(period);
    for (const absence of absences) {
      // Without a call no root cause leads to one.
      const causes = within.length === 0 ? noCauses : causesOf(absence.id);
      if (isNotedLater(absence, causes)) return null;
      const ref = scopes.refOf(absence.object);
      const times = timesOf({ book, alarmWithin, before: period.to }, ref, absence, { overdue: none, causes });
      const isSilent = times.called.length === 0 && times.unknown.length === 0;
      const overdue = isSilent ? none : overdueOf(absence, gapsOf, alarmWithin, period.to);
      gather(gathered, absence, { ...times, overdue }, dark);
    }
    return { days: gathered.made(), alone: aloneOf(within, asked), begins };
  };
}

/** True if what is known of an absence that ended depends on when it is asked: its first root cause was noted on a later day. */
function isNotedLater({ closedAt }: AbsenceRow, { toCome }: NotedCauses): boolean {
  return toCome !== null && closedAt < Infinity && toCome.to >= dayOf(closedAt) + dayLength;
}

/** Gathers an absence. `dark`: when nothing could be known of any object of its cluster. */
function gather(into: GatheredCalls, absence: AbsenceRow, times: AbsenceTimes, dark: FlatStretches): void {
  const { kind, openedAt, noticedAt, closedAt, bound } = absence;
  const ended = into.endedAt(closedAt);
  ended?.began(openedAt);
  const stretch = { from: times.overdue[0] ?? 0, to: times.overdue.at(-1) ?? 0 };
  const alike = { overdue: times.overdue, called: none, unknown: reachingInto(dark, stretch.from, stretch.to) };
  for (const { from, to } of cutAtDays(stretch)) {
    const same = overdueParts(alike, { from, to }).unknown;
    if (same > 0) into.dark(dayOf(from), kind, same);
    if (ended === null) continue;
    const its = overdueParts(times, { from, to });
    ended.spent(kind, dayOf(from), its.called, its.unknown - same);
  }
  if (ended === null) return;
  const call = firstCall(times);
  if (bound === 'exact' && call !== null)
    ended.first({ kind, noticedAt, after: call - openedAt, isExact: isFirstExact(times) });
  if (isLate(times, ever)) ended.ended(kind, closedAt, standingOf(times));
}
