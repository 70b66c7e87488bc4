import type { DateSample } from '#lib/domain/time/clock-skew.ts';
import { type ForeignObject, parseForeign } from '#lib/foreign.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { ClusterAccess, RequestHeaders } from './access.ts';
import { type Answer, type Failure, failure, failureOfStatus, type WatchEnd } from './answer.ts';
import type { ClusterFault } from '../cluster-event.ts';
import { basePath, startConnection } from './connection.ts';
import type { Semaphore } from './semaphore.ts';
import { exchangeOnce } from './exchange.ts';
import { lineSplitter } from './line-splitter.ts';
import type { Link, LinkRequest } from './link.ts';
import { childAbort } from '../pause.ts';
import type { ClusterTuning } from '../tuning.ts';

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

export interface WatchOptions {
  readonly signal: AbortSignal;
  /** The server accepted the watch (HTTP 200). */
  onOpen(): void;
  /** One line: one watch event as JSON. Lines may still come after an abort. */
  onLine(line: string): void;
}

/** spec.resourceAttributes of a SelfSubjectAccessReview. */
export interface AccessQuestion {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
  readonly namespace?: string;
}

/** Everything that can be asked of a cluster. Nothing that changes it can be expressed. */
export interface Transport {
  /** One GET of a path (query included) below the server's URL; the answer must be a JSON object. */
  get(path: string, options: GetOptions): Promise<Answer>;
  /** One watch, until it ends, breaks or is aborted. Waits for a connection as long as it takes. */
  watch(path: string, options: WatchOptions): Promise<WatchEnd>;
  selfSubjectAccessReview(question: AccessQuestion, signal: AbortSignal): Promise<Answer>;
  selfSubjectRulesReview(namespace: string, signal: AbortSignal): Promise<Answer>;
}

export interface TransportDeps {
  readonly access: ClusterAccess;
  readonly clock: Clock;
  readonly random: () => number;
  readonly tuning: ClusterTuning;
  readonly dials?: Semaphore | undefined;
  onConnected(protocol: 'h2' | 'http/1.1', version: string | null): void;
  onDisconnected(fault: ClusterFault): void;
  onReceived(): void;
  /** Each answer's Date beside our clock. */
  onDated?(sample: DateSample): void;
}

interface Ready {
  readonly type: 'ok';
  readonly link: Link;
  readonly headers: RequestHeaders;
  /** Which reading of the credentials the headers come from. */
  readonly credentials: number;
}

/** Starts the one way to a cluster: connects at once, keeps connected, re-reads credentials once after a 401. */
export function startTransport(deps: TransportDeps): Transport & { stop(): void } {
  const { access, clock, tuning } = deps;
  const connection = startConnection(deps);
  const base = basePath(access.server);
  let credentials = 0;
  let renewedAt = -Infinity;

  /** The link may have filled or gone while the credential was fetched: callers look for room before they open. */
  async function prepare(use: 'watch' | 'get', signal: AbortSignal): Promise<Ready | Failure> {
    const acquired = await connection.acquire(use, signal);
    if (acquired.type === 'fault') return acquired;
    const used = credentials;
    const headers = await access.headers();
    if (headers.type === 'fault') return headers;
    return { type: 'ok', link: acquired.link, headers: headers.headers, credentials: used };
  }

  async function ask(path: string, review: string | null, options: GetOptions): Promise<Answer> {
    const { controller, release } = childAbort(options.signal ?? new AbortController().signal);
    const deadline = clock.now() + options.timeout;
    const timer = clock.after(options.timeout, () => controller.abort());
    let asked = 0;
    let refreshed = false;
    try {
      for (;;) {
        const ready = await prepare('get', controller.signal);
        if (ready.type === 'fault') return ready;
        if (!ready.link.room('get')) continue;
        const request: LinkRequest = { path: base + path, headers: headersOf(options, review, ready.headers), review };
        const timeout = Math.max(1, deadline - clock.now());
        const answer = await exchangeOnce({
          link: ready.link,
          request,
          clock,
          timeout,
          most: options.most,
          signal: controller.signal,
        });
        if (answer.type === 'too-large') return answer;
        if (answer.type === 'fault') {
          // Lost before the server said anything (GOAWAY, an idle socket closed): asked once more elsewhere.
          if (!answer.began && asked++ === 0 && !controller.signal.aborted) continue;
          return failure(answer.fault);
        }
        if (answer.status === 401 && !refreshed) {
          refreshed = true;
          renewCredentials(ready);
          continue;
        }
        if (answer.status === 304) return { type: 'not-modified' };
        if (answer.status !== 200 && answer.status !== 201) {
          return failureOfStatus(
            answer.status,
            answer.body.toString('utf8', 0, 64_000),
            answer.header('retry-after'),
            clock.now(),
          );
        }
        const body = parseForeign(answer.body.toString('utf8'));
        if (body === null) return failure({ type: 'protocol', message: 'the answer is not a JSON object' });
        return { type: 'ok', body, etag: answer.header('etag') };
      }
    } finally {
      timer.cancel();
      release();
    }
  }

  /** Thirty watches that meet a 401 together re-read the credentials once; bad ones are not re-read all the time. */
  function renewCredentials(refused: Ready): void {
    if (refused.credentials !== credentials || clock.now() - renewedAt < tuning.renewEvery) return;
    credentials++;
    renewedAt = clock.now();
    access.refresh();
    connection.renew();
  }

  async function watch(path: string, options: WatchOptions): Promise<WatchEnd> {
    let refreshed = false;
    let asked = 0;
    for (;;) {
      const ready = await prepare('watch', options.signal);
      if (options.signal.aborted) return { type: 'cancelled' };
      if (ready.type === 'fault') return { ...ready, opened: false };
      if (!ready.link.room('watch')) continue;
      const request = {
        path: base + path,
        headers: { accept: 'application/json', 'user-agent': agent, ...ready.headers },
        review: null,
      };
      const end = await follow(ready.link, request, options, tuning.lineBytes, clock);
      // Lost before the server said anything (it was sent while a GOAWAY came): asked once more elsewhere, as a GET is.
      if (end.type === 'fault' && !end.opened && end.fault.type === 'unreachable' && asked++ === 0) continue;
      if (end.type !== 'fault' || end.fault.type !== 'unauthorized' || refreshed) return end;
      refreshed = true;
      renewCredentials(ready);
    }
  }

  function review(kind: string, spec: ForeignObject, signal: AbortSignal): Promise<Answer> {
    const body = JSON.stringify({ apiVersion: 'authorization.k8s.io/v1', kind, spec });
    return ask(`/apis/authorization.k8s.io/v1/${kind.toLowerCase()}s`, body, {
      timeout: tuning.getTimeout,
      most: tuning.answerBytes,
      signal,
    });
  }

  return {
    get: (path, options) => ask(path, null, options),
    watch,
    selfSubjectAccessReview: (question, signal) =>
      review('SelfSubjectAccessReview', { resourceAttributes: question }, signal),
    selfSubjectRulesReview: (namespace, signal) => review('SelfSubjectRulesReview', { namespace }, signal),
    stop: connection.stop,
  };
}

const agent = 'plumbline';

function headersOf(options: GetOptions, review: string | null, credentials: RequestHeaders): RequestHeaders {
  return {
    accept: options.accept ?? 'application/json',
    'accept-encoding': 'gzip',
    'user-agent': agent,
    ...(options.etag === undefined ? {} : { 'if-none-match': options.etag }),
    ...(review === null ? {} : { 'content-type': 'application/json' }),
    ...credentials,
  };
}

function follow(
  link: Link,
  request: LinkRequest,
  { signal, onOpen, onLine }: WatchOptions,
  longest: number,
  clock: Clock,
): Promise<WatchEnd> {
  return new Promise((resolve) => {
    const split = lineSplitter(onLine, longest);
    const refusal: Buffer[] = [];
    let refusalSize = 0;
    let status = 0;
    let retryAfter: string | null = null;
    const settle = (end: WatchEnd): void => {
      signal.removeEventListener('abort', abort);
      resolve(end);
    };
    const cancel = link.open(request, 'watch', {
      head(given, header) {
        status = given;
        retryAfter = header('retry-after');
        if (status === 200) onOpen();
      },
      data(chunk) {
        if (status !== 200) {
          refusalSize += chunk.length;
          if (refusalSize <= 64_000) refusal.push(chunk);
        } else if (!split(chunk)) {
          cancel();
          settle({
            ...failure({ type: 'protocol', message: `a watch event is longer than ${longest} bytes` }),
            opened: true,
          });
        }
      },
      end(lost) {
        if (status !== 0 && status !== 200) {
          settle({
            ...failureOfStatus(status, Buffer.concat(refusal).toString(), retryAfter, clock.now()),
            opened: false,
          });
        } else if (lost === null && status === 200) {
          settle({ type: 'ended' });
        } else {
          settle({ ...failure({ type: 'unreachable', message: lost ?? 'no answer' }), opened: status === 200 });
        }
      },
    });
    const abort = (): void => {
      cancel();
      settle({ type: 'cancelled' });
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
  });
}
