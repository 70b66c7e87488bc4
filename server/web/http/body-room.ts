import { shares, type ShareBounds } from './shares.ts';

const mebibyte = 1024 * 1024;

/**
 * Room (bytes) for the bodies of answers that are made and not yet read. Answers may be many or large, not both: who reads none of 250 answers
 * of 3 MB would cost as much memory as the process has.
 */
export function bodyRoom(bounds: ShareBounds = { all: 256 * mebibyte, ofOne: 128 * mebibyte }) {
  const held = shares(bounds);
  return {
    /** True if there is room for so many more bytes to `by`. */
    hasFor: held.hasFor,
    /**
     * Takes room for a body to `by` until its answer is closed; null where there is none. Gives what tells that the body has become smaller
     * (bytes).
     */
    enter(
      by: string,
      bytes: number,
      response: { once(event: 'close', leave: () => void): unknown },
    ): ((smaller: number) => void) | null {
      if (!held.hasFor(by, bytes)) return null;
      let own = bytes;
      let isClosed = false;
      held.add(by, own);
      response.once('close', () => {
        isClosed = true;
        held.add(by, -own);
      });
      return (smaller) => {
        if (isClosed) return;
        held.add(by, smaller - own);
        own = smaller;
      };
    },
  };
}
