import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '#server/runtime/clock.ts';
import type { ClusterAccess } from '../access.ts';
import type { WatchEnd } from '../answer.ts';
import type { ClusterFault } from '../cluster-event.ts';
import {
  type Asked,
  fixedAccess,
  type ScriptedServer,
  startScriptedServer,
  type Stream,
} from '../testing/scripted-server.ts';
import { until } from '../testing/until.ts';
import { startTransport, type Transport } from './transport.ts';
import { type ClusterTuning, defaultTuning } from '../tuning.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

interface Told {
  readonly connected: string[];
  readonly disconnected: ClusterFault[];
  received: number;
}

async function serve(
  answer: (asked: Asked) => boolean | void,
  options?: { http1?: boolean; maxStreams?: number; ready?: () => boolean },
): Promise<ScriptedServer> {
  const server = await startScriptedServer(answer, options);
  closers.push(server.stop);
  return server;
}

function connect(
  access: ClusterAccess,
  tuning: Partial<ClusterTuning> = {},
): { transport: ReturnType<typeof startTransport>; emitted: Told } {
  const emitted: Told = { connected: [], disconnected: [], received: 0 };
  const transport = startTransport({
    access,
    clock: systemClock,
    random: () => 0,
    tuning: { ...defaultTuning, backoffFirst: 20, ...tuning },
    onConnected: (protocol, version) => emitted.connected.push(`${protocol} ${version ?? '-'}`),
    onDisconnected: (fault) => emitted.disconnected.push(fault),
    onReceived: () => {
      emitted.received++;
    },
  });
  closers.push(transport.stop);
  return { transport, emitted };
}

const plain = { timeout: 5_000, most: 1_000_000 };
const ok = (asked: Asked): boolean | void =>
  asked.path === '/version' ? false : asked.json(200, { path: asked.path });

/** Opens a watch and remembers what it heard. */
function watching(
  transport: Transport,
  path: string,
): { lines: string[]; end: () => WatchEnd | null; opened: () => boolean; abort: () => void } {
  const lines: string[] = [];
  const stop = new AbortController();
  let end: WatchEnd | null = null;
  let opened = false;
  void transport
    .watch(path, { signal: stop.signal, onOpen: () => (opened = true), onLine: (line) => void lines.push(line) })
    .then((given) => (end = given));
  return { lines, end: () => end, opened: () => opened, abort: () => stop.abort() };
}

describe('what is thrown on the way into a cluster', () => {
  it.each(['tls', 'headers'] as const)('by %s is a fault of that cluster, and it is tried again', async (step) => {
    const server = await serve(ok);
    let thrown = 0;
    const { emitted } = connect({
      ...server.access,
      async [step]() {
        if (++thrown > 2) return server.access[step]();
        throw new Error('wrong tag');
      },
    });
    await until('the connection', () => emitted.connected.length > 0);
    expect(emitted.disconnected).toEqual([{ type: 'protocol', message: 'wrong tag' }]);
    expect(thrown).toBeGreaterThan(2);
  });
});

describe('transport', () => {
  it('connects by HTTP/2, says the version, and gets', async () => {
    const server = await serve(ok);
    const { transport, emitted } = connect(server.access);
    expect(await transport.get('/apis', plain)).toMatchObject({ type: 'ok', body: { path: '/apis' } });
    expect(emitted.connected).toEqual(['h2 v1.34.0']);
    expect(server.asked.map((asked) => asked.protocol)).toEqual(['2.0', '2.0']);
  });

  it('falls back to HTTP/1.1 where ALPN gives no h2, watches included', async () => {
    const server = await serve((asked) => (asked.query.has('watch') ? asked.stream().send({ n: 1 }) : ok(asked)), {
      http1: true,
    });
    const { transport, emitted } = connect(server.access);
    expect(await transport.get('/apis', plain)).toMatchObject({ type: 'ok' });
    const watch = watching(transport, '/apis/x?watch=true');
    await until('a line', () => watch.lines.length === 1);
    expect(emitted.connected).toEqual(['http/1.1 v1.34.0']);
  });

  it('caps the watches of HTTP/1.1 and says so', async () => {
    const server = await serve((asked) => (asked.query.has('watch') ? void asked.stream() : ok(asked)), {
      http1: true,
    });
    const { transport } = connect(server.access, { http1WatchesAtMost: 2 });
    const watches = [1, 2, 3].map((n) => watching(transport, `/apis/x${n}?watch=true`));
    const end = await until('a refusal', () => watches.map((watch) => watch.end()).find((each) => each !== null));
    expect(end).toMatchObject({
      type: 'fault',
      fault: { type: 'protocol', message: expect.stringContaining('HTTP/1.1') },
    });
    expect(watches.filter((watch) => watch.end() === null)).toHaveLength(2);
  });

  it('opens a second session beyond the streams of the first', async () => {
    const server = await serve((asked) => (asked.query.has('watch') ? void asked.stream() : ok(asked)));
    const { transport } = connect(server.access, { streamsPerSession: 3 });
    const watches = [1, 2, 3, 4, 5].map((n) => watching(transport, `/apis/x${n}?watch=true`));
    await until('all open', () => watches.every((watch) => watch.opened()));
    expect(server.connections()).toBe(2);
  });

  it('reads gzip, and refuses what is larger than asked for', async () => {
    const server = await serve((asked) =>
      asked.path === '/version' ? false : asked.json(200, { text: 'x'.repeat(50_000) }),
    );
    const { transport } = connect(server.access);
    const answer = await transport.get('/big', plain);
    expect(answer.type === 'ok' ? String(answer.body['text']).length : answer).toBe(50_000);
    expect(await transport.get('/big', { ...plain, most: 20_000 })).toEqual({ type: 'too-large' });
  });

  it.each([
    [401, { type: 'unauthorized' }],
    [403, { type: 'forbidden' }],
    [410, { type: 'server', status: 410 }],
    [429, { type: 'throttled' }],
    [500, { type: 'server', status: 500 }],
  ])('gives HTTP %i as a value', async (status, fault) => {
    const server = await serve((asked) =>
      asked.path === '/version'
        ? false
        : asked.json(status, { kind: 'Status', message: 'no, token=abc123' }, { 'retry-after': '7' }),
    );
    const { transport } = connect(server.access);
    const answer = await transport.get('/x', plain);
    expect(answer).toMatchObject({
      type: 'fault',
      retryAfter: 7_000,
      fault: { ...fault, message: 'no, token=[redacted]' },
    });
    const watch = watching(transport, '/x?watch=true');
    expect(await until('an end', watch.end)).toMatchObject({ type: 'fault', opened: false, fault });
  });

  it('gives an answer that is no JSON as a protocol fault', async () => {
    const server = await serve((asked) => (asked.path === '/version' ? false : asked.stream().end()));
    const { transport } = connect(server.access);
    expect(await transport.get('/x', plain)).toMatchObject({ type: 'fault', fault: { type: 'protocol' } });
  });

  it('gives up a get that is not answered in time', async () => {
    const server = await serve((asked) => (asked.path === '/version' ? false : undefined));
    const { transport } = connect(server.access);
    expect(await transport.get('/x', { ...plain, timeout: 100 })).toMatchObject({
      type: 'fault',
      fault: { type: 'unreachable' },
    });
  });

  it('re-reads a rotated token once after a 401', async () => {
    let token = 'old';
    let refreshes = 0;
    const server = await serve((asked) => {
      if (asked.path === '/version') return false;
      return asked.header('authorization') === 'Bearer new'
        ? asked.json(200, {})
        : asked.json(401, { message: 'Unauthorized' });
    });
    const access: ClusterAccess = {
      ...server.access,
      headers: () => Promise.resolve({ type: 'ok', headers: { authorization: `Bearer ${token}` } }),
      refresh: () => {
        refreshes++;
        token = refreshes === 1 ? 'new' : 'wrong';
      },
    };
    const { transport } = connect(access, { renewEvery: 0 });
    expect(await transport.get('/x', plain)).toMatchObject({ type: 'ok' });
    expect(refreshes).toBe(1);
    token = 'revoked';
    expect(await transport.get('/x', plain)).toMatchObject({ type: 'fault', fault: { type: 'unauthorized' } });
    expect(refreshes).toBe(2);
  });

  it('thirty watches that meet a 401 together re-read the credentials once', async () => {
    let token = 'old';
    let refreshes = 0;
    const server = await serve((asked) => {
      if (asked.path === '/version') return false;
      if (asked.header('authorization') === 'Bearer new') return void asked.stream();
      return asked.json(401, { message: 'Unauthorized' });
    });
    const { transport } = connect({
      ...server.access,
      headers: () => Promise.resolve({ type: 'ok', headers: { authorization: `Bearer ${token}` } }),
      refresh: () => {
        refreshes++;
        token = 'new';
      },
    });
    const watches = Array.from({ length: 30 }, (_, n) => watching(transport, `/x${n}?watch=true`));
    await until('all open', () => watches.every((watch) => watch.opened()));
    expect(refreshes).toBe(1);
  });

  it('tells credentials that fail as a value, and connects once they work', async () => {
    const server = await serve(ok);
    let broken = true;
    const access: ClusterAccess = {
      ...server.access,
      headers: () =>
        Promise.resolve(
          broken
            ? { type: 'fault', retryAfter: null, fault: { type: 'credentials', message: 'the plugin failed' } }
            : { type: 'ok', headers: {} },
        ),
    };
    const { emitted } = connect(access);
    await until('the fault', () => emitted.disconnected.length > 0);
    expect(emitted.disconnected[0]).toEqual({ type: 'credentials', message: 'the plugin failed' });
    broken = false;
    await until('connected', () => emitted.connected.length === 1);
  });

  it('tells an untrusted certificate as a protocol fault and a closed port as unreachable', async () => {
    const server = await serve(ok);
    const wrong: ClusterAccess = {
      ...server.access,
      tls: () =>
        Promise.resolve({ type: 'ok', tls: { ca: null, cert: null, key: null, serverName: null, insecure: false } }),
    };
    const first = connect(wrong).emitted;
    await until('the fault', () => first.disconnected[0]?.type === 'protocol');
    const second = connect(fixedAccess('https://127.0.0.1:1')).emitted;
    await until('the fault', () => second.disconnected[0]?.type === 'unreachable');
    const insecure: ClusterAccess = {
      ...server.access,
      tls: () =>
        Promise.resolve({ type: 'ok', tls: { ca: null, cert: null, key: null, serverName: null, insecure: true } }),
    };
    const third = connect(insecure).emitted;
    await until('connected', () => third.connected.length === 1);
  });

  it('does not call something connected that accepts connections and answers HTTP 503', async () => {
    let up = false;
    const server = await serve((asked) => (up ? ok(asked) : asked.json(503, { message: 'no backend' })));
    const { emitted } = connect(server.access);
    await until('the fault', () => emitted.disconnected[0]?.type === 'server');
    expect(emitted.connected).toEqual([]);
    up = true;
    await until('connected', () => emitted.connected.length === 1);
  });

  it('does not call a server connected that is not ready yet', async () => {
    let ready = false;
    const server = await serve(ok, { ready: () => ready });
    const { emitted } = connect(server.access);
    await until('the fault', () => emitted.disconnected.length === 1);
    expect(emitted.disconnected[0]).toEqual({ type: 'server', status: 500, message: 'the API server is not ready' });
    ready = true;
    await until('connected', () => emitted.connected.length === 1);
  });

  it('finds a blackholed connection by ping and reconnects', async () => {
    const server = await serve((asked) => (asked.query.has('watch') ? void asked.stream() : ok(asked)));
    const { transport, emitted } = connect(server.access, { pingAfter: 100, pingTimeout: 150, connectTimeout: 300 });
    const watch = watching(transport, '/x?watch=true');
    await until('open', watch.opened);
    server.blackhole();
    const end = await until('the end', watch.end);
    expect(end).toMatchObject({ type: 'fault', opened: true, fault: { type: 'unreachable' } });
    expect(await until('the loss is told', () => emitted.disconnected[0])).toMatchObject({
      type: 'unreachable',
      message: expect.stringContaining('ping'),
    });
    server.heal();
    await until('connected again', () => emitted.connected.length === 2);
    expect(await transport.get('/y', plain)).toMatchObject({ type: 'ok' });
  });

  it('keeps a quiet connection that answers pings', async () => {
    const server = await serve((asked) => (asked.query.has('watch') ? void asked.stream() : ok(asked)));
    const { transport, emitted } = connect(server.access, { pingAfter: 30, pingTimeout: 2_000 });
    const watch = watching(transport, '/x?watch=true');
    await until('open', watch.opened);
    const before = emitted.received;
    await until('pings were answered', () => emitted.received >= before + 3);
    expect(watch.end()).toBeNull();
    expect(emitted.disconnected).toEqual([]);
  });

  it('GOAWAY: streams go on, new ones go over a new session, and it is no disconnect', async () => {
    const streams: Stream[] = [];
    const server = await serve((asked) => (asked.query.has('watch') ? void streams.push(asked.stream()) : ok(asked)));
    const { transport, emitted } = connect(server.access);
    const old = watching(transport, '/x?watch=true');
    await until('open', old.opened);
    server.goAway();
    await until(
      'a new session serves',
      async () => (await transport.get('/y', plain)).type === 'ok' && server.connections() === 2,
    );
    streams[0]?.send({ n: 1 });
    await until('the old stream goes on', () => old.lines.length === 1 || old.end() !== null);
    const fresh = watching(transport, '/z?watch=true');
    await until('open', fresh.opened);
    expect(emitted.disconnected).toEqual([]);
  });

  it('a watch that was lost before the server said anything is asked once more, and only once', async () => {
    const asked: string[] = [];
    const server = await serve((one) => {
      if (!one.query.has('watch')) return ok(one);
      asked.push(one.path);
      if (one.path === '/hopeless' || asked.length === 1) server.cut();
      else one.stream();
      return true;
    });
    const { transport } = connect(server.access);
    const unlucky = watching(transport, '/unlucky?watch=true');
    await until('open', unlucky.opened);
    expect(asked).toEqual(['/unlucky', '/unlucky']);
    const hopeless = watching(transport, '/hopeless?watch=true');
    const end = await until('the end', hopeless.end);
    expect(end).toMatchObject({ type: 'fault', opened: false, fault: { type: 'unreachable' } });
    expect(asked.filter((path) => path === '/hopeless')).toHaveLength(2);
  });

  it('a cut connection ends the watches, is told once, and waiting watches go on after it', async () => {
    const server = await serve((asked) => (asked.query.has('watch') ? void asked.stream() : ok(asked)));
    const { transport, emitted } = connect(server.access);
    const watch = watching(transport, '/x?watch=true');
    await until('open', watch.opened);
    server.cut();
    await until('the end', watch.end);
    const next = watching(transport, '/x?watch=true');
    await until('open again', next.opened);
    expect(emitted.disconnected).toHaveLength(1);
    expect(emitted.connected).toHaveLength(2);
  });

  it('tells no loss once it is stopped, and does not connect again', async () => {
    const server = await serve(ok);
    const { transport, emitted } = connect(server.access);
    await until('connected', () => emitted.connected.length === 1);
    transport.stop();
    await until('no connection left', () => server.connections() === 0);
    expect(await transport.get('/x', plain)).toMatchObject({ type: 'fault', fault: { type: 'unreachable' } });
    expect([emitted.disconnected, emitted.connected.length]).toEqual([[], 1]);
  });

  it('cancels streams one by one and stays connected', async () => {
    const streams: Stream[] = [];
    const server = await serve((asked) => (asked.query.has('watch') ? void streams.push(asked.stream()) : ok(asked)));
    const { transport, emitted } = connect(server.access, { cancelEvery: 2 });
    for (let round = 0; round < 4; round++) {
      const watches = Array.from({ length: 50 }, (_, n) => watching(transport, `/x${n}?watch=true`));
      await until('open', () => watches.every((watch) => watch.opened()));
      for (const watch of watches) watch.abort();
      await until('cancelled', () => watches.every((watch) => watch.end()?.type === 'cancelled'));
    }
    await until('the server saw it', () => streams.length === 200 && streams.every((stream) => stream.closed()));
    expect(emitted.disconnected).toEqual([]);
    expect(emitted.connected).toHaveLength(1);
  });

  it('can only read: everything else than the two reviews is a GET', async () => {
    const server = await serve((asked) => (asked.path === '/version' ? false : asked.json(201, { status: {} })));
    const { transport } = connect(server.access);
    const { signal } = new AbortController();
    await transport.get('/a', plain);
    await transport.selfSubjectRulesReview('flux-system', signal);
    await transport.selfSubjectAccessReview({ group: '', resource: 'secrets', verb: 'get' }, signal);
    expect(server.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /version',
      'GET /a',
      'POST /apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
      'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    ]);
  });
});
