import { AsyncLocalStorage } from 'node:async_hooks';

/** An answer that is being made, for whom (`askerOf`), and whether a question was refused meanwhile as he asks too much. */
interface Making {
  readonly by: string;
  isRefused: boolean;
}

const listeners = new AsyncLocalStorage<Making>();

/** Makes an answer to `by` (`askerOf`); `askedBy` tells it to all that is called meanwhile, in pages too. */
export function answerTo<Answer>(by: string, make: () => Answer): Answer {
  return listeners.run({ by, isRefused: false }, make);
}

/** For whom an answer is being made now; '' where it is for nobody who asked: what this process does by itself. */
export function askedBy(): string {
  return listeners.getStore()?.by ?? '';
}

/** Says that a question of the answer which is being made is refused: too many of the one for whom it is made wait. */
export function refuseQuestion(): void {
  const making = listeners.getStore();
  if (making !== undefined) making.isRefused = true;
}

/** An answer to the one for whom one is being made now, and what tells whether a question of it was refused so far: then it says less than others are told. */
export function watchedAnswer<Answer>(make: () => Answer): { readonly answer: Answer; isRefused(): boolean } {
  const making = { by: askedBy(), isRefused: false };
  return { answer: listeners.run(making, make), isRefused: () => making.isRefused };
}
