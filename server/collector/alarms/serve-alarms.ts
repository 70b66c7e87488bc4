import type { MessagePort } from 'node:worker_threads';
import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { AlarmBatch } from '#server/store/port/alarm-batch.ts';
import type { FromThread, ToThread } from './messages.ts';
import { type RunningSource, startSource } from './source/alarm-source.ts';

interface Waiting {
  stored(): void;
  failed(fault: Error): void;
}

/** Parameters of the thread. */
export interface ServeDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
}

/** Reads the sources that come over the port, and sends their batches over it: of each source one at a time, and the next once it is stored. */
export function serveAlarms(port: MessagePort, { clock, log, random }: ServeDeps): void {
  const sources = new Map<string, RunningSource>();
  const waiting = new Map<string, Waiting>();
  const send = (message: FromThread): void => port.postMessage(message);

  function write(source: string, batch: AlarmBatch): Promise<void> {
    return new Promise((resolve, reject) => {
      waiting.set(source, { stored: resolve, failed: reject });
      send({ type: 'batch', source, batch });
    });
  }

  async function stop(): Promise<void> {
    await Promise.all([...sources.values()].map((source) => source.stop()));
    send({ type: 'stopped' });
  }

  function hear(message: ToThread): void {
    switch (message.type) {
      case 'read': {
        const { entry, stored } = message;
        const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
        const sent = (batch: AlarmBatch): Promise<void> => write(entry.name, batch);
        sources.set(entry.name, startSource({ entry, stored, clock, log, random, turn, write: sent }));
        return;
      }
      case 'stored': {
        const found = waiting.get(message.source);
        waiting.delete(message.source);
        if (message.fault === null) found?.stored();
        else found?.failed(new Error(message.fault));
        return;
      }
      case 'stop':
        void stop();
    }
  }

  port.on('message', hear);
}
