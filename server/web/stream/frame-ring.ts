/** One frame as it is sent, with its number within this process, and when it was (ms). */
export interface SentFrame {
  readonly number: number;
  readonly at: number;
  readonly bytes: Buffer;
}

/** The recent frames of one topic, bounded in count and bytes. */
export interface FrameRing {
  push(frame: SentFrame): void;
  /** The frames after that number; null where some of them have left the ring, or never were in it. */
  after(number: number): readonly Buffer[] | null;
  /** The frames sent after that time (ms); null where some of them have left the ring, or never were in it. */
  later(time: number): readonly Buffer[] | null;
}

/** Makes a ring, within a limit that is asked for with each frame, of a topic that began at `began.at` (ms), when the process had sent `began.number` frames. */
export function frameRing(
  began: Pick<SentFrame, 'number' | 'at'>,
  limit: () => { readonly frames: number; readonly bytes: number } = () => ({ frames: 512, bytes: 8 * 1024 * 1024 }),
): FrameRing {
  const frames: SentFrame[] = [];
  let bytes = 0;
  /** The last frame that is not in the ring. */
  let gone = began;
  const newest = (): number => frames.at(-1)?.number ?? gone.number;
  return {
    push(frame) {
      frames.push(frame);
      bytes += frame.bytes.length;
      const most = limit();
      while (frames.length > most.frames || bytes > most.bytes) {
        const oldest = frames.shift();
        if (!oldest) break;
        bytes -= oldest.bytes.length;
        gone = oldest;
      }
    },
    after(number) {
      // A number from the future is another process's that had the same epoch by a wrong clock: not to be trusted.
      if (number < gone.number || number > newest()) return null;
      return frames.filter((frame) => frame.number > number).map((frame) => frame.bytes);
    },
    later: (time) => (time < gone.at ? null : frames.filter((frame) => frame.at > time).map((frame) => frame.bytes)),
  };
}
