import { statSync } from 'node:fs';
import { describeCondition, readCondition, seeReadOnly } from '#server/store/port/condition.ts';
import { describeStandby, readStandby } from '#server/store/port/instance.ts';
import { describeOpenRefusal } from '#server/store/port/open-refusal.ts';
import { openReaderThread } from '#server/store/reader-thread/reader-thread.ts';
import type { StoreSource } from './cache/follower.ts';
import { openPastThread } from './past/past-thread.ts';
import { threadTurns } from './turns/thread-turns.ts';
import type { WebDeps } from './start-web.ts';

/** The SQLite store at `path`, which may not be there yet and may be replaced under us. */
export function sqliteStore(path: string): Pick<WebDeps, 'source' | 'openPast'> {
  return { source: sqliteSource(path), openPast: (_store, settings) => openPastThread(path, settings) };
}

function sqliteSource(path: string): StoreSource {
  return {
    async open() {
      const opened = await openReaderThread({ path, turns: threadTurns });
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
