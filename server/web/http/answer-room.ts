import { shares, type ShareBounds } from './shares.ts';

/**
 * Room for the answers that are being made, or are made and not yet read: each may hold some megabytes. Streams have a room of their own,
 * and probes need none.
 */
export function answerRoom(bounds: ShareBounds = { all: 1_000, ofOne: 250 }) {
  const underWay = shares(bounds);
  return {
    /** Takes a place for an answer to `by` until that is closed; false where there is none. */
    enter(by: string, response: { once(event: 'close', leave: () => void): unknown }): boolean {
      if (!underWay.hasFor(by, 1)) return false;
      underWay.add(by, 1);
      response.once('close', () => underWay.add(by, -1));
      return true;
    },
  };
}
