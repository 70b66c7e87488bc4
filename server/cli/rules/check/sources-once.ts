import { areScopesAsked } from '#server/collector/alarms/prometheus/wanted-scopes.ts';
import { startSource } from '#server/collector/alarms/source/alarm-source.ts';
import type { AlarmEntry } from '#server/config/alarms-schema.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import { type ToldSource, type ToldSources, toldSources } from './told-sources.ts';

/** Parameters of one look at alarm sources. */
interface OnceDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Time for all of them, ms. */
  readonly within: number;
  /** Told each time how many of them have been read, or cannot be. */
  readonly onProgress?: (done: number) => void;
}

/** Reads alarm sources once, without a store. One that has not answered whole in time tells what it told by then. */
export async function sourcesOnce(
  entries: readonly AlarmEntry[],
  { clock, log, within, onProgress }: OnceDeps,
): Promise<ToldSources> {
  const told = toldSources();
  const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  const over = Promise.withResolvers<undefined>();
  const left = new Map(entries.map((entry) => [entry.name, entry]));
  let isOver = false;
  const deadline = clock.after(within, () => over.resolve(undefined));
  // Nothing else keeps a process alive that waits for an answer to be asked for again.
  const alive = setInterval(() => undefined, 2 ** 30);
  const running = entries.map((entry) =>
    startSource({
      entry,
      stored: { source: null, facts: [], openCalls: [] },
      clock,
      log,
      random: Math.random,
      turn,
      write(batch) {
        // What is written once it is stopped says that it was stopped, and nothing of the source.
        if (isOver) return Promise.resolve();
        told.take(entry.name, batch);
        if (!left.has(entry.name) || !isRead(entry, told.of(entry.name))) return Promise.resolve();
        left.delete(entry.name);
        onProgress?.(entries.length - left.size);
        if (left.size === 0) over.resolve(undefined);
        return Promise.resolve();
      },
    }),
  );
  if (left.size > 0) await over.promise;
  isOver = true;
  deadline.cancel();
  clearInterval(alive);
  await Promise.all(running.map((source) => source.stop()));
  return told;
}

/** True once each program was read whole, its series as well, or has failed. */
function isRead({ prometheus, metrics }: AlarmEntry, told: ToldSource | null): boolean {
  if (told === null || told.source.programs.some(({ state }) => state === 'reading')) return false;
  const isLost = told.source.programs.some(({ program, state }) => program === 'prometheus' && state === 'failed');
  return prometheus === null || isLost || areScopesAsked(told.facts, metrics);
}
