import type { Random } from '../random.ts';
import type { Controller } from './control-plane.ts';
import type { Scheduler } from './scheduler.ts';

/** The work queue of one controller: one next pass per item, and passes made of timed steps. Durations in ms. */
export interface WorkQueue<Item extends object> extends Controller {
  /** Plans the next pass of an item; an earlier plan for it is dropped. */
  enqueue(item: Item, delay: number): void;
  /** Runs a step of the pass that is under way, unless the controller dies or another pass is planned before. */
  step(item: Item, delay: number, task: () => void): void;
}

/** The pause until the next pass of an item that is well: its interval give or take 3 %, as Flux's jitter has it (ms). */
export function soonAgain(interval: number, random: Random): number {
  return interval * (0.97 + random.next() * 0.06);
}

/** Makes the queue of a controller that lives. `pass` runs one pass of an item. */
export function createWorkQueue<Item extends object>(
  name: string,
  scheduler: Scheduler,
  pass: (item: Item) => void,
): WorkQueue<Item> {
  const epochs = new Map<Item, number>();
  let alive = true;

  function step(item: Item, delay: number, task: () => void): void {
    const epoch = epochs.get(item);
    scheduler.after(delay, () => {
      if (alive && epochs.get(item) === epoch) task();
    });
  }

  function enqueue(item: Item, delay: number): void {
    epochs.set(item, (epochs.get(item) ?? 0) + 1);
    step(item, delay, () => pass(item));
  }

  return {
    name,
    alive: () => alive,
    kill: () => void (alive = false),
    revive() {
      if (alive) return;
      alive = true;
      let delay = 200;
      for (const item of epochs.keys()) enqueue(item, (delay += 37));
    },
    enqueue,
    step,
  };
}
