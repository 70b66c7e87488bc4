import type { Period } from '#lib/domain/record/span.ts';
import type { AbsenceColumns, AbsenceLists } from '../../../../codec/absence-block.ts';
import type { DurationList } from '../../../../codec/duration-list.ts';
import { emptyTally, overdueOf, tallyVisitor, type AbsenceTally } from '../../../../record/absences.ts';
import type { AbsenceReader } from '../absence-reader.ts';
import type { Part, RollupReader } from '../record-rollups.ts';
import type { ScopeIds, Scopes } from '../record-scope.ts';
import type { ScopePieces } from '../../steps/scope-pieces.ts';
import type { Steps } from '../../steps/steps.ts';
import { keptTallies } from './kept-tallies.ts';

/** Memory that is used at most for what days come to: those of 90 days with a million absences take 16 MB. */
const keptBytes = 32 * 2 ** 20;

/** Reads what happened to absences in a part of a question that is read from spans. */
type PlainReading = (tally: AbsenceTally, part: Part, alarmWithin: number) => void;

/** Adds up what happened to absences in a period, over an open database. What days that are rolled up come to is kept. */
export function openAbsenceSums(
  scopes: Scopes,
  absences: AbsenceReader,
  rollups: RollupReader,
  eachPiece: ScopePieces,
) {
  const tallies = keptTallies<AbsenceTally>(scopes, {
    of: 'days',
    bytes: keptBytes,
    empty: emptyTally,
    countsOf: ({ opened, closed, gone, overdue }) => [opened, closed, gone, overdue],
    addCounts(tally, [opened = 0, closed = 0, gone = 0, overdue = 0]) {
      tally.opened += opened;
      tally.closed += closed;
      tally.gone += gone;
      tally.overdue += overdue;
    },
  });

  const everything: PlainReading = (tally, part, alarmWithin) =>
    absences.each(part.scope, part.period, tallyVisitor(tally, alarmWithin));
  const overdueAlone: PlainReading = (tally, part, alarmWithin) =>
    absences.away(part.scope, part.period, tallyVisitor(tally, alarmWithin));

  const sumsBy = (readPlain: PlainReading) =>
    function* (whole: ScopeIds, period: Period, alarmWithin: number): Steps<AbsenceTally> {
      const { rolled, plain } = rollups.partsOf(whole, period);
      function asking<Read>({ scope, period: of }: Part, read: Read) {
        const key = JSON.stringify([scope, alarmWithin]);
        return { period: of, keyOf: () => key, read };
      }
      const tally = tallies.sum(
        rolled.map((part) =>
          asking(part, (into: AbsenceTally, days: Period) =>
            rollups.eachAbsences({ ...part, period: days }, (lists) => addLists(into, lists, whole.kind, alarmWithin)),
          ),
        ),
      );
      for (const part of plain) {
        const inPieces = (into: AbsenceTally, read: PlainReading): Steps<void> =>
          eachPiece(part.scope, (scope) => read(into, { ...part, scope }, alarmWithin));
        if (rollups.isRolled(part.scope, part.period))
          yield* tallies.add(
            tally,
            asking(part, (into: AbsenceTally) => inPieces(into, everything)),
          );
        else yield* inPieces(tally, readPlain);
      }
      return tally;
    };

  const ofOverdue = sumsBy(overdueAlone);
  return {
    sums: sumsBy(everything),
    /** The overdue time of it alone (ms). */
    *overdue(whole: ScopeIds, period: Period, alarmWithin: number): Steps<number> {
      return (yield* ofOverdue(whole, period, alarmWithin)).overdue;
    },
  };
}

/** Adds what is rolled up, of one kind or of all (null). */
function addLists(
  tally: AbsenceTally,
  { numbers, ...lists }: AbsenceLists,
  kind: number | null,
  alarmWithin: number,
): void {
  /** Number of entries of a list that are of the kind; their durations are gathered. */
  function taken({ count, kinds, first }: AbsenceColumns, durations: DurationList | null): number {
    if (kind === null) {
      durations?.addAll(numbers.subarray(first, first + count));
      return count;
    }
    let found = 0;
    for (let index = 0; index < count; index++) {
      if (numbers[kinds + index] !== kind) continue;
      durations?.add(numbers[first + index] ?? 0);
      found++;
    }
    return found;
  }
  tally.opened += taken(lists.opened, tally.toNotice) + taken(lists.openedAtLeast, null);
  tally.closed += taken(lists.closed, tally.toConverge) + taken(lists.closedAtLeast, tally.toConverge);
  taken(lists.closedAtLeast, tally.toConvergeAtLeast);
  tally.gone += taken(lists.gone, null);
  const { count, kinds, first, second } = lists.away;
  for (let index = 0; index < count; index++) {
    if (kind !== null && kind !== numbers[kinds + index]) continue;
    tally.overdue += overdueOf(numbers[first + index] ?? 0, numbers[second + index] ?? 0, alarmWithin);
  }
}
