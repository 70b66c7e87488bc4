import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamQueries } from '#lib/api/request.ts';
import type { Fault } from '../http/problem.ts';
import type { ReadQuery } from '../http/query.ts';
import { readQuery } from '../http/query.ts';
import { sendProblem } from '../http/send.ts';
import type { StreamHub } from '../stream/stream-hub.ts';
import type { Topic } from '../stream/topic.ts';

interface StreamQuestion {
  readonly topic: Topic;
  readonly after: string;
}

/** Answers GET /api/v1/stream: Server-Sent Events until the browser leaves or the process ends. */
export async function answerStream(
  hub: StreamHub,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const question = readQuestion(url.searchParams);
  if (question.type === 'fault') return sendProblem(request, response, question.fault);
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('Cache-Control', 'no-cache, no-transform');
  response.setHeader('X-Accel-Buffering', 'no');
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const { topic, after } = question.value;
  const header = request.headers['last-event-id'];
  const arrival = {
    lastEventId: typeof header === 'string' && header !== '' ? header : null,
    after: after === '' ? null : Date.parse(after),
  };
  if (hub.connect(topic, arrival, response)) return;
  response.setHeader('Retry-After', '60');
  return sendProblem(request, response, { type: 'too-many-streams' });
}

function readQuestion(query: URLSearchParams): ReadQuery<StreamQuestion> {
  const topic = query.get('topic') ?? '';
  switch (topic) {
    case 'head':
      return map(readQuery(query, StreamQueries.head), ({ after }) => ({ topic: { type: topic }, after }));
    case 'fleet':
      return map(readQuery(query, StreamQueries.fleet), ({ after, topic: _topic, ...view }) => ({
        topic: { type: topic, view },
        after,
      }));
    case 'cluster':
      return map(readQuery(query, StreamQueries.cluster), ({ after, cluster }) => ({
        topic: { type: topic, cluster },
        after,
      }));
    case 'object':
      return map(readQuery(query, StreamQueries.object), ({ after, topic: _topic, ...ref }) => ({
        topic: { type: topic, ref },
        after,
      }));
    default: {
      const fault: Fault = {
        type: 'bad-parameter',
        name: 'topic',
        message: `must be one of ${Object.keys(StreamQueries).join(', ')}`,
      };
      return { type: 'fault', fault };
    }
  }
}

function map<A, B>(read: ReadQuery<A>, change: (value: A) => B): ReadQuery<B> {
  return read.type === 'ok' ? { type: 'ok', value: change(read.value) } : read;
}
