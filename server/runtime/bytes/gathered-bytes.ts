/** Bytes that come in pieces. */
export interface GatheredBytes {
  readonly size: () => number;
  add(piece: Uint8Array): void;
  /** All of them in one piece; then it holds none. */
  take(): Buffer;
}

const first = 1_024;

/**
 * Gathers pieces into one, in at most twice the room that they need. They are copied: a server may send each byte as a piece of its own,
 * and to keep that as it came takes some 450 times as much.
 */
export function gatherBytes(): GatheredBytes {
  let room = Buffer.alloc(0);
  let size = 0;
  return {
    size: () => size,
    add(piece) {
      const needed = size + piece.length;
      if (needed > room.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(first, needed, 2 * room.length));
        room.copy(larger, 0, 0, size);
        room = larger;
      }
      room.set(piece, size);
      size += piece.length;
    },
    take() {
      const whole = room.subarray(0, size);
      room = Buffer.alloc(0);
      size = 0;
      return whole;
    },
  };
}
