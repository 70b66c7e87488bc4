import type { Log } from '#server/runtime/log.ts';
import { alarmSource, type FactSource } from '#server/store/port/port.ts';
import type { Recorder } from '../recorder/recorder.ts';
import type { AlarmSink } from './alarms.ts';

/** Alarm sources written by the recorder, each under a lease of its own. */
export interface RecordedAlarms extends AlarmSink {
  /** A lease was lost: it is taken again with the next write. */
  lost(source: FactSource): void;
  /** Ends what is stored of sources that are configured no longer, at `at` (ms); gives those that another collector holds, or did when it was killed. */
  forgetOthers(stored: readonly string[], configured: readonly string[], at: number): Promise<readonly string[]>;
}

/** Makes it. Every failure is an error of the write or the load: the reading tries again. */
export function recordedAlarms(recorder: Pick<Recorder, 'acquire' | 'alarms'>, log: Log): RecordedAlarms {
  const held = new Set<string>();

  async function hold(source: string): Promise<void> {
    if (held.has(source)) return;
    const lease = await recorder.acquire(alarmSource(source));
    if (lease === null) throw new Error(`Another collector writes the alarm source ${source}, or the store refuses.`);
    held.add(source);
  }

  return {
    async write(source, batch) {
      await hold(source);
      const outcome = await recorder.alarms(source).write(batch);
      if (outcome.type === 'lost') throw new Error(outcome.message);
    },
    async load(source) {
      await hold(source);
      const stored = await recorder.alarms(source).load();
      if (stored === null) throw new Error('The store cannot be read now.');
      return stored;
    },
    lost(source) {
      if (source.type === 'alarm-source') held.delete(source.name);
    },
    async forgetOthers(stored, configured, at) {
      const left: string[] = [];
      for (const source of stored.filter((name) => !configured.includes(name))) {
        const lease = await recorder.acquire(alarmSource(source));
        const outcome = lease === null ? null : await recorder.alarms(source).forget(at);
        if (outcome === null) left.push(source);
        else if (outcome.type !== 'written')
          log.warn({ source }, 'an alarm source that is not configured stays in the store');
      }
      return left;
    },
  };
}
