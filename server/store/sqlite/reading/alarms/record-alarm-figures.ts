import type { AlarmFigures } from '#lib/domain/alarm/alarm-figures.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { RecordScope } from '../../../port/record-port.ts';
import type { GapReader } from '../record/record-gaps.ts';
import { keptSums } from '../record/kept/kept-sums.ts';
import type { ScopeIds, Scopes } from '../record/record-scope.ts';
import { noParts, type AbsenceParts } from './absence-parts.ts';
import { addLooks, openLook, type Look, type LookAsked, type LookParts } from './call-look.ts';
import { openCallSums } from './call-sums.ts';
import { ever, openLateAbsences } from './late-absences.ts';
import { openMeantCalls } from './meant-calls.ts';
import { openSettledTo } from './settled-to.ts';
import type { OverdueReaders } from './unknown-overdue.ts';

/** Readers of absences that figures of calls rest on. */
export interface FigureReaders extends OverdueReaders {
  readonly gaps: GapReader;
}

/** Memory that is used at most for what settled days come to: those of 90 days with 20,000 calls take 200 KB. */
const keptBytes = 8 * 2 ** 20;
const kept = { of: 'days', bytes: keptBytes } as const;

/** Figures of a look, with the number of calls without an absence. */
interface Figures extends LookParts {
  readonly withoutAbsence: number;
}

/** Figures of who was called for what was away, over an open database. What days that are rolled up come to is kept. */
export function openAlarmFigures(scopes: Scopes, readers: FigureReaders) {
  const calls = openMeantCalls(scopes);
  const sums = openCallSums(scopes);
  const late = openLateAbsences(scopes);
  const { look, begun } = openLook(scopes, readers, { calls, sums, late });
  const settledTo = openSettledTo(scopes, readers);
  const parts = keptSums<LookParts>(scopes, { ...kept, bytesOf: bytesOfParts });
  const without = keptSums<number>(scopes, { ...kept, bytesOf: () => 8 });

  /** True if more calls were made than are looked at. */
  function areTooMany(question: Omit<LookAsked, 'time' | 'ended'>): boolean {
    const { from, to } = question.period;
    if (!calls.areTooMany({ from: Number.MIN_SAFE_INTEGER, to })) return false;
    const first = begun({ ...question, time: question.period, ended: ever });
    return calls.areTooMany({ from: Math.min(from, first), to });
  }

  /** Where more calls were made than are looked at. */
  function unknownOf(scope: ScopeIds, period: Period, alarmWithin: number): AbsenceParts {
    const unknown = late.count({ scope, period, alarmWithin, ended: ever });
    return {
      ...noParts,
      unknown: readers.overdueIn(scope, period, alarmWithin),
      overdue: { ...noParts.overdue, unknown },
    };
  }

  /** Absences and calls that were over before a moment up to which all is rolled up: kept by the calls that were made. */
  function settled(question: LookAsked): Figures {
    const { asked, time, alarmWithin } = question;
    const key = JSON.stringify([asked, alarmWithin, calls.printBefore(time.to)]);
    let taken: Look | null = null;
    const begin = (): Look => (taken ??= look(question));
    const found = parts.recall(time, key, () => begin().parts());
    // An object that comes later may have the name that a call gives.
    const named = `${key} ${calls.printOfObjects()}`;
    return { ...found, withoutAbsence: without.recall(time, named, () => begin().withoutAbsence()) };
  }

  function all(question: LookAsked): Figures {
    const of = look(question);
    return { ...of.parts(), withoutAbsence: of.withoutAbsence() };
  }

  function figuresOf(question: Omit<LookAsked, 'time' | 'ended'>): Figures {
    const { scope, period } = question;
    const to = scope === null ? null : settledTo(scope, period);
    if (to === null) return all({ ...question, time: period, ended: ever });
    const before = settled({ ...question, time: { from: period.from, to }, ended: { from: -Infinity, to } });
    return addTo(before, all({ ...question, time: { from: to, to: period.to }, ended: { from: to, to: Infinity } }));
  }

  return (asked: RecordScope, period: Period, alarmWithin: number): AlarmFigures => {
    const counted = sums.counted(asked, period);
    const scope = scopes.resolve(asked);
    if (period.from >= period.to) return { ...noParts, ...counted, withoutAbsence: 0 };
    const question = { asked, scope, period, alarmWithin };
    if (areTooMany(question))
      return {
        ...(scope === null ? noParts : unknownOf(scope, period, alarmWithin)),
        ...{ ...counted, withoutAbsence: null },
      };
    const found = figuresOf(question);
    const overdue = scope === null ? 0 : readers.overdueIn(scope, period, alarmWithin);
    return { ...found, silent: overdue - found.called - found.unknown, ...counted };
  };
}

function addTo(one: Figures, other: Figures): Figures {
  return { ...addLooks(one, other), withoutAbsence: one.withoutAbsence + other.withoutAbsence };
}

function bytesOfParts({ toCall }: LookParts): number {
  return 100 + toCall.byteLength;
}
