import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FleetView } from '#lib/api/fleet.ts';
import { StreamQueries } from '#lib/api/request.ts';
import type { NotThere } from '../requested/not-there.ts';
import type { ReadQuery } from '../http/query.ts';
import { readQuery } from '../http/query.ts';
import { sendProblem } from '../http/send.ts';
import type { StreamHub } from '../stream/stream-hub.ts';
import type { Topic } from '../stream/topic.ts';

interface StreamQuestion {
  readonly topic: Topic;
  readonly after: string;
  readonly lastEventId: string;
}

/** Answers GET /api/v1/stream, or refuses a new one of names that are not there: Server-Sent Events until the browser leaves or the process ends. */
export async function answerStream(
  hub: StreamHub,
  missingNames: (view: FleetView) => NotThere | null,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const question = readQuestion(url.searchParams);
  if (question.type === 'fault') return sendProblem(request, response, question.fault);
  const { topic, after, lastEventId } = question.value;
  const isNew = after === '' && lastEventId === '' && request.headers['last-event-id'] === undefined;
  // A page that is open keeps its stream when the last of what it is filtered by goes.
  const missing = isNew && topic.type === 'fleet' ? missingNames(topic.view) : null;
  if (missing !== null) return sendProblem(request, response, missing);
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('Cache-Control', 'no-cache, no-transform');
  response.setHeader('X-Accel-Buffering', 'no');
  // A stream that ends takes its connection with it: nothing that only waits is left to hold up the end of the process.
  response.shouldKeepAlive = false;
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const header = request.headers['last-event-id'];
  const arrival = {
    // A browser that reconnects by itself keeps the first URL and sends the header: the header is the newer one.
    lastEventId: typeof header === 'string' && header !== '' ? header : lastEventId === '' ? null : lastEventId,
    after: after === '' ? null : Date.parse(after),
  };
  if (hub.connect(topic, arrival, response)) return;
  response.setHeader('Retry-After', '60');
  return sendProblem(request, response, { type: 'too-many-streams' });
}

function readQuestion(query: URLSearchParams): ReadQuery<StreamQuestion> {
  const type = query.get('topic') ?? '';
  switch (type) {
    case 'head':
      return map(readQuery(query, StreamQueries.head), ({ topic: _topic, ...arrival }) => ({
        topic: { type },
        ...arrival,
      }));
    case 'fleet':
      return map(readQuery(query, StreamQueries.fleet), ({ after, lastEventId, topic: _topic, ...view }) => ({
        topic: { type, view },
        after,
        lastEventId,
      }));
    case 'cluster':
      return map(readQuery(query, StreamQueries.cluster), ({ after, lastEventId, cluster }) => ({
        topic: { type, cluster },
        after,
        lastEventId,
      }));
    case 'object':
      return map(readQuery(query, StreamQueries.object), ({ after, lastEventId, topic: _topic, ...ref }) => ({
        topic: { type, ref },
        after,
        lastEventId,
      }));
    default: {
      const topics = Object.keys(StreamQueries).join(', ');
      return { type: 'fault', fault: { type: 'bad-parameter', name: 'topic', message: `must be one of ${topics}` } };
    }
  }
}

function map<A, B>(read: ReadQuery<A>, change: (value: A) => B): ReadQuery<B> {
  return read.type === 'ok' ? { type: 'ok', value: change(read.value) } : read;
}
