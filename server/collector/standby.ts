import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import { sayStandby, saysEach, writerName, type Instance } from '#server/store/port/instance.ts';
import type { OpenRefusal } from '#server/store/port/open-refusal.ts';
import { takeWriterLock, type WriterLock } from '#server/store/sqlite/writing/writer-lock.ts';

/** The one that writes is asked for so often (ms). */
const askAgain = 500;

/** Parameters of `waitForTurn`. */
export interface TurnDeps {
  /** Of the store. */
  readonly path: string;
  readonly self: Instance;
  readonly clock: Clock;
  readonly log: Log;
  /** It is not wanted any more. */
  readonly ending: AbortSignal;
}

/** The right to write the store, or why it cannot be asked for; null where it is not wanted any more. */
export type Turn = Extract<WriterLock, { readonly type: 'taken' }> | OpenRefusal | null;

/**
 * Takes the right to write the store. While another process has it this one stands by, and says so in its log and, by a file beside the
 * store, on the pages of both.
 */
export async function waitForTurn({ path, self, clock, log, ending }: TurnDeps): Promise<Turn> {
  const since = clock.now();
  let saidAt: number | null = null;
  try {
    for (;;) {
      const lock = takeWriterLock(path, self);
      if (lock.type !== 'held') {
        if (saidAt !== null && lock.type === 'taken')
          log.warn({ path }, 'the other instance has ended: this one takes over');
        return lock;
      }
      const now = clock.now();
      if (saidAt === null)
        log.warn(
          { path, writer: lock.by === null ? null : writerName(lock.by) },
          'another Plumbline writes this data directory: this one stands by and reads no cluster until that ends',
        );
      if (saidAt === null || now - saidAt >= saysEach) {
        sayStandby(path, { ...self, since, seenAt: now });
        saidAt = now;
      }
      if (!(await pause(clock, ending))) return null;
    }
  } finally {
    if (saidAt !== null) sayStandby(path, null);
  }
}

/** Waits a little; false where all ends meanwhile. */
function pause(clock: Clock, ending: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (ending.aborted) return resolve(false);
    const timer = clock.after(askAgain, () => done(true));
    ending.addEventListener('abort', onAbort);

    function onAbort(): void {
      done(false);
    }

    function done(goesOn: boolean): void {
      timer.cancel();
      ending.removeEventListener('abort', onAbort);
      resolve(goesOn);
    }
  });
}
