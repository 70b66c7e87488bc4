import { minute } from '#lib/domain/time/length.ts';

/** Failures of who asks, counted by address (`listenerOf`), so that nobody tries for ever. */
export interface Attempts {
  /**
   * Counts a failure at `now` (ms): one of the first of an address is news, worth a line of the log; `last`: so many addresses fail that no more is
   * told of any for a while.
   */
  failed(by: string, now: number): 'news' | 'last' | 'silent';
  /** Time (ms) until logins of an address are taken again; 0 where they are. */
  blockedFor(by: string, now: number): number;
}

/** Failures of one address within the time that are worth a line of the log. */
const mostLines = 20;
/**
 * Failures of one address within the time, beyond which it waits. Whom the provider does not vouch for has no name, and thousands may share an address
 * (a proxy, a NAT): what one of them alone does by hand must not keep the others out.
 */
const mostFailures = 500;
const within = 10 * minute;
/** News of all addresses within the time: whoever has many must not fill a disk by what is told of him. */
const mostNews = 1_000;
/** Addresses that are counted at once; the one that failed longest ago makes room. */
const mostAddresses = 10_000;

/** Makes the counter, in memory: a restart forgets it. */
export function loginAttempts(): Attempts {
  const counts = new Map<string, { failures: number; readonly since: number }>();
  let news = { told: 0, since: -Infinity };

  function countOf(by: string, now: number): { failures: number; readonly since: number } | null {
    const found = counts.get(by);
    if (found === undefined || now - found.since < within) return found ?? null;
    counts.delete(by);
    return null;
  }

  return {
    failed(by, now) {
      const count = countOf(by, now) ?? { failures: 0, since: now };
      count.failures += 1;
      counts.delete(by);
      counts.set(by, count);
      const [oldest] = counts.keys();
      if (counts.size > mostAddresses && oldest !== undefined) counts.delete(oldest);
      if (count.failures > mostLines) return 'silent';
      if (now - news.since >= within) news = { told: 0, since: now };
      news.told += 1;
      if (news.told > mostNews) return 'silent';
      return news.told === mostNews ? 'last' : 'news';
    },
    blockedFor(by, now) {
      const count = countOf(by, now);
      return count === null || count.failures < mostFailures ? 0 : count.since + within - now;
    },
  };
}
