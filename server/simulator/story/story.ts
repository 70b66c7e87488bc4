import type { Log } from '../../runtime/log.ts';
import type { Scheduler } from '../controllers/scheduler.ts';
import type { DemoFleet } from '../fleet/demo-fleet.ts';
import type { Random } from '../random.ts';
import { playOpening } from './opening.ts';
import { actLength, beatsOf } from './script.ts';
import { createStage } from './stage.ts';

/** A beat that was played, at ms since the epoch. */
export interface PlayedBeat {
  readonly at: number;
  readonly title: string;
}

/** The story as it unfolds. */
export interface Story {
  /** Beats that have happened so far, oldest first. */
  played(): readonly PlayedBeat[];
}

/** Parts that a story is told with. */
export interface StoryDeps {
  readonly fleet: DemoFleet;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly log: Log;
  /** `opening`: nothing happens after the opening. */
  readonly plot: true | 'opening';
}

/**
 * Starts the story on a fleet that is well but for its dead controllers: several faults have been there for a while, the
 * next ones come within seconds, all of them mend, and it begins again. Time and choices come from scheduler and random only.
 */
export function startStory({ fleet, scheduler, random, log, plot }: StoryDeps): Story {
  const stage = createStage(fleet, scheduler, random);
  const played: PlayedBeat[] = [];
  playOpening(stage);

  function act(number: number, start: number): void {
    for (const beat of beatsOf(number)) {
      scheduler.at(start + beat.at, () => {
        played.push({ at: scheduler.now(), title: beat.title });
        log.info({ beat: beat.title }, 'the story goes on');
        beat.play(stage);
      });
    }
    scheduler.at(start + actLength, () => act(number + 1, start + actLength));
  }

  if (plot !== 'opening') act(0, scheduler.now());
  return { played: () => played };
}
