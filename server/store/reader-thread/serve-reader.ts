import type { MessagePort } from 'node:worker_threads';
import type { OpenRefusal } from '../port/open-refusal.ts';
import type { StoreReader } from '../port/port.ts';
import { readerMethods } from './reader-methods.ts';

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

/** Answers over a port what is asked of a reader, or tells why there is none. */
export function serveReader(reader: StoreReader | OpenRefusal, port: MessagePort): void {
  const reply = (given: Reply<unknown>): void => port.postMessage(given);
  if ('type' in reader) return reply({ type: 'opened', refusal: reader });

  const methods: ((...asked: never) => Promise<unknown>)[] = [];
  readerMethods((of) => {
    const method = of(reader);
    methods.push(method);
    return method;
  });

  async function answer({ id, method, asked }: Question<never>): Promise<void> {
    try {
      reply({ type: 'result', id, result: await methods[method]?.(...asked) });
    } catch (error) {
      reply({ type: 'fault', id, fault: error instanceof Error ? error : new Error(String(error)) });
    }
  }

  port.on('message', (question: Question<never>) => void answer(question));
  reply({ type: 'opened', refusal: null });
}
