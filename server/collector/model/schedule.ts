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
  /** Told how long a look took (ms). */
  readonly onWorked: (ms: number) => void;
}

/** The next time (ms) at which there is something to do; null where there is none. */
function nextTime(
  { alarming, conflicts, controllers, feeds, gate, reviews, settles, vouching }: ModelParts,
  now: number,
): number | null {
  // At which time alone may turn a verdict: it stands still while it is not known whether the cluster is lost.
  const turn = feeds.heardUntil(now) < now ? null : earliest(controllers.next(now), reviews.next());
  return earliest(vouching.next(), settles.next(), feeds.next(), turn, conflicts.due(), alarming.due(), gate.next(now));
}

/** Goes on with those that are leaving; false where none are. Nothing is judged by half of them, and nothing told but that these are gone. */
function leaveOn({ leaving }: ModelParts, publishing: Publishing, now: number): boolean {
  if (!leaving.isUnderWay()) return false;
  leaving.step();
  publishing.flushJudged(now);
  return true;
}

/** When the model of a cluster settles, judges and writes. Starts asleep. */
export function createSchedule(parts: ModelParts, deps: ScheduleDeps) {
  const { feeds, graph, gate, queue, reviews, vouching } = parts;
  const { clock, settling, links, publishing } = deps;
  const alarm = createAlarm(clock, () => {
    const from = performance.now();
    run();
    deps.onWorked(performance.now() - from);
  });
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

  /** True if all is judged that was to be; else what is left is judged in the next turn, after those of other clusters. */
  function judge(now: number): boolean {
    const before = gate.isOpen();
    const isOpen = gate.update(now);
    if (isOpen !== before) vouching.changed();
    if (!isOpen) queue.leave();
    if (isOpen && !before) {
      queue.findLate();
      queue.add(graph.relinkAll());
    }
    if (isOpen) queue.add(graph.rejoinManaged());
    return !isOpen || queue.judge(feeds.heardUntil(now));
  }

  function run(): void {
    const now = clock.now();
    if (publishing.holds(now)) return;
    if (publishing.lasted(now) > negligible) queue.findLate();
    if (leaveOn(parts, publishing, now)) return alarm.at(now + 1);
    // What is half judged is judged to its end first: only then may the cluster be vouched for as it is now.
    const resumed = queue.isUnderWay();
    if (!resumed) believe(now);
    const done = judge(now);
    links.publish(gate.isOpen(), queue.takeJudged());
    if (!done) {
      publishing.flushJudged(now);
      return alarm.at(now + 1);
    }
    publishing.flush(now);
    // What came meanwhile was left for the next turn.
    if (resumed) return alarm.at(now + 1);
    alarm.at(Math.max(now + 1, nextTime(parts, now) ?? now));
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
