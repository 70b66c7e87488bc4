import type { ObjectStore } from '../api/object-store.ts';
import { say } from '../objects/condition.ts';
import type { Conditioned, Said } from '../objects/condition.ts';
import type { Random } from '../random.ts';
import type { Emitted, EventRecorder } from './event-recorder.ts';
import type { Scheduler } from './scheduler.ts';

/** Parts that every simulated controller of one cluster works with. */
export interface ControlPlane {
  readonly store: ObjectStore;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly events: EventRecorder;
}

/** A controller that can be killed and comes back. While it is dead nothing on any object changes. */
export interface Controller {
  readonly name: string;
  alive(): boolean;
  kill(): void;
  revive(): void;
}

/** A controller that never dies. */
export function alwaysAlive(name: string): Controller {
  return { name, alive: () => true, kill: () => undefined, revive: () => undefined };
}

/** An object as its controller keeps it. */
interface Kept<T extends Conditioned> {
  readonly object: T;
}

/** Writes the objects of one controller and the events about them. */
export type Writer<T extends Conditioned> = ReturnType<typeof createWriter<T>>;

/** Makes the writer of a controller on one cluster. `put` writes an object with a status as old as `at` (ms). */
export function createWriter<T extends Conditioned>(
  { scheduler, events }: ControlPlane,
  component: string,
  put: (object: T, at: number) => void,
) {
  return {
    /** Writes the object, with a status of now. */
    save: ({ object }: Kept<T>): void => put(object, scheduler.now()),
    /** Sets conditions; `save` writes them. */
    say: ({ object }: Kept<T>, ...all: readonly Said[]): void => say(object, scheduler.now(), ...all),
    emit(
      { object: about }: Kept<T>,
      type: Emitted['type'],
      reason: string,
      message: string,
      annotations?: Emitted['annotations'],
    ): void {
      events.emit({ about, component, type, reason, message, annotations });
    },
  };
}
