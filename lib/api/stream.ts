import { z } from 'zod';
import { WireCluster } from './cluster.ts';
import { FleetQuery, WireColumn, WireFleetSummary, WireRow } from './fleet.ts';
import { WireIncidentNews } from './incident.ts';
import { ObjectQuery, Time, WireObject, WireRef } from './object.ts';
import { endpoint } from './endpoint.ts';

/**
 * Frames of GET /api/v1/stream (SSE), the event's name being `type`. `?topic=fleet` with the parameters of `FleetView`,
 * `?topic=cluster&cluster=`, `?topic=object&cluster&group&kind&namespace&name`, `?topic=incidents`, or `?topic=summary`.
 * The id of a frame is the web process's epoch and a number; a resume by Last-Event-ID gets what it missed, or `reset`.
 */
export const StreamFrame = z.discriminatedUnion('type', [
  /** Fetch everything again (first connect after a gap, another epoch, another store). */
  z.object({ type: z.literal('reset'), at: Time }),
  /** At least every 10 s; the page's clock, and the sign that the stream is alive. */
  z.object({ type: z.literal('tick'), at: Time, lastWordAt: Time.nullable() }),
  z.object({ type: z.literal('summary'), summary: WireFleetSummary }),
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
  /** Steps of incidents, in the order in which they were recorded. */
  z.object({ type: z.literal('incidents'), news: z.array(WireIncidentNews) }),
]);
export type StreamFrame = z.infer<typeof StreamFrame>;

/** When the page that opens a stream was made (its `asOf`): what changed since comes as frames, or as `reset` where it cannot. */
const after = z.iso.datetime({ offset: true }).or(z.literal('')).default('');

/** Parameters with which every stream may be joined. `lastEventId` is the Last-Event-ID of a page that opens its streams itself. */
const arrival = { after, lastEventId: z.string().default('') };

/** Queries of GET /api/v1/stream, by topic. */
export const StreamQueries = {
  summary: z.object({ topic: z.literal('summary'), ...arrival }),
  fleet: FleetQuery.omit({ causes: true }).extend({ topic: z.literal('fleet'), ...arrival }),
  cluster: z.object({ topic: z.literal('cluster'), cluster: z.string().min(1), ...arrival }),
  object: ObjectQuery.extend({ topic: z.literal('object'), ...arrival }),
  incidents: z.object({ topic: z.literal('incidents'), ...arrival }),
} as const;

/** All parameters that any topic takes; `topic` says which of them count. */
const AnyStreamQuery = z.object({
  topic: z.enum(['summary', 'fleet', 'cluster', 'object', 'incidents']),
  ...ObjectQuery.extend(arrival).partial().shape,
  ...FleetQuery.omit({ causes: true }).extend(arrival).shape,
});

export const streamApi = endpoint({
  path: '/api/v1/stream',
  summary: 'Changes as Server-Sent Events; the data of an event is a StreamFrame; resumable by Last-Event-ID',
  query: AnyStreamQuery,
  answer: StreamFrame,
  name: 'StreamFrame',
  at: false,
  type: 'text/event-stream',
});
