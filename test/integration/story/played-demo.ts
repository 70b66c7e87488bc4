import { setTimeout as pause } from 'node:timers/promises';
import { settled, until } from '#server/collector/clusters/testing/until.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { startSimulator } from '#server/simulator/main.ts';
import type { ExpectedAlarm } from '#server/simulator/truth.ts';
import type { DemoFleet } from '#server/simulator/fleet/demo-fleet.ts';
import { playSources } from '../alarms/played-sources.ts';
import { startApi, type RunningApi } from '../running/running-api.ts';
import { configOf, startCollector, workDirectory } from '../running/running-fleet.ts';

/** The demo with its story, its collector and its API in one process, on one clock that only `play` moves. Times in ms. */
export interface PlayedDemo {
  readonly fleet: DemoFleet;
  readonly startedAt: number;
  /** The alarms that the script means now. */
  alarms(): readonly ExpectedAlarm[];
  now(): number;
  /** Lets the story go on for so long, the store never far behind. */
  play(ms: number): Promise<void>;
  /** A JSON answer of the API, while time stands. */
  readonly ask: RunningApi['ask'];
  stop(): Promise<void>;
}

const step = 50;
/** After each step everything that was sent is read and answered: an exchange over TLS takes a handful of turns. */
const turns = 6;
/** At most so many times as fast as in reality: the keys of TLS take the time that they take. */
const fastest = 40;
/** Time stands until what has waited so long to be written is in the store (ms): the recorder's thread knows no faster clock. */
const unwritten = 500;

/**
 * Starts it, well into the faults with which the story begins. Another seed tells the same story in another order of small things. `gitSocket`:
 * of a git process, where one answers; `alarms`: its monitoring is read as well.
 */
export async function startPlayedDemo(
  seed: number,
  { gitSocket = '/nowhere/ask.sock', alarms = false }: { readonly gitSocket?: string; readonly alarms?: boolean } = {},
): Promise<PlayedDemo> {
  const directory = workDirectory();
  const startedAt = Date.now();
  const clock = fakeClock(startedAt);
  const shared = { clock, log: silentLog };
  const simulator = await startSimulator({ ...shared, directory: directory.path, seed });
  const { demo } = simulator;
  if (demo === null) throw new Error('no demo');
  const config = await configOf(simulator);
  const collector = await startCollector({ ...shared, directory: directory.path, config, tuning: {} });
  const endSources = alarms ? await playSources(config.alarms, collector.recorder, clock) : null;
  const api = await startApi(collector.path, clock, { policy: config.policy, gitSocket });
  /** Lets time pass until an end has come: it writes once more, and the writing waits for the clock. */
  async function endedAsTimePasses(ending: Promise<void>): Promise<void> {
    let ended = false;
    void ending.finally(() => {
      ended = true;
    });
    while (!ended) {
      clock.advance(step);
      await settled(turns);
    }
    await ending;
  }

  const waitingSince = (): number => collector.recorder.pending().since ?? clock.now();
  const begun = performance.now();
  return {
    fleet: demo,
    startedAt,
    now: clock.now,
    alarms: () => simulator.alarmTruth(clock.now(), config.policy.alarmWithin),
    async play(ms) {
      const end = clock.now() + ms;
      while (clock.now() < end) {
        clock.advance(step);
        await settled(turns);
        await until('the store to have caught up', () => clock.now() - waitingSince() <= unwritten, 60_000);
        const early = (clock.now() - startedAt) / fastest - (performance.now() - begun);
        if (early > 4) await pause(early);
      }
    },
    ask: api.ask,
    async stop() {
      await api.stop();
      await endedAsTimePasses(endSources?.() ?? Promise.resolve());
      await collector.stop();
      await simulator.stop();
      directory.remove();
    },
  };
}
