import { createAsk } from '#server/collector/alarms/asking/ask.ts';
import { recordedAlarms } from '#server/collector/alarms/recorded-alarms.ts';
import { startSource } from '#server/collector/alarms/source/alarm-source.ts';
import type { Recorder } from '#server/collector/recorder/recorder.ts';
import type { AlarmEntry } from '#server/config/alarms-schema.ts';
import { systemClock, type Clock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';

/** Reads alarm sources by a clock that is played, in this thread, and writes what they tell; an answer may take as long as it does in reality. */
export async function playSources(entries: readonly AlarmEntry[], recorder: Recorder, clock: Clock) {
  const sink = recordedAlarms(recorder, silentLog);
  const running = await Promise.all(
    entries.map(async (entry) =>
      startSource({
        entry,
        stored: await sink.load(entry.name),
        clock,
        log: silentLog,
        random: () => 0.5,
        turn: () => Promise.resolve(),
        write: (batch) => sink.write(entry.name, batch),
        asker: (deps) => createAsk({ ...deps, clock: systemClock }),
      }),
    ),
  );
  return async (): Promise<void> => void (await Promise.all(running.map((source) => source.stop())));
}
