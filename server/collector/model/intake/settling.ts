import type { RefKey } from '#lib/domain/observation/ref.ts';
import { settle, settleDue } from '#lib/domain/observation/track.ts';
import { noteCorrection } from '../claims/corrections.ts';
import type { ModelParts } from '../model-parts.ts';
import type { Entry } from '../objects/entry.ts';

/** Ids of inventories that are gone through in one go: some hundred milliseconds, in which no other cluster has its turn. */
const idsAtOnce = 100_000;

/** Believes what objects said once they have been quiet. */
export type Settling = ReturnType<typeof createSettling>;

/** Starts with nothing that waits. */
export function createSettling({ graph, conflicts, gate, queue, settles }: ModelParts) {
  function written(entry: Entry): void {
    const due = settleDue(entry.state.track);
    if (due !== null) settles.add(entry.key, due);
    // Before the first judgement nobody asks who depends on whom: all are linked then.
    if (gate.isOpen()) queue.add(graph.relink(entry));
  }

  function settleOne(entry: Entry, until: number, at: number): void {
    const before = entry.state.track;
    entry.change({ track: settle(before, until) });
    if (entry.state.track !== before) noteCorrection(entry, null, at, { conflicts, graph });
  }

  function settleAll(keys: readonly RefKey[], until: number, now: number): void {
    for (const key of keys) {
      const entry = graph.entries.get(key);
      if (!entry) continue;
      settleOne(entry, until, now);
      written(entry);
    }
  }

  /** Settles these in their order, as far as there is time for at once; what is left is due still. */
  function settleSome(keys: readonly RefKey[], now: number): void {
    let left = idsAtOnce;
    for (const key of keys) {
      if (left < 0) {
        settles.add(key, now);
        continue;
      }
      left -= graph.entries.get(key)?.inventory.length ?? 0;
      settleAll([key], now, now);
      left -= graph.entries.get(key)?.inventory.length ?? 0;
    }
  }

  return {
    /** An object said something, or what it said settled: sees to what depends on it, and when to look again. */
    written,
    /** Settles one object as far as it was quiet by `until` (ms). */
    settle: settleOne,
    /** Settles what is due at `now` (ms), as far as there is time for at once: the rest at the next call. */
    settleDue: (now: number): void => settleSome(settles.due(now), now),
    /** Settles everything that waits, quiet or not. */
    settleAll: (now: number): void => settleAll(settles.keys(), Number.POSITIVE_INFINITY, now),
  };
}
