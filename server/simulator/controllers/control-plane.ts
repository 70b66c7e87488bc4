import type { ObjectStore } from '../api/object-store.ts';
import type { Random } from '../random.ts';
import type { EventRecorder } from './event-recorder.ts';
import type { Scheduler } from './scheduler.ts';

/** Parts that every simulated controller of one cluster works with. */
export interface ControlPlane {
  readonly cluster: string;
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
