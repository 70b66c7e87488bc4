import { sameRef } from '#lib/domain/observation/ref.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { AbsenceFigures, RecordReader, RecordScope } from '../port/record-port.ts';
import { descending, isWithin, overlaps, pageOf, timeWithin } from './lists.ts';
import { includesObject, type Recorded } from './recorded.ts';
import { awayWithin } from './spans.ts';
import { timeLists, type KeptTimes, type TimeLists } from './time-lists.ts';

/** Times of an absence that figures count, in ms since the epoch; `closedAt` is Infinity or null while it lasts. */
export type AbsenceTimes = Pick<Absence, 'openedAt' | 'noticedAt' | 'bound'> & { readonly closedAt: number | null };

/** Receives what happened to absences in a period, by kind. Times in ms. */
export interface AbsenceVisitor<K> {
  /** One began; `toNotice` is null where its beginning is not known exactly. */
  opened(kind: K, at: number, toNotice: number | null): void;
  /** One ended by converging. */
  closed(kind: K, at: number, toConverge: number, atLeast: boolean): void;
  /** One ended in any other way. */
  gone(kind: K, at: number): void;
  /** Observed time away, from `from` on, that long; `age` is how long the object had been away by then. */
  away(kind: K, from: number, age: number, length: number): void;
}

/** Visits an absence that began. */
export function visitOpened<K>(
  visitor: Pick<AbsenceVisitor<K>, 'opened'>,
  kind: K,
  { openedAt, noticedAt, bound }: Pick<AbsenceTimes, 'openedAt' | 'noticedAt' | 'bound'>,
): void {
  visitor.opened(kind, noticedAt, bound === 'exact' ? Math.max(0, noticedAt - openedAt) : null);
}

/** Visits an absence that ended at `at` (ms). */
export function visitEnded<K>(
  visitor: Pick<AbsenceVisitor<K>, 'closed' | 'gone'>,
  kind: K,
  at: number,
  { openedAt, bound, ended }: Pick<Absence, 'openedAt' | 'bound' | 'ended'>,
): void {
  if (ended === 'converged') visitor.closed(kind, at, Math.max(0, at - openedAt), bound === 'at-least');
  else visitor.gone(kind, at);
}

/** Visits what of a stretch in which its object was seen to be away belongs to an absence: what was known of it by then. */
export function visitAway<K>(
  visitor: Pick<AbsenceVisitor<K>, 'away'>,
  kind: K,
  { openedAt, noticedAt, closedAt }: AbsenceTimes,
  stretch: Period,
): void {
  const [start, end] = [Math.max(stretch.from, noticedAt), Math.min(stretch.to, closedAt ?? Infinity)];
  if (start < end) visitor.away(kind, start, Math.max(0, start - openedAt), end - start);
}

/** Counts of a period while they are added up. */
export interface AbsenceTally extends TimeLists {
  opened: number;
  closed: number;
  gone: number;
  overdue: number;
}

/** Begins with nothing counted, and with no times or with such as are in order. */
export function emptyTally(known?: KeptTimes): AbsenceTally {
  return { opened: 0, closed: 0, gone: 0, overdue: 0, ...timeLists(known) };
}

/** Adds up what it visits. */
export function tallyVisitor(tally: AbsenceTally, alarmWithin: number): AbsenceVisitor<unknown> {
  return {
    opened(_kind, _at, toNotice) {
      tally.opened++;
      if (toNotice !== null) tally.toNotice.add(toNotice);
    },
    closed(_kind, _at, toConverge, atLeast) {
      tally.closed++;
      tally.toConverge.add(toConverge);
      if (atLeast) tally.toConvergeAtLeast.add(toConverge);
    },
    gone() {
      tally.gone++;
    },
    away(_kind, _from, age, length) {
      tally.overdue += overdueOf(age, length, alarmWithin);
    },
  };
}

/** Part (ms) of a stretch away that began at an age which lies beyond the time in which an alarm should sound. */
export function overdueOf(age: number, length: number, alarmWithin: number): number {
  return Math.max(0, Math.min(length, age + length - alarmWithin));
}

/** Absences that last at a moment, and how many of those converge in the period that begins there. */
export interface OpenCount {
  readonly open: number;
  readonly closed: number;
}

/** The figures of a period, from what happened in it and what lasted at its ends. */
export function figuresOf(tally: AbsenceTally, atStart: OpenCount, atEnd: Pick<OpenCount, 'open'>): AbsenceFigures {
  const { opened, closed, gone, toConvergeAtLeast, overdue, toConverge, toNotice } = tally;
  return {
    opened,
    openAtStart: atStart.open,
    closed,
    closedFromBefore: atStart.closed,
    gone,
    open: atEnd.open,
    toConverge: toConverge.ascending(),
    toConvergeAtLeast: toConvergeAtLeast.ascending(),
    toNotice: toNotice.ascending(),
    overdue,
  };
}

/** The absences of a scope that were known and not over at some time in a period, in the order in which they began. */
export function absencesWithin({ absences }: Recorded, scope: RecordScope, period: Period): readonly Absence[] {
  return absences.filter(
    ({ ref, noticedAt, closedAt }) => includesObject(scope, ref) && overlaps({ from: noticedAt, to: closedAt }, period),
  );
}

/** Answers about absences. */
export function readAbsences(recorded: Recorded): Pick<RecordReader, 'absences' | 'absenceFigures'> {
  return {
    async absences(scope, period, { order, ...page }) {
      const rankOf = ({ noticedAt, openedAt, closedAt }: Absence): number =>
        order === 'newest' ? noticedAt : timeWithin({ from: openedAt, to: closedAt }, period);
      return pageOf(descending(absencesWithin(recorded, scope, period), rankOf), page);
    },
    async absenceFigures(scope, period, alarmWithin) {
      const all = recorded.absences.filter(({ ref }) => includesObject(scope, ref));
      const tally = emptyTally();
      const visitor = tallyVisitor(tally, alarmWithin);
      for (const absence of all) {
        const { noticedAt, closedAt } = absence;
        if (isWithin(noticedAt, period)) visitOpened(visitor, null, absence);
        if (closedAt !== null && isWithin(closedAt, period)) visitEnded(visitor, null, closedAt, absence);
      }
      const away = awayWithin(recorded, scope, period);
      for (const { span, from, to } of away)
        for (const absence of all) if (sameRef(absence.ref, span.ref)) visitAway(visitor, null, absence, { from, to });
      return figuresOf(tally, openAt(all, period.from, period.to), openAt(all, period.to));
    },
  };
}

function openAt(absences: readonly Absence[], at: number, before = at): OpenCount {
  const open = absences.filter(({ noticedAt, closedAt }) => noticedAt < at && (closedAt ?? Infinity) >= at);
  const closed = open.filter(({ ended, closedAt }) => ended === 'converged' && (closedAt ?? Infinity) < before);
  return { open: open.length, closed: closed.length };
}
