import { fleetApi } from '#lib/api/fleet.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { Clock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { fleet } from '#server/web/endpoints/fleet.ts';
import type { StoreReader } from '#server/store/port/port.ts';
import { pastMoments } from '#server/web/past/past-moments.ts';
import { createFleetCache } from '#server/web/cache/fleet-cache.ts';

/** Asks for the matrix at a moment (ms), as a page does: gives its bytes as JSON. */
export type AskMatrix = (at: number) => Promise<number>;

/** The past over a store as the web process answers it, at `now` (ms), with nothing asked before. */
export async function openPast(reader: StoreReader, now: number): Promise<AskMatrix> {
  const picture = createFleetCache();
  let cursor: string | null = null;
  for (let more = true; more;) {
    const answer = await reader.follow(cursor, 5_000);
    picture.apply(answer.changes);
    ({ cursor, more } = answer);
  }
  // What is kept for a while is never asked twice, and no timer may hold up the end.
  const clock: Clock = { now: () => now, after: () => ({ cancel: () => undefined }) };
  const past = pastMoments({
    fleetCache: picture,
    clock,
    log: silentLog,
    policy: defaultPolicy,
    links: () => null,
    simulated: true,
    reader: () => reader,
  });
  const query = fleetApi.query.parse({});
  return async (at) => {
    const then = await past(at);
    if (then.type !== 'past') throw new Error(`the past cannot be read: ${then.type}`);
    return JSON.stringify(await fleet.ask(then.moment, query)).length;
  };
}
