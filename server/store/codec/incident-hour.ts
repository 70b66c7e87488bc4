import type { CauseTally } from '../record/incident/cause-tally.ts';
import type { DurationList } from './duration-list.ts';
import { packNumbers, unpackNumbers, type Numbers } from './rollup-block.ts';

/** Figures of the incidents that were known first or over in one hour. Times in ms, ascending. */
export interface IncidentHour {
  readonly opened: number;
  readonly members: number;
  readonly large: number;
  readonly closed: number;
  readonly gone: number;
  readonly toNotice: Float64Array;
  readonly toConverge: Float64Array;
  readonly toConvergeAtLeast: Float64Array;
}

/** Counts of an hour stand in front, then each list of times: how many, the first, and by how much each is longer than the one before. */
export function encodeIncidentHour(hour: IncidentHour): Uint8Array {
  const { opened, members, large, closed, gone } = hour;
  const lists = [hour.toNotice, hour.toConverge, hour.toConvergeAtLeast].flatMap((times) => [
    times.length,
    ...steps(times),
  ]);
  return packNumbers([opened, members, large, closed, gone, ...lists]);
}

function steps(times: Float64Array): readonly number[] {
  return Array.from(times, (time, index) => time - (times[index - 1] ?? 0));
}

/** Adds packed hours to a tally, one behind the other. */
export function openIncidentHours(tally: CauseTally): (packed: Uint8Array) => void {
  let numbers: Numbers = new Float64Array(1_024);
  return (packed) => {
    [numbers] = unpackNumbers(packed, numbers);
    tally.opened += numbers[0] ?? 0;
    tally.members += numbers[1] ?? 0;
    tally.large += numbers[2] ?? 0;
    tally.closed += numbers[3] ?? 0;
    tally.gone += numbers[4] ?? 0;
    let place = 5;
    for (const list of [tally.toNotice, tally.toConverge, tally.toConvergeAtLeast])
      place = addTimes(list, numbers, place);
  };
}

/** Adds the times that stand from a place on; gives the place behind them. */
function addTimes(list: DurationList, numbers: Numbers, place: number): number {
  const end = place + 1 + (numbers[place] ?? 0);
  let time = 0;
  for (let index = place + 1; index < end; index++) {
    time += numbers[index] ?? 0;
    list.add(time);
  }
  return end;
}
