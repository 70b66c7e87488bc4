import type { Period } from '#lib/domain/record/span.ts';
import { cutAtBlocks, wholeBlocks } from '../../../../codec/rollup-block.ts';
import {
  addTimes,
  bytesOfTimes,
  keptTimes,
  orderedTimes,
  type KeptTimes,
  type TimeLists,
} from '../../../../record/time-lists.ts';
import type { Steps } from '../../steps/steps.ts';
import type { Scopes } from '../record-scope.ts';
import { keptSums, type Kept } from './kept-sums.ts';

/** Counts and times of a period while they are kept. */
interface KeptTally {
  readonly counts: readonly number[];
  readonly times: KeptTimes;
}

/** Tallies of one sort: how one begins, with times that are in order or with none, and its counts. */
interface TallyRules<T extends TimeLists> extends Pick<Kept<KeptTally>, 'of' | 'bytes'> {
  readonly empty: (known?: KeptTimes) => T;
  readonly countsOf: (tally: T) => readonly number[];
  readonly addCounts: (tally: T, counts: readonly number[]) => void;
}

/** A period of which figures are written down; `keyOf` tells what is asked of a part of it, `read` adds that part to a tally. */
export interface AskedTally<T> {
  readonly period: Period;
  readonly keyOf: (part: Period) => string;
  readonly read: (tally: T, part: Period) => void;
}

/** Adds up counts and times block by block, and keeps what each comes to. */
export interface KeptTallies<T> {
  /** Sum of periods. That of their whole blocks is kept too, its times in order: a million need not be sorted again. */
  sum(asked: readonly AskedTally<T>[]): T;
  /** Adds a period that lies within days that are written down, read in steps. */
  add(
    tally: T,
    asked: Pick<AskedTally<T>, 'period' | 'keyOf'> & { readonly read: (tally: T, part: Period) => Steps<void> },
  ): Steps<void>;
}

const bytesOf = ({ counts, times }: KeptTally): number => bytesOfTimes(times) + 8 * counts.length;

/** Keeps tallies of one sort over an open database. */
export function keptTallies<T extends TimeLists>(
  scopes: Scopes,
  { of, bytes, empty, countsOf, addCounts }: TallyRules<T>,
): KeptTallies<T> {
  const kept = keptSums<KeptTally>(scopes, { of, bytes, bytesOf });

  function partOf({ keyOf, read }: AskedTally<T>, part: Period): KeptTally {
    return kept.recall(part, keyOf(part), () => {
      const tally = empty();
      read(tally, part);
      return { counts: countsOf(tally), times: keptTimes(tally) };
    });
  }

  function put(tally: T, { counts, times }: KeptTally): void {
    addCounts(tally, counts);
    addTimes(tally, times);
  }

  function wholeOf(asked: AskedTally<T>, whole: Period): KeptTally {
    return kept.recall(whole, `all ${asked.keyOf(whole)}`, () => {
      const tally = empty();
      for (const block of cutAtBlocks(whole)) put(tally, partOf(asked, block));
      return { counts: countsOf(tally), times: orderedTimes(tally) };
    });
  }

  return {
    sum(asked) {
      const parts = asked.map((one) => ({ one, ...wholeBlocks(one.period) }));
      const [first, ...others] = parts.flatMap(({ one, whole }) => (whole === null ? [] : [wholeOf(one, whole)]));
      const tally = empty(first?.times);
      if (first !== undefined) addCounts(tally, first.counts);
      for (const other of others) put(tally, other);
      for (const { one, beside } of parts)
        for (const period of beside) for (const part of cutAtBlocks(period)) put(tally, partOf(one, part));
      return tally;
    },
    *add(tally, { period, keyOf, read }) {
      const part = yield* kept.recallInSteps(period, keyOf(period), function* () {
        const own = empty();
        yield* read(own, period);
        return { counts: countsOf(own), times: keptTimes(own) };
      });
      put(tally, part);
    },
  };
}
