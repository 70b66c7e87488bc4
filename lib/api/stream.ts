import { z } from 'zod';
import { WireCluster } from './cluster.ts';
import { WireColumn, WireFleetSummary, WireRow } from './fleet.ts';
import { Time, WireObject, WireRef } from './object.ts';

/**
 * Frames of GET /api/v1/stream (SSE), the event's name being `type`. `?topic=fleet` with the parameters of `FleetView`,
 * `?topic=cluster&cluster=`, `?topic=object&cluster&group&kind&namespace&name`, or `?topic=head`.
 * The id of a frame is the web process's epoch and a number; a resume by Last-Event-ID gets what it missed, or `reset`.
 */
export const StreamFrame = z.discriminatedUnion('type', [
  /** Fetch everything again (first connect after a gap, another epoch, another picture). */
  z.object({ type: z.literal('reset'), at: Time }),
  /** At least every 10 s; the page's clock and proof of life. */
  z.object({ type: z.literal('tick'), at: Time, lastWordAt: Time.nullable() }),
  z.object({ type: z.literal('head'), head: WireFleetSummary }),
  /** Changed rows; `order` lists all rows when it changed; `columns` when they changed (then all rows come). */
  z.object({
    type: z.literal('rows'),
    rows: z.array(WireRow),
    order: z.array(z.string()).nullable(),
    columns: z.array(WireColumn).nullable(),
  }),
  z.object({ type: z.literal('cluster'), cluster: WireCluster }),
  z.object({ type: z.literal('object'), object: WireObject }),
  z.object({ type: z.literal('removed'), ref: WireRef }),
]);
export type StreamFrame = z.infer<typeof StreamFrame>;
