import type { Readable } from 'node:stream';

/** So many pieces are looked at together. */
const looked = 1_000;
/** Mean bytes of each, at least: who writes lines or blocks is far above. */
const least = 64;

/** Why a stream of crumbs is ended, a clause. */
export const inCrumbs = 'what it sends comes in pieces of a few bytes';

/**
 * Has a stream refused, once, whose pieces of late are crumbs: a byte that comes as a piece of its own takes as much of the thread of all as a
 * large piece, and some 150 to 450 bytes where it waits.
 */
export function refuseCrumbs(stream: Readable, refuse: () => void): void {
  let [pieces, bytes] = [0, 0];
  let refused = false;
  const push = stream.push.bind(stream);
  // Counted as they arrive: a stream that rests hands on none, and keeps all that its window lets in.
  stream.push = (piece: unknown, encoding?: BufferEncoding): boolean => {
    if (refused) return false;
    if (piece instanceof Uint8Array) {
      pieces += 1;
      bytes += piece.length;
      if (pieces >= looked) {
        refused = bytes < pieces * least;
        [pieces, bytes] = [0, 0];
        if (refused) {
          refuse();
          return false;
        }
      }
    }
    return push(piece, encoding);
  };
}
