import { AsyncLocalStorage } from 'node:async_hooks';

const listeners = new AsyncLocalStorage<string>();

/** Makes an answer to `by` (`listenerOf`); `askedBy` tells it to all that is called meanwhile, in pages too. */
export function answerTo<Answer>(by: string, make: () => Answer): Answer {
  return listeners.run(by, make);
}

/** For whom an answer is being made now; '' where it is for nobody who asked: what this process does by itself. */
export function askedBy(): string {
  return listeners.getStore() ?? '';
}
