import { durationList, type DurationList } from '../codec/duration-list.ts';
import type { Wide } from '../codec/pack/wide-numbers.ts';

/** Times that figures over absences and over incidents gather (ms). */
export interface TimeLists {
  readonly toConverge: DurationList;
  readonly toConvergeAtLeast: DurationList;
  readonly toNotice: DurationList;
}

/** The same while they are kept: numbers alone. */
export type KeptTimes = { readonly [L in keyof TimeLists]: Wide };

/** Begins lists, with nothing or with times that are in order. */
export function timeLists(known?: KeptTimes): TimeLists {
  return {
    toConverge: durationList(known?.toConverge),
    toConvergeAtLeast: durationList(known?.toConvergeAtLeast),
    toNotice: durationList(known?.toNotice),
  };
}

/** Times in any order. */
export function keptTimes({ toConverge, toConvergeAtLeast, toNotice }: TimeLists): KeptTimes {
  return {
    toConverge: toConverge.gathered(),
    toConvergeAtLeast: toConvergeAtLeast.gathered(),
    toNotice: toNotice.gathered(),
  };
}

/** Times in order: lists can begin with them. */
export function orderedTimes({ toConverge, toConvergeAtLeast, toNotice }: TimeLists): KeptTimes {
  return {
    toConverge: toConverge.narrow(),
    toConvergeAtLeast: toConvergeAtLeast.narrow(),
    toNotice: toNotice.narrow(),
  };
}

/** Adds kept times. */
export function addTimes(lists: TimeLists, kept: KeptTimes): void {
  lists.toConverge.addAll(kept.toConverge);
  lists.toConvergeAtLeast.addAll(kept.toConvergeAtLeast);
  lists.toNotice.addAll(kept.toNotice);
}

/** Memory that kept times take. */
export function bytesOfTimes({ toConverge, toConvergeAtLeast, toNotice }: KeptTimes): number {
  return toConverge.byteLength + toConvergeAtLeast.byteLength + toNotice.byteLength;
}
