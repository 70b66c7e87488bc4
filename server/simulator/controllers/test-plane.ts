import { isForeignObject, listAt, numberAt, parseForeign, textAt } from '#lib/foreign.ts';
import type { ForeignObject } from '#lib/foreign.ts';
import { fakeClock } from '../../runtime/fake-clock.ts';
import type { FakeClock } from '../../runtime/fake-clock.ts';
import { commonKinds, groupResource } from '../api/kinds.ts';
import type { ServedKind } from '../api/kinds.ts';
import { createObjectStore } from '../api/object-store.ts';
import { seededRandom } from '../random.ts';
import type { ControlPlane } from './control-plane.ts';
import { createEventRecorder } from './event-recorder.ts';
import { startScheduler } from './scheduler.ts';

/** One write as a watcher would see it. */
export interface SeenWrite {
  /** ms since the test began. */
  readonly at: number;
  readonly object: ForeignObject;
}

/** A control plane without a server, on a clock that the test owns. */
export interface TestPlane {
  readonly clock: FakeClock;
  readonly plane: ControlPlane;
  /** Records the writes of a kind from now on. */
  record(kind: ServedKind): SeenWrite[];
  /** The events that the store holds, as `reason count message`. */
  events(): string[];
}

/** Makes a control plane for tests. `more`: kinds that it serves beside the common ones. */
export function createTestPlane(more: readonly ServedKind[] = []): TestPlane {
  const clock = fakeClock();
  const start = clock.now();
  const store = createObjectStore([...Object.values(commonKinds), ...more], 1000);
  const scheduler = startScheduler(clock);
  const random = seededRandom(11);
  const events = createEventRecorder(store, () => clock.now(), random);
  return {
    clock,
    plane: { store, scheduler, random, events },
    record(kind) {
      const writes: SeenWrite[] = [];
      store.store(groupResource(kind))?.watch((event) => {
        const object = parseForeign(event.object.json().toString());
        if (object) writes.push({ at: clock.now() - start, object });
      });
      return writes;
    },
    events: () =>
      (store.store('events')?.sorted() ?? []).map((stored) => {
        const event = parseForeign(stored.json().toString());
        return `${textAt(event, 'reason')} ${numberAt(event, 'count')} ${textAt(event, 'message')}`;
      }),
  };
}

/** `Ready=True/ReconciliationSucceeded` of an object, null where it has no such condition. */
export function conditionOf(object: unknown, type: string): string | null {
  const found = listAt(object, 'status', 'conditions').find((one) => textAt(one, 'type') === type);
  return isForeignObject(found) ? `${textAt(found, 'status')}/${textAt(found, 'reason')}` : null;
}
