import type { AlarmFigures } from '#lib/domain/alarm/alarm-figures.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { day } from '#lib/domain/time/length.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import type { RecordScope } from '../../../port/record-port.ts';
import type { GapReader } from '../record/record-gaps.ts';
import type { ScopeIds, Scopes } from '../record/record-scope.ts';
import { noParts, type AbsenceParts } from './absence-parts.ts';
import { addLooks, openLook, type LookAsked, type Looks } from './call-look.ts';
import { openCallSums } from './call-sums.ts';
import { openKeptCallDays } from './settled/kept-call-days.ts';
import { ever, openLateAbsences } from './late-absences.ts';
import { openMeantCalls } from './meant-calls.ts';
import { openSettledFigures, type Figures, type FiguresAsked } from './settled/settled-figures.ts';
import { openSettledTo } from './settled/settled-to.ts';
import type { OverdueReaders } from './unknown-overdue.ts';

/** Readers of absences that figures of calls rest on. */
export interface FigureReaders extends OverdueReaders {
  readonly gaps: GapReader;
}

type SettledAsked = FiguresAsked & { readonly scope: ScopeIds };

/** Figures of who was called for what was away, over an open database. What days that are rolled up come to is kept. */
export function openAlarmFigures(scopes: Scopes, readers: FigureReaders) {
  const calls = openMeantCalls(scopes);
  const sums = openCallSums(scopes);
  const late = openLateAbsences(scopes);
  const beginLooks = openLook(scopes, readers, { calls, sums, late });
  const settledTo = openSettledTo(scopes, readers);
  const settled = openSettledFigures(scopes, { calls, sums });
  const kept = openKeptCallDays(scopes);

  /** True if more calls were made than are looked at. */
  function areTooMany({ begun }: Looks, question: FiguresAsked): boolean {
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

  function all({ look, begun }: Looks, question: LookAsked): Figures {
    const of = look(question, begun(question));
    return { ...of.parts(), withoutAbsence: of.wellCalls().length };
  }

  function figuresOf(looks: Looks, question: FiguresAsked): Figures {
    const { scope, period } = question;
    const to = scope === null ? null : settledTo(scope, period);
    if (scope === null || to === null) return all(looks, { ...question, time: period, ended: ever });
    const rest = all(looks, { ...question, time: { from: to, to: period.to }, ended: { from: to, to: Infinity } });
    return sumOf([...before(looks, { ...question, scope }, to), rest]);
  }

  /** Figures of absences and calls that were over before a moment up to which all is rolled up. */
  function before(looks: Looks, question: SettledAsked, to: number): readonly Figures[] {
    const { from } = question.period;
    const settledIn = settled(looks, question, to);
    // A period that begins within a day cuts what began before the next, and most of that is over a day later.
    const days = { from: from === dayOf(from) ? from : dayOf(from) + 2 * day, to: dayOf(to) };
    if (days.from >= days.to || !kept.has(question)) return settledIn({ from, to }, null);
    const { figures, missing } = kept.figures(question, days);
    return [
      figures,
      ...settledIn({ from, to: days.from }, null),
      ...settledIn({ from: days.to, to }, null),
      ...missing.flatMap(({ clusters, ...part }) => settledIn(part, clusters)),
    ];
  }

  return (asked: RecordScope, period: Period, alarmWithin: number): AlarmFigures => {
    const counted = sums.counted(asked, period);
    const scope = scopes.resolve(asked);
    if (period.from >= period.to) return { ...noParts, ...counted, withoutAbsence: 0 };
    const [question, looks] = [{ asked, scope, period, alarmWithin }, beginLooks()] as const;
    if (areTooMany(looks, question))
      return {
        ...(scope === null ? noParts : unknownOf(scope, period, alarmWithin)),
        ...{ ...counted, withoutAbsence: null },
      };
    const found = figuresOf(looks, question);
    const overdue = scope === null ? 0 : readers.overdueIn(scope, period, alarmWithin);
    return { ...found, silent: overdue - found.called - found.unknown, ...counted };
  };
}

function sumOf(figures: readonly Figures[]): Figures {
  return { ...addLooks(figures), withoutAbsence: figures.reduce((sum, one) => sum + one.withoutAbsence, 0) };
}
