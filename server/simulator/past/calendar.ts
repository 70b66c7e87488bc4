import { day, hour } from '#lib/domain/time/length.ts';
import type { Random } from '../random.ts';

/** A stretch of time (ms since the epoch), and the chance of what happens in it. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly random: Random;
}

/** The bad week ended so long before the present (ms); what came after it was better than what was before. */
const badWeek = { from: 38 * day, to: 31 * day };

/** Amount that happens on the day of `at`, beside a usual weekday: weekends are calm, one week was bad, the time after it good. */
export function busyness(at: number, end: number): number {
  const weekday = new Date(at).getUTCDay();
  const calm = weekday === 0 || weekday === 6 ? 0.25 : 1;
  const before = end - at;
  if (before <= badWeek.from && before > badWeek.to) return calm * 3.5;
  return before <= badWeek.to ? calm * 0.6 : calm;
}

/** When things happened in a stretch, oldest first (ms): `perDay` on a usual weekday, mostly in the hours in which people work. */
export function momentsIn({ from, to, random }: Stretch, perDay: number): number[] {
  const moments: number[] = [];
  for (let start = Math.floor(from / day) * day; start < to; start += day) {
    const wanted = perDay * busyness(start + day / 2, to);
    const count = Math.floor(wanted) + (random.next() < wanted % 1 ? 1 : 0);
    for (let i = 0; i < count; i++) {
      const working = random.next() < 0.75;
      const at = start + (working ? random.between(7 * hour, 18 * hour) : random.between(0, day - 1));
      if (at >= from && at < to) moments.push(at);
    }
  }
  return moments.sort((a, b) => a - b);
}

/** The same with what it happens to: each time one of a list, by chance. */
export function* chancesIn<T>(stretch: Stretch, perDay: number, list: readonly T[]): Generator<readonly [number, T]> {
  for (const at of momentsIn(stretch, perDay)) {
    const one = list[stretch.random.between(0, list.length - 1)];
    if (one !== undefined) yield [at, one];
  }
}

/** A duration (ms) that is mostly near `usual` and at times ten times as long, never beyond `most`. */
export function lasting(usual: number, most: number, random: Random): number {
  const spread = Math.exp((random.next() + random.next() + random.next() - 1.5) * 1.9);
  return Math.round(Math.min(most, usual * spread));
}
