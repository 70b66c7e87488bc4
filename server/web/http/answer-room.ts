/** Bounds of the answers that are being made and sent. */
interface AnswerBounds {
  readonly all: number;
  /** Of one who asks (`listenerOf`). */
  readonly ofOne: number;
}

/**
 * Room for the answers that are being made, or are made and not yet read: each may hold some megabytes. Streams have a room of their own,
 * and probes need none.
 */
export function answerRoom({ all, ofOne }: AnswerBounds = { all: 1_000, ofOne: 250 }) {
  const underWay = new Map<string, number>();
  let sum = 0;

  function leave(by: string): void {
    sum -= 1;
    const left = (underWay.get(by) ?? 0) - 1;
    if (left > 0) underWay.set(by, left);
    else underWay.delete(by);
  }

  return {
    /** Takes a place for an answer to `by` until that is closed; false where there is none. */
    enter(by: string, response: { once(event: 'close', leave: () => void): unknown }): boolean {
      const own = underWay.get(by) ?? 0;
      if (sum >= all || own >= ofOne) return false;
      sum += 1;
      underWay.set(by, own + 1);
      response.once('close', () => leave(by));
      return true;
    },
  };
}
