import { earliest } from '#lib/domain/time/earliest.ts';
import type { Clock, Timer } from '#server/runtime/clock.ts';
import type { ControllerIntake } from './intake/controller-intake.ts';
import type { Settling } from './intake/settling.ts';
import type { ModelParts } from './model-parts.ts';
import type { Publishing } from './publishing/publishing.ts';
import type { RemoteLinks } from './remote/remote-links.ts';

/** Time after a change in which the model waits for more of the same breath (ms). */
const breath = 15;
/** A clock set back, or a hold, for less than this (ms) is no matter. */
const negligible = 1_000;

/** One timer, for the earliest of the times that are asked for. */
function createAlarm(clock: Clock, ring: () => void) {
  let set: { readonly timer: Timer; readonly at: number } | null = null;
  let stopped = false;
  return {
    at(time: number): void {
      if (stopped || (set && set.at <= time)) return;
      set?.timer.cancel();
      const timer = clock.after(Math.max(0, time - clock.now()), () => {
        set = null;
        ring();
      });
      set = { at: time, timer };
    },
    stop(): void {
      stopped = true;
      set?.timer.cancel();
    },
  };
}

/** Work that the schedule sets going. `lastWordAt`: when an earlier collector last heard of the cluster (ms), 0 for never. */
interface ScheduleDeps {
  readonly clock: Clock;
  readonly settling: Settling;
  readonly controllers: ControllerIntake;
  readonly links: RemoteLinks;
  readonly publishing: Publishing;
  readonly lastWordAt: number;
}

/** When the model of a cluster settles, judges and writes. Starts asleep. */
export function createSchedule(parts: ModelParts, deps: ScheduleDeps) {
  const { feeds, controllers, graph, conflicts, gate, queue, reviews, settles, vouching } = parts;
  const { clock, settling, links, publishing } = deps;
  const alarm = createAlarm(clock, run);
  let ranAt = 0;

  function judgeEverything(): void {
    vouching.changed();
    queue.add(graph.entries.keys());
  }

  /** Nothing began later than now, and the record is told so of every object; a clock that is merely kept right is no matter. */
  function comeBack(from: number, now: number): void {
    if (from - now < negligible) return;
    publishing.setBack(now);
    judgeEverything();
  }

  function believe(now: number): void {
    comeBack(ranAt, now);
    // A clock that was set back must not hold back what was due on the former one.
    if (now < ranAt) settling.settleAll(now);
    else settling.settleDue(now);
    ranAt = now;
    if (feeds.settle(now)) judgeEverything();
    const heard = feeds.heardUntil(now);
    deps.controllers.settle(heard);
    queue.add(reviews.due(heard));
    queue.add(links.news());
  }

  function judge(now: number): void {
    const before = gate.isOpen();
    const isOpen = gate.update(now);
    if (isOpen !== before) vouching.changed();
    if (isOpen && !before) {
      queue.findLate();
      queue.add(graph.relinkAll());
    }
    if (isOpen) queue.judge(feeds.heardUntil(now));
  }

  /** The next time (ms) at which time alone may turn a verdict. It stands still while it is not known whether the cluster is lost. */
  function nextTurn(now: number): number | null {
    return feeds.heardUntil(now) < now ? null : earliest(controllers.next(now), reviews.next());
  }

  function run(): void {
    const now = clock.now();
    if (publishing.holds(now)) return;
    if (publishing.lasted(now) > negligible) queue.findLate();
    believe(now);
    judge(now);
    links.publish(gate.isOpen());
    publishing.flush(now);
    const next = earliest(
      vouching.next(),
      settles.next(),
      feeds.next(),
      nextTurn(now),
      conflicts.due(),
      gate.next(now),
    );
    alarm.at(Math.max(now + 1, next ?? now));
  }

  comeBack(deps.lastWordAt, clock.now());
  return {
    /** Something changed: looks within a breath. */
    soon: (): void => alarm.at(clock.now() + breath),
    /** Looks at once. */
    now: (): void => alarm.at(clock.now()),
    /** Looks never again. */
    stop: alarm.stop,
  };
}
