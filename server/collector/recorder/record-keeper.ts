import type { Clock, Timer } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { Retention } from '#server/store/port/port.ts';
import type { Thread } from './thread.ts';

/** Parameters of the keeper. */
export interface RecordKeeperDeps {
  readonly thread: Thread;
  readonly clock: Clock;
  readonly log: Log;
  /** null: everything is kept, and only what is done once is done. */
  readonly retention: Retention | null;
  /** True if the store has more pressing things to do now. */
  readonly busy: () => boolean;
}

/**
 * Between two steps writes come between (ms), and those that were asked for meanwhile where readers wait for what is left; each minute it
 * is seen if anything has become old.
 */
const betweenSteps = 50;
const betweenRuns = 60_000;
const whileBusy = 1_000;

/** Starts keeping the record: rolls up what is over and deletes what is old, in small steps between the writes. */
export function startRecordKeeper({ thread, clock, log, retention, busy }: RecordKeeperDeps) {
  let stopped = false;
  let complained = false;
  let timer: Timer = clock.after(betweenRuns, run);

  function again(delay: number): void {
    if (!stopped) timer = clock.after(delay, run);
  }

  async function step(): Promise<number> {
    const answer = await thread.ask({ type: 'keep', retention, now: clock.now() });
    if (answer.type === 'kept') {
      complained = false;
      if (answer.pressing) return 0;
      return answer.more ? betweenSteps : betweenRuns;
    }
    const message = answer.type === 'failed' ? answer.message : 'the recorder thread does not answer';
    if (!complained && !stopped) log.warn({ message }, 'the record could not be kept; it is tried again');
    complained = true;
    return betweenRuns;
  }

  function run(): void {
    if (busy()) return again(whileBusy);
    void step().then(again);
  }

  return {
    stop(): void {
      stopped = true;
      timer.cancel();
    },
  };
}
