import type { Clock, Timer } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { Retention, StoreReader } from '#server/store/port/port.ts';

/** Facts of the record itself: how large, since when (ms; null where there is none yet), and how long it is kept. */
export interface RecordFacts extends Retention {
  readonly bytes: number;
  readonly since: number | null;
}

/** Sources of the record's facts. */
export interface RecordFactsDeps {
  readonly reader: () => StoreReader | null;
  readonly retention: Retention;
  readonly clock: Clock;
  readonly log: Log;
}

const betweenReads = 60_000;
const whileUnknown = 1_000;

/** Asks for the record's facts once a minute. */
export function startRecordFacts({ reader, retention, clock, log }: RecordFactsDeps): {
  now(): RecordFacts | null;
  stop(): void;
} {
  let facts: RecordFacts | null = null;
  let stopped = false;
  let timer: Timer = clock.after(0, () => void read());

  async function ask(store: StoreReader): Promise<void> {
    const [{ bytes }, since] = await Promise.all([store.stats(), store.record.since({ clusters: null })]);
    facts = { ...retention, bytes, since };
  }

  async function read(): Promise<void> {
    const store = reader();
    // What cannot be read just now is said elsewhere; what was known of it stays.
    if (store !== null)
      await ask(store).catch((error: unknown) => log.debug({ error }, 'the facts of the record could not be read'));
    if (!stopped) timer = clock.after(facts === null ? whileUnknown : betweenReads, () => void read());
  }

  return {
    now: () => facts,
    stop() {
      stopped = true;
      timer.cancel();
    },
  };
}
