import { gunzip } from 'node:zlib';
import type { Clock } from '#server/runtime/clock.ts';
import { type Failure, failure } from '../answer.ts';
import { gatherBytes } from '#server/runtime/bytes/gathered-bytes.ts';
import type { Link, LinkRequest } from './link.ts';
import type { Held } from '../under-way.ts';
import { saying } from '../redact.ts';

export interface ExchangeRequest {
  readonly link: Link;
  readonly request: LinkRequest;
  readonly clock: Clock;
  /** ms until the whole answer must be there. */
  readonly timeout: number;
  /** Bytes, before and after decompression. */
  readonly most: number;
  /** Counts the bytes of this answer; without it none is counted. */
  readonly held?: Held;
  readonly signal?: AbortSignal;
}

export type WholeAnswer =
  | { readonly type: 'ok'; readonly status: number; readonly body: Buffer; header(name: string): string | null }
  | { readonly type: 'too-large' }
  /** `began` says whether the server had started to answer. */
  | (Failure & { readonly began: boolean });

/** Sends one request and collects its whole answer. */
export async function exchangeOnce(asked: ExchangeRequest): Promise<WholeAnswer> {
  const answer = await collect(asked);
  if (answer.type !== 'ok' || answer.header('content-encoding') !== 'gzip') return answer;
  const whole = await unzip(answer, asked.most);
  if (whole.type !== 'ok' || asked.held?.hold(whole.body.length) !== false) return whole;
  return { ...tooMuchUnderWay, began: true };
}

/** The answers of a cluster that come at once are too large together. */
export const tooMuchUnderWay = failure({
  type: 'protocol',
  message: 'the answers that it sends at once are too large together',
});

function collect({ link, request, clock, timeout, most, held, signal }: ExchangeRequest): Promise<WholeAnswer> {
  return new Promise((resolve) => {
    const gathered = gatherBytes();
    let status = 0;
    let header: (name: string) => string | null = () => null;
    const settle = (answer: WholeAnswer): void => {
      timer.cancel();
      signal?.removeEventListener('abort', onAbort);
      resolve(answer);
    };
    const cancel = link.open(request, 'get', {
      head(given, read) {
        status = given;
        header = read;
      },
      data(chunk) {
        gathered.add(chunk);
        const size = gathered.size();
        const fits = held?.hold(size) !== false;
        if (size <= most && fits) return;
        cancel();
        settle(size > most ? { type: 'too-large' } : { ...tooMuchUnderWay, began: true });
      },
      end(lost) {
        if (lost === null && status !== 0) settle({ type: 'ok', status, header, body: gathered.take() });
        else settle({ ...failure({ type: 'unreachable', message: lost ?? 'no answer' }), began: status !== 0 });
      },
    });
    const giveUp = (message: string): void => {
      cancel();
      settle({ ...failure({ type: 'unreachable', message }), began: true });
    };
    const onAbort = (): void => giveUp('cancelled');
    const timer = clock.after(timeout, () => giveUp(`no answer within ${timeout / 1_000} s`));
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort);
  });
}

function unzip(answer: WholeAnswer & { type: 'ok' }, most: number): Promise<WholeAnswer> {
  return new Promise((resolve) => {
    gunzip(answer.body, { maxOutputLength: most }, (error, body) => {
      if (error === null) resolve({ ...answer, body });
      else if ('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') resolve({ type: 'too-large' });
      else resolve({ ...failure({ type: 'protocol', message: saying(error) }), began: true });
    });
  });
}
