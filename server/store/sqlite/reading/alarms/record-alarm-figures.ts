import { callsLooked, type AlarmFigures } from '#lib/domain/alarm/alarm-figures.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { day } from '#lib/domain/time/length.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import type { RecordScope } from '../../../port/record-port.ts';
import type { GapReader } from '../record/record-gaps.ts';
import type { ScopeIds, Scopes } from '../record/record-scope.ts';
import type { Steps } from '../steps/steps.ts';
import { noParts } from './absence-parts.ts';
import { addLooks, openLook, type LookAsked, type Looks } from './call-look.ts';
import { openCallSums } from './call-sums.ts';
import { openKeptCallDays } from './settled/kept-call-days.ts';
import { ever, openLateAbsences } from './late-absences.ts';
import { openMeantCalls } from './meant-calls.ts';
import { openSettledFigures, scopeOf, type Figures, type FiguresAsked } from './settled/settled-figures.ts';
import { openSettledTo } from './settled/settled-to.ts';
import type { OverdueReaders } from './unknown-overdue.ts';
import { openUnlookedSources, othersThan } from './unlooked-sources.ts';

/** Readers of absences that figures of calls rest on. */
export interface FigureReaders extends OverdueReaders {
  readonly gaps: GapReader;
}

type SettledAsked = FiguresAsked & { readonly scope: ScopeIds };

/** Figures of who was called for what was away, over an open database. What days that are rolled up come to is kept. `most` calls are read for one answer. */
export function openAlarmFigures(scopes: Scopes, readers: FigureReaders, most = callsLooked) {
  const calls = openMeantCalls(scopes, most);
  const sums = openCallSums(scopes);
  const late = openLateAbsences(scopes);
  const beginLooks = openLook(scopes, readers, { calls, sums, late });
  const settledTo = openSettledTo(scopes, readers);
  const settled = openSettledFigures(scopes, { calls, sums });
  const kept = openKeptCallDays(scopes);

  const unlookedOf = openUnlookedSources(scopes, calls);

  function* figuresOf(looks: Looks, question: FiguresAsked, without: readonly number[]): Steps<Figures> {
    const { scope, period } = question;
    const to = scope === null ? null : settledTo(scope, period);
    if (scope === null || to === null) return yield* all(looks, { ...question, time: period, ended: ever });
    const rest = yield* all(looks, {
      ...question,
      time: { from: to, to: period.to },
      ended: { from: to, to: Infinity },
    });
    return sumOf([...(yield* before(looks, { ...question, scope }, { to, without })), rest]);
  }

  /**
   * Figures of absences and calls that were over before a moment up to which all is rolled up. Of clusters of which something rests on calls that are not
   * read nothing is taken from days that are added up: these were read there.
   */
  function* before(
    looks: Looks,
    question: SettledAsked,
    { to, without }: { readonly to: number; readonly without: readonly number[] },
  ): Steps<readonly Figures[]> {
    const { from } = question.period;
    const settledIn = settled(looks, question, to);
    // A period that begins within a day cuts what began before the next, and most of that is over a day later.
    const days = { from: from === dayOf(from) ? from : dayOf(from) + 2 * day, to: dayOf(to) };
    if (days.from >= days.to || !kept.has(question)) return yield* settledIn({ from, to }, null);
    const others = without.length === 0 ? null : othersThan(scopes, question.scope, without);
    if (others?.length === 0) return yield* settledIn({ from, to }, null);
    const its = others === null ? question : { ...question, ...scopeOf(scopes, question, others) };
    const { figures, missing } = kept.figures(its, days);
    yield;
    const found = [
      figures,
      ...(yield* settledIn({ from, to: days.from }, null)),
      ...(yield* settledIn({ from: days.to, to }, null)),
      ...(others === null ? [] : yield* settledIn(days, without)),
    ];
    for (const { clusters, ...part } of missing) found.push(...(yield* settledIn(part, clusters ?? others)));
    return found;
  }

  return function* (asked: RecordScope, period: Period, alarmWithin: number): Steps<AlarmFigures> {
    const counted = sums.counted(asked, period);
    const scope = scopes.resolve(asked);
    if (period.from >= period.to) return { ...noParts, ...counted, withoutAbsence: 0, unlooked: [] };
    yield;
    const looks = beginLooks();
    const question = { asked, scope, period, alarmWithin };
    const { left, clusters, sources: unlooked } = unlookedOf(looks, question);
    yield;
    const isAllRead = unlooked.length === 0;
    const found = yield* figuresOf(looks, { ...question, left, well: isAllRead }, clusters);
    const overdue = scope === null ? 0 : yield* readers.overdueIn(scope, period, alarmWithin);
    return {
      ...found,
      ...(isAllRead ? {} : { withoutAbsence: null }),
      silent: overdue - found.called - found.unknown,
      ...counted,
      unlooked,
    };
  };
}

/** Figures of a part of a question that is looked at as one. */
function* all({ look, begun }: Looks, question: LookAsked): Steps<Figures> {
  const first = begun(question);
  yield;
  const of = look(question, first);
  const parts = yield* of.parts();
  yield;
  return { ...parts, withoutAbsence: of.wellCalls().length };
}

function sumOf(figures: readonly Figures[]): Figures {
  return { ...addLooks(figures), withoutAbsence: figures.reduce((sum, one) => sum + one.withoutAbsence, 0) };
}
