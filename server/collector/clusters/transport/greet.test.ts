import { expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { defaultTuning } from '../tuning.ts';
import { greet } from './greet.ts';
import type { Link } from './link.ts';

type Answer = readonly [status: number, body: string] | string;

/** A link that answers each path so; a text is why the request was lost. */
function linkOf(answers: Readonly<Record<string, Answer>>): Link {
  return {
    protocol: 'h2',
    room: () => true,
    open(request, _use, exchange) {
      const answer = answers[request.path] ?? [404, ''];
      queueMicrotask(() => {
        if (typeof answer === 'string') return exchange.end(answer);
        exchange.head(answer[0], () => null);
        exchange.data(Buffer.from(answer[1]));
        exchange.end(null);
      });
      return () => undefined;
    },
    drain: () => undefined,
    close: () => undefined,
  };
}

const version: Answer = [200, '{"gitVersion":"v1.36.0"}'];
const goneAway = 'New streams cannot be created after receiving a GOAWAY';

it.each<readonly [string, string, Readonly<Record<string, Answer>>, string | null, object]>([
  [
    'no credentials, where anonymous requests are answered once',
    'https://a',
    { '/version': version, '/readyz': goneAway },
    'the kubeconfig names none for this context',
    {
      type: 'unauthorized',
      message: 'the cluster does not accept the credentials: the kubeconfig names none for this context',
    },
  ],
  [
    'credentials that are over',
    'https://a',
    { '/version': [401, '{"kind":"Status"}'] },
    'the token expired at 2026-01-01T00:00:00.000Z',
    {
      type: 'unauthorized',
      message: 'the cluster does not accept the credentials: the token expired at 2026-01-01T00:00:00.000Z',
    },
  ],
  [
    'credentials that do not tell',
    'https://a',
    { '/version': [401, ''] },
    null,
    { type: 'unauthorized', message: 'the cluster does not accept the credentials' },
  ],
  [
    'a connection that is lost',
    'https://a',
    { '/version': version, '/readyz': goneAway },
    null,
    { type: 'unreachable', message: goneAway },
  ],
  [
    'http for https',
    'http://a',
    { '/version': [400, 'Client sent an HTTP request to an HTTPS server.\n'] },
    null,
    { type: 'protocol', message: 'server: it speaks TLS, and the kubeconfig says http://; write https://' },
  ],
])('%s is one line', async (_case, server, answers, unaccepted, fault) => {
  const access = {
    server,
    tls: () => Promise.reject(new Error('not asked')),
    headers: () => Promise.resolve({ type: 'ok' as const, headers: {} }),
    refresh: () => undefined,
    unaccepted: () => unaccepted,
  };
  const greeted = await greet({ access, clock: fakeClock(), tuning: defaultTuning }, linkOf(answers));
  expect(greeted).toMatchObject({ type: 'fault', fault });
});
