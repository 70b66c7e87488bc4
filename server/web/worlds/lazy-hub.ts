import type { Clock } from '#server/runtime/clock.ts';
import type { StreamHub } from '../stream/stream-hub.ts';
import type { StreamShare } from './stream-share.ts';

/** A browser that reconnects within this time (ms) finds its streams as they were. */
const keptFor = 60_000;

/** A hub that works only while somebody listens: it begins with the first stream, and ends a minute after the last. `open` holds it meanwhile. */
export function lazyHub(
  start: () => StreamHub,
  { open, share, clock }: { readonly open: Set<StreamHub>; readonly share: StreamShare; readonly clock: Clock },
): Pick<StreamHub, 'connect'> {
  let hub: StreamHub | null = null;

  function endIdle(): void {
    if (hub === null || hub.clients() > 0) return;
    open.delete(hub);
    void hub.stop();
    hub = null;
  }

  return {
    connect(topic, arrival, response) {
      if (hub === null && !share.hasHub(open.size)) return false;
      const leave = share.take(arrival.by);
      if (leave === null) return false;
      if (hub === null) open.add((hub = start()));
      response.on('close', () => {
        leave();
        void clock.after(keptFor, endIdle);
      });
      const isIn = hub.connect(topic, arrival, response);
      if (!isIn) leave();
      return isIn;
    },
  };
}
