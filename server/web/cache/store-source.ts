import { statSync } from 'node:fs';
import type { Log } from '#server/runtime/log.ts';
import { describeCondition, readCondition, seeReadOnly } from '#server/store/port/condition.ts';
import { describeStandby, readStandby } from '#server/store/port/instance.ts';
import { describeOpenRefusal } from '#server/store/port/open-refusal.ts';
import { openReaderThread } from '#server/store/reader-thread/reader-thread.ts';
import type { StoreSource } from './follower.ts';
import { openPastThread } from '../past/past-thread.ts';
import { threadTurns } from '../turns/thread-turns.ts';
import type { WebDeps } from '../start-web.ts';

/** Faults of the record that are logged, each of other words, for each time that it is opened. */
const mostFaults = 100;

/**
 * The SQLite store at `path`, which may not be there yet and may be replaced under us. Who asks and is refused says no more than that the record cannot
 * be read: `log` says why, once for the same words.
 */
export function sqliteStore(path: string, log: Log): Pick<WebDeps, 'source' | 'openPast'> {
  return { source: sqliteSource(path, log), openPast: (_store, settings) => openPastThread(path, settings) };
}

type InTurn = ReturnType<typeof threadTurns>;

/** The same turns; each call that is rejected is heard. */
function heardTurns(inTurn: InTurn, hear: (error: unknown) => void): InTurn {
  return (call) =>
    inTurn(() =>
      call().catch((error: unknown) => {
        hear(error);
        throw error;
      }),
    );
}

function sqliteSource(path: string, log: Log): StoreSource {
  return {
    async open() {
      const told = new Set<string>();
      const hear = (error: unknown): void => {
        const words = String(error);
        if (told.has(words) || told.size >= mostFaults) return;
        told.add(words);
        log.error({ err: error }, 'the record could not answer a question');
      };
      const opened = await openReaderThread({
        path,
        turns: (sideBySide) => heardTurns(threadTurns(sideBySide), hear),
      });
      if ('type' in opened) throw new Error(`${describeOpenRefusal(opened)}.`);
      return opened;
    },
    identity() {
      const found = statSync(path, { throwIfNoEntry: false });
      return found ? `${found.dev}:${found.ino}` : null;
    },
    condition(now) {
      const told = describeCondition(readCondition(path), now) ?? describeCondition(seeReadOnly(path, now), now);
      const found = [told, describeStandby(readStandby(path), now)].filter((words) => words !== null);
      return found.length === 0 ? null : found.join(' ');
    },
  };
}
