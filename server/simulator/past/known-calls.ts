import { known } from './alarm-calls.ts';
import type { CallPast, SourcePast } from './script.ts';

/** When a source could be read, up to where a past ends (ms since the epoch). */
interface ReadTimes extends Pick<SourcePast, 'since' | 'unread'> {
  readonly to: number;
}

/**
 * Calls as whoever read their source knew of them, oldest first: what began or ended while it was not read was known once it was read again; what
 * had begun and ended meanwhile was never known.
 */
export function asKnown(calls: readonly CallPast[], times: ReadTimes): readonly CallPast[] {
  const knownAt = (at: number): number => {
    if (at < times.since) return times.since + known;
    const gap = times.unread.find(({ from, to }) => at >= from && at < to);
    return gap === undefined ? at : gap.to + known;
  };
  return calls
    .flatMap(({ names, call }): CallPast[] => {
      const from = knownAt(call.from);
      const end = call.to === null ? Infinity : knownAt(call.to);
      if (from >= Math.min(end, times.to)) return [];
      return [{ names, call: { ...call, from, to: end >= times.to ? null : end } }];
    })
    .toSorted((a, b) => a.call.from - b.call.from);
}
