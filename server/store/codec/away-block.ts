import { packWide, unpackWide, type Wide } from './pack/wide-numbers.ts';

/** Of what a list tells when it was away: of all objects of the cluster, of those of a kind (its id), of one applier (its object's id). */
export const awayListsOf = ['cluster', 'kind', 'applier'] as const;
export type AwayListOf = (typeof awayListsOf)[number];

/** When at least one object was away, in ms since the block began: ascending, without overlap. */
export interface AwayList {
  readonly of: AwayListOf;
  /** 0 for the cluster. */
  readonly id: number;
  readonly stretches: readonly number[];
}

/** Is told where in `numbers` the stretches of a list stand. */
export type AwayListVisitor = (of: AwayListOf, id: number, numbers: Wide, begin: number, end: number) => void;

const headerLength = 3;

/** The stored form: how many lists, of each what it is of and how many numbers it has, then the numbers. */
export function packAway(lists: readonly AwayList[]): Uint8Array {
  const headers = lists.flatMap(({ of, id, stretches }) => [awayListsOf.indexOf(of), id, stretches.length]);
  return packWide([lists.length, ...headers, ...lists.flatMap(({ stretches }) => stretches)]);
}

/** Tells the lists in their stored form. */
export function eachAwayList(bytes: Uint8Array, visit: AwayListVisitor): void {
  const numbers = unpackWide(bytes);
  const count = numbers[0] ?? 0;
  let begin = 1 + count * headerLength;
  for (let list = 0; list < count; list++) {
    const header = 1 + list * headerLength;
    const of = awayListsOf[numbers[header] ?? 0] ?? 'cluster';
    const end = begin + (numbers[header + 2] ?? 0);
    visit(of, numbers[header + 1] ?? 0, numbers, begin, end);
    begin = end;
  }
}
