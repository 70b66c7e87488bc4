import type { Scheduler } from '../controllers/scheduler.ts';
import type { DemoFleet } from '../fleet/demo-fleet.ts';
import type { Random } from '../random.ts';

/** Starts the story on a fleet. */
export function startStory(fleet: DemoFleet, scheduler: Scheduler, random: Random): void {
  void fleet;
  void scheduler;
  void random;
}
