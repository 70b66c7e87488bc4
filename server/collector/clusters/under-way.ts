/** One answer, or line of a watch, that is not complete yet. */
export interface Held {
  /** So many bytes of it are held now; false where that is too much for the cluster. */
  hold(bytes: number): boolean;
  release(): void;
}

/** Counts what has come of the answers of one cluster that are not complete yet: `most` bytes together. */
export function createUnderWay(most: number) {
  let held = 0;
  return {
    begin(): Held {
      let mine = 0;
      function hold(bytes: number): boolean {
        held += bytes - mine;
        mine = bytes;
        return held <= most;
      }
      return { hold, release: () => void hold(0) };
    },
  };
}
