/**
 * Lets work begin one piece after the other, and connections be served in between: those who wait (`by`) have one piece each, again and
 * again. Who asks for a hundred at once delays others by one.
 */
export function fairTurns(rest: (then: () => void) => void = goRound) {
  /** In the order in which they have their next turn. */
  const waiting = new Map<string, (() => void)[]>();
  let isResting = false;

  function begin(): void {
    const [next] = waiting;
    if (isResting || next === undefined) return;
    const [by, [first, ...others]] = next;
    waiting.delete(by);
    if (others.length > 0) waiting.set(by, others);
    isResting = true;
    first?.();
    rest(() => {
      isResting = false;
      begin();
    });
  }

  return {
    /** Resolves when it is the turn of `by`: at once where nobody has just had one. */
    take: (by: string): Promise<void> =>
      new Promise((resolve) => {
        waiting.set(by, [...(waiting.get(by) ?? []), resolve]);
        begin();
      }),
  };
}

/** The process's loop takes one new connection each time that it goes round: so many of those who wait at the door are let in meanwhile. */
const rounds = 16;

/** Calls back when the loop has gone round so often. */
export function goRound(then: () => void, left = rounds): void {
  setImmediate(() => (left > 1 ? goRound(then, left - 1) : then()));
}
