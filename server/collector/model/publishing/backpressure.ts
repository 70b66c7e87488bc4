/** Null while what is written is taken at once; else resolves when there is room for more. */
export type Room = () => Promise<void> | null;

/**
 * Holds judgement back while the record is behind (a slow disk, a full one, a first sync of a large fleet): what changes is
 * taken in and judged once, when there is room: so that memory is bounded by what there is, not by how much of it changes.
 * Streams are read on, as what they bring is far smaller once it is taken in than while it waits in the windows of their
 * connections.
 */
export function createBackpressure(room: Room, wake: () => void) {
  let since: number | null = null;
  let waiting = false;
  return {
    /** True if nothing is to be judged or written now (ms). Wakes by itself when that is over. */
    holds(now: number): boolean {
      if (waiting) return true;
      const again = room();
      if (again === null) return false;
      since ??= now;
      waiting = true;
      void again.then(() => {
        waiting = false;
        wake();
      });
      return true;
    },
    /** Duration of the hold that is over since the last call (ms), 0 where there was none. */
    lasted(now: number): number {
      const from = since;
      since = null;
      return from === null ? 0 : now - from;
    },
  };
}
