import { fleetApi } from '#lib/api/fleet.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { Clock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { fleet } from '#server/web/endpoints/fleet.ts';
import type { StoreReader } from '#server/store/port/port.ts';
import { pastMoments } from '#server/web/past/past-moments.ts';
import { openPastThread } from '#server/web/past/past-thread.ts';
import { createFleetCache } from '#server/web/cache/fleet-cache.ts';

/** Asks for the matrix at a moment (ms), as a page does: gives its bytes as JSON. */
export type AskMatrix = (at: number) => Promise<number>;

/** The past over the store at `path` as the web process answers it, at `now` (ms), with nothing asked before. */
export async function openPast(path: string, reader: StoreReader, now: number): Promise<AskMatrix> {
  const clock: Clock = { now: () => now, after: () => ({ cancel: () => undefined }) };
  const past = pastMoments({
    fleetCache: createFleetCache(),
    clock,
    log: silentLog,
    reader: () => reader,
    open: () =>
      openPastThread(path, {
        policy: defaultPolicy,
        repositories: [],
        simulated: true,
        gitSocket: '/nowhere/ask.sock',
      }),
  });
  await past.prepare();
  const query = fleetApi.query.parse({});
  return async (at) => {
    const then = await past.at(at, null);
    if (then.type !== 'past') throw new Error(`the past cannot be read: ${then.type}`);
    return JSON.stringify(await then.moment.ask(fleet, query)).length;
  };
}
