import type { OpenRefusal } from '../port/open-refusal.ts';

/** A question to the thread: the method of that number in the table. */
export interface Question<A> {
  readonly id: number;
  readonly method: number;
  readonly asked: A;
}

/** A message of the thread: first how opening the store went (`refusal` null where it is open), then an answer to each question. */
export type Reply<T> =
  | { readonly type: 'opened'; readonly refusal: OpenRefusal | null }
  | { readonly type: 'result'; readonly id: number; readonly result: T }
  | { readonly type: 'fault'; readonly id: number; readonly fault: Error };
