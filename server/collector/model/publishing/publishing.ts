import type { WriteBatch } from '#server/store/port/port.ts';
import type { ModelParts } from '../model-parts.ts';
import { boundedParts } from './bounded-parts.ts';
import { createBackpressure, type Room } from './backpressure.ts';

/** The way from the model to the record. */
export type Publishing = ReturnType<typeof createPublishing>;

/** Starts with nothing to write; `wake` is called when the record has room again. */
export function createPublishing(
  { feeds, graph, journal, gate, resume, vouching, settles }: ModelParts,
  { write, room = () => null }: { readonly write: (batch: WriteBatch) => void; readonly room?: Room | undefined },
  wake: () => void,
) {
  let setBackTo: number | null = null;
  return {
    ...createBackpressure(room, wake),
    /** The machine's clock was set back to this (ms): the record is told with the next batch. */
    setBack(to: number): void {
      setBackTo = to;
    },
    /** Writes what was judged since the last call, at `now` (ms), while there is more to judge: nothing is vouched for by it. */
    flushJudged(now: number): void {
      const batch = journal.batch(now, { cluster: null, coverage: [], resume: [] });
      if (batch) for (const part of boundedParts(batch)) write(part);
    },
    /** Writes what changed since the last call, where anything did, at `now` (ms). */
    flush(now: number): void {
      const cluster = vouching.due(now);
      const points = gate.isOpen() ? resume.storable(graph.entries, settles.keys) : [];
      const batch = journal.batch(now, { cluster, coverage: feeds.coverage(), resume: points, setBackTo });
      setBackTo = null;
      if (!batch) return;
      resume.stored(points);
      for (const part of boundedParts(batch)) write(part);
    },
  };
}
