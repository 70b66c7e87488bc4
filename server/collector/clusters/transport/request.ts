import { parseForeign } from '#lib/foreign.ts';
import type { RequestHeaders } from '../access.ts';
import { type Answer, failure, failureOfStatus } from '../answer.ts';
import { answerValues, refuseShape } from '../parsing/json-shape.ts';
import { childAbort } from '../pause.ts';
import { exchangeOnce, type WholeAnswer } from './exchange.ts';
import type { Sender } from './sender.ts';

export interface GetOptions {
  readonly accept?: string;
  /** Gives `not-modified` where the server's answer still bears it. */
  readonly etag?: string;
  /** ms, waiting for a connection included. */
  readonly timeout: number;
  /** Bound of the answer in bytes, decompressed. */
  readonly most: number;
  readonly signal?: AbortSignal;
}

/** One GET, or one access review where its JSON is given; the answer must be a JSON object. */
export async function ask(
  { clock, prepare, underWay, turns }: Sender,
  path: string,
  review: string | null,
  options: GetOptions,
): Promise<Answer> {
  const { controller, release } = childAbort(options.signal ?? new AbortController().signal);
  const { signal } = controller;
  const deadline = clock.now() + options.timeout;
  const timer = clock.after(options.timeout, () => controller.abort());
  const held = underWay.begin();
  let asked = 0;
  let refreshed = false;
  try {
    for (;;) {
      const ready = await prepare('get', signal);
      if (ready.type === 'fault') return ready;
      const { link } = ready;
      if (!link.room('get')) continue;
      const request = ready.request(path, headersOf(options, review), review);
      const timeout = Math.max(1, deadline - clock.now());
      const answer = await exchangeOnce({ link, request, clock, timeout, most: options.most, held, signal });
      // Lost before the server said anything (GOAWAY, an idle socket closed): asked once more elsewhere.
      if (answer.type === 'fault' && !answer.began && asked++ === 0 && !signal.aborted) continue;
      if (answer.type === 'ok' && answer.status === 401 && !refreshed) {
        refreshed = true;
        ready.renewCredentials();
        continue;
      }
      if (answer.type === 'ok') await turns.enter(answer.body.length);
      return answerOf(answer, clock.now());
    }
  } finally {
    timer.cancel();
    release();
    held.release();
  }
}

function answerOf(answer: WholeAnswer, now: number): Answer {
  if (answer.type === 'too-large') return answer;
  if (answer.type === 'fault') return failure(answer.fault);
  if (answer.status === 304) return { type: 'not-modified' };
  if (answer.status !== 200 && answer.status !== 201) {
    const text = answer.body.toString('utf8', 0, 64_000);
    return failureOfStatus(answer.status, text, answer.header('retry-after'), now);
  }
  const text = answer.body.toString('utf8');
  const refused = refuseShape(text, answerValues);
  if (refused !== null) return refused;
  const body = parseForeign(text);
  if (body === null) return failure({ type: 'protocol', message: 'the answer is not a JSON object' });
  return { type: 'ok', body, etag: answer.header('etag'), bytes: answer.body.length };
}

function headersOf(options: GetOptions, review: string | null): RequestHeaders {
  return {
    accept: options.accept ?? 'application/json',
    'accept-encoding': 'gzip',
    ...(options.etag === undefined ? {} : { 'if-none-match': options.etag }),
    ...(review === null ? {} : { 'content-type': 'application/json' }),
  };
}
