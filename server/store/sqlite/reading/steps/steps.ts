/** A question that is answered step by step, each of them short; between two of them others may be answered. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Answer of all steps, one right after the other. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Answer of all steps; before each but the first it is waited for `turn`. */
export async function inTurns<T>(steps: Steps<T>, turn: () => Promise<void>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await turn();
  }
}

/** Steps of what is done in one. */
// oxlint-disable-next-line require-yield
export function* oneStep<T>(read: () => T): Steps<T> {
  return read();
}
