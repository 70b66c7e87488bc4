import type { MessagePort, Transferable } from 'node:worker_threads';

/** A call to a thread. */
export interface Call<Asked> {
  readonly id: number;
  readonly name: string;
  readonly asked: Asked;
}

/** A message of a thread: first its greeting, then an answer to each call. */
export type Message<Result> =
  | { readonly type: 'serving'; readonly greeting: Result }
  | { readonly type: 'result'; readonly id: number; readonly result: Result }
  | { readonly type: 'fault'; readonly id: number; readonly fault: Error };

/** Methods that a thread answers by, under the names that it is called with. */
export type Methods = Readonly<Record<string, (...asked: never) => Promise<unknown>>>;

/** Greets whoever started the thread, and answers the calls that come over the port. `handedOver`: what of a result leaves this thread. */
export function serveCalls(
  port: MessagePort,
  greeting: unknown,
  methods: Methods,
  handedOver: (result: unknown) => readonly Transferable[] = () => [],
): void {
  const send = (message: Message<unknown>, transfer: readonly Transferable[] = []): void =>
    port.postMessage(message, [...transfer]);

  async function answer({ id, name, asked }: Call<never>): Promise<void> {
    try {
      const result = await methods[name]?.(...asked);
      send({ type: 'result', id, result }, handedOver(result));
    } catch (error) {
      send({ type: 'fault', id, fault: error instanceof Error ? error : new Error(String(error)) });
    }
  }

  port.on('message', (call: Call<never>) => void answer(call));
  send({ type: 'serving', greeting });
}
