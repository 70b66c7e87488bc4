import type { Period } from '#lib/domain/record/span.ts';
import { cutAtBlocks } from '../../../../codec/rollup-block.ts';
import type { Part, RollupReader } from '../record-rollups.ts';
import type { ScopeIds, Scopes } from '../record-scope.ts';
import type { SharedPieces } from '../shared-pieces.ts';
import type { ScopePieces } from '../../steps/scope-pieces.ts';
import type { Steps } from '../../steps/steps.ts';
import { keptSums } from './kept-sums.ts';

/** Memory that is used at most: a block of days in which 60,000 objects were away takes 1 MB. */
const keptBytes = 24 * 2 ** 20;

/** Times (ms) by the ids of objects. */
export interface ObjectTimes {
  /** The longest and how long, longest first: those that tie with the last too. */
  longest(limit: number): readonly { readonly object: number; readonly away: number }[];
}

/** Ids of objects and how long each was away, one behind the other. */
type AwayPairs = Float64Array;

/** Adds up how long each object was away in a period, over an open database. What days that are rolled up come to is kept. */
export function openObjectTimes(scopes: Scopes, pieces: SharedPieces, rollups: RollupReader, eachPiece: ScopePieces) {
  const kept = keptSums<AwayPairs>(scopes, {
    of: 'days',
    bytes: keptBytes,
    bytesOf: ({ byteLength }) => byteLength,
  });

  function rolledTimes(part: Part): AwayPairs {
    const wanted = part.scope.kind === null ? null : objectsOf(scopes, part.scope);
    const times = objectTimes();
    rollups.each(part, 'away', (numbers, position, _cluster, day) => {
      const object = numbers[position] ?? 0;
      const counted = day !== null && (wanted === null || wanted.has(object));
      if (counted) times.add(object, numbers[position + 1] ?? 0);
      return position + 2;
    });
    return times.pairs();
  }

  return function* (whole: ScopeIds, of: Period): Steps<ObjectTimes> {
    const times = objectTimes();
    const parts = rollups.partsOf(whole, of);
    for (const { scope, period } of parts.plain)
      yield* eachPiece(scope, (piece) =>
        pieces.away(piece, period, (object, _cluster, _kind, from, to) => times.add(object, to - from)),
      );
    for (const { scope, period } of parts.rolled)
      for (const days of cutAtBlocks(period)) {
        const pairs = kept.recall(days, JSON.stringify(scope), () => rolledTimes({ scope, period: days }));
        for (let position = 0; position < pairs.length; position += 2)
          times.add(pairs[position] ?? 0, pairs[position + 1] ?? 0);
      }
    return times;
  };
}

function objectsOf(scopes: Scopes, scope: ScopeIds): ReadonlySet<number> {
  const { sql, parameters } = scopes.objects(scope);
  return new Set(scopes.ids(`SELECT o.id FROM object o WHERE ${sql}`, parameters));
}

/** Adds up times by the ids of objects. */
function objectTimes() {
  let times = new Float64Array(1_024);
  return {
    add(object: number, time: number): void {
      if (object >= times.length) {
        const larger = new Float64Array(object * 2);
        larger.set(times);
        times = larger;
      }
      times[object] = (times[object] ?? 0) + time;
    },
    pairs(): AwayPairs {
      const pairs: number[] = [];
      for (const [object, time] of times.entries()) if (time > 0) pairs.push(object, time);
      return Float64Array.from(pairs);
    },
    longest(limit: number) {
      const least = leastOf(times, limit);
      const longest: { readonly object: number; readonly away: number }[] = [];
      for (const [object, away] of times.entries()) if (away >= least) longest.push({ object, away });
      return longest.toSorted((a, b) => b.away - a.away);
    },
  };
}

/** The shortest of the so many longest times; the shortest there can be where there are no more. In one pass: few are among them. */
function leastOf(times: Float64Array, limit: number): number {
  const longest: number[] = [];
  let least = 0;
  for (const time of times) {
    if (time <= least) continue;
    const position = longest.findIndex((other) => other < time);
    longest.splice(position === -1 ? longest.length : position, 0, time);
    if (longest.length < limit) continue;
    longest.length = limit;
    least = longest[limit - 1] ?? 0;
  }
  return longest.length < limit ? Number.MIN_VALUE : least;
}
