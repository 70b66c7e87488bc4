import { setImmediate } from 'node:timers/promises';
import type { KnownAlarms } from '#lib/domain/alarm/chain.ts';
import type { AlarmCoveragePage } from '#lib/domain/alarm/finding.ts';
import type { Policy } from '#lib/domain/guarantee/guarantee.ts';
import { second } from '#lib/domain/time/length.ts';
import type { KnownFleet } from '../cache/known-fleet.ts';

/** Findings change without any cluster: they are made anew after so long (ms). */
const longest = 5 * second;

/**
 * Coverage of a fleet by alarms as known at `now` (ms): counted once for all who ask, until something changes, a part at a time, so that no page
 * waits for the whole.
 */
export function keptCoverage(
  fleet: Pick<KnownFleet, 'all' | 'stamp'>,
  alarms: KnownAlarms,
  policy: Policy,
): (now: number) => Promise<AlarmCoveragePage> {
  let kept: { readonly stamp: number; readonly madeAt: number; readonly page: Promise<AlarmCoveragePage> } | null =
    null;

  let silent: AlarmCoveragePage['silent'] = [];

  /** A page that is made anew mostly has the silent objects of the one before: then in the same list, whose causes are known. */
  function withKnownList(page: AlarmCoveragePage): AlarmCoveragePage {
    const isSame = page.silent.length === silent.length && page.silent.every((one, index) => one === silent[index]);
    if (!isSame) ({ silent } = page);
    return { ...page, silent };
  }

  async function make(now: number): Promise<AlarmCoveragePage> {
    const parts = alarms.coverage(fleet.all(now), now, policy);
    for (;;) {
      const part = parts.next();
      if (part.done) return withKnownList(part.value);
      await setImmediate();
    }
  }

  let last: Promise<unknown> = Promise.resolve();

  /** Who waited for the same page would all write their answers in one turn: many of some megabytes. One of them goes on in each. */
  function oneByOne(page: Promise<AlarmCoveragePage>): Promise<AlarmCoveragePage> {
    // Who waits hears of a fault in his own turn.
    page.catch(() => undefined);
    const own = last.then(async () => {
      await setImmediate();
      return page;
    });
    last = own.catch(() => undefined);
    return own;
  }

  return (now) => {
    const stamp = fleet.stamp(now);
    if (kept === null || kept.stamp !== stamp || Math.abs(now - kept.madeAt) >= longest)
      kept = { stamp, madeAt: now, page: make(now) };
    return oneByOne(kept.page);
  };
}
