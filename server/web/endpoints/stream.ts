import { FleetView } from '#lib/api/fleet.ts';
import { streamApi, StreamQueries } from '#lib/api/stream.ts';
import { isRefused, refuse, type Refused } from '../http/problem.ts';
import { readQuery } from '../http/query.ts';
import { sendProblem } from '../http/send.ts';
import { missingIn } from '../requested/not-there.ts';
import { askerOf } from '../stream/asker.ts';
import type { Topic } from '../stream/topic.ts';
import { refOnly } from '../wire/object/wire-object.ts';
import type { Call, Served } from './served.ts';

interface StreamQuestion {
  readonly topic: Topic;
  readonly after: string;
  readonly lastEventId: string;
}

/** Server-Sent Events until the browser leaves or the process ends; a new stream of names that are not there is refused. */
export const stream: Served = { described: streamApi, serve, ofPast: null };

async function serve({ present, url, request, response }: Call): Promise<void> {
  const question = readQuestion(url.searchParams);
  if (isRefused(question)) return sendProblem(request, response, question.refused);
  const { topic, after, lastEventId } = question;
  const isNew = after === '' && lastEventId === '' && request.headers['last-event-id'] === undefined;
  // A page that is open keeps its stream when the last of what it is filtered by goes.
  const missing = isNew && topic.type === 'fleet' ? missingIn(present.fleet.all(present.now()), topic.view) : null;
  if (missing !== null) return sendProblem(request, response, missing.refused);
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
    by: askerOf(request),
  };
  if (present.streams.connect(topic, arrival, response)) return;
  response.setHeader('Retry-After', '60');
  return sendProblem(request, response, { type: 'too-many-streams' });
}

function readQuestion(query: URLSearchParams): StreamQuestion | Refused {
  const type = query.get('topic');
  switch (type) {
    case 'summary':
    case 'incidents':
      return questionOf(readQuery(query, StreamQueries[type]), () => ({ type }));
    case 'fleet':
      return questionOf(readQuery(query, StreamQueries.fleet), (asked) => ({ type, view: FleetView.parse(asked) }));
    case 'cluster':
      return questionOf(readQuery(query, StreamQueries.cluster), ({ cluster }) => ({ type, cluster }));
    case 'object':
      return questionOf(readQuery(query, StreamQueries.object), (asked) => ({ type, ref: refOnly(asked) }));
    default: {
      const topics = Object.keys(StreamQueries).join(', ');
      return refuse({ type: 'bad-parameter', name: 'topic', message: `must be one of ${topics}` });
    }
  }
}

function questionOf<Query extends Omit<StreamQuestion, 'topic'>>(
  read: { readonly value: Query } | Refused,
  topicOf: (query: Query) => Topic,
): StreamQuestion | Refused {
  if (isRefused(read)) return read;
  const { after, lastEventId } = read.value;
  return { topic: topicOf(read.value), after, lastEventId };
}
