/** One frame as it is sent, with its number within this process. */
export interface SentFrame {
  readonly number: number;
  readonly bytes: Buffer;
}

/** The recent frames of one topic, bounded in count and bytes. */
export interface FrameRing {
  push(frame: SentFrame): void;
  /** The frames after `number`; null where some of them have left the ring, or never were in it. */
  since(number: number): readonly SentFrame[] | null;
}

/** Makes a ring of a topic that began when the process had sent `floor` frames. */
export function frameRing(floor: number, limit = { frames: 512, bytes: 8 * 1024 * 1024 }): FrameRing {
  const frames: SentFrame[] = [];
  let bytes = 0;
  let oldestKnown = floor;
  let newest = floor;
  return {
    push(frame) {
      frames.push(frame);
      bytes += frame.bytes.length;
      newest = frame.number;
      while (frames.length > limit.frames || bytes > limit.bytes) {
        const gone = frames.shift();
        if (!gone) break;
        bytes -= gone.bytes.length;
        oldestKnown = gone.number;
      }
    },
    since(number) {
      // A number from the future is another process's that had the same epoch by a wrong clock: not to be trusted.
      if (number < oldestKnown || number > newest) return null;
      return frames.filter((frame) => frame.number > number);
    },
  };
}
