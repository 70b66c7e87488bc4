import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StreamFrame } from '#lib/api/stream.ts';
import { runningWeb } from './testing/running-web.ts';
import type { RunningWeb } from './testing/running-web.ts';
import { kustomizeGroup, sampleCluster, sampleDiverged, sampleNow, sampleObject } from './testing/sample.ts';

let web: RunningWeb;
const streams: OpenStream[] = [];

beforeEach(async () => {
  web = await runningWeb();
  web.store.cluster(sampleCluster('eu-west-3', { validUntil: sampleNow + 120_000 }));
  web.store.object(sampleObject({ name: 'checkout' }));
  web.store.object(sampleObject({ name: 'payments' }));
  await web.advance(500);
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  await web.stop();
});

async function open(query: string, lastEventId?: string): Promise<OpenStream> {
  const stream = await openStream(`${web.origin}/api/v1/stream?${query}`, lastEventId);
  streams.push(stream);
  return stream;
}

function now(): string {
  return new Date(web.clock.now()).toISOString();
}

const objectQuery = `topic=object&cluster=eu-west-3&group=${kustomizeGroup}&kind=Kustomization&namespace=flux-system&name=checkout`;

describe('the stream', () => {
  it('has the headers that keep proxies from holding it back', async () => {
    const { response } = await open('topic=summary');
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('content-encoding')).toBeNull();
  });

  it('says reset to who brings nothing, and nothing to who is up to date', async () => {
    expect((await (await open('topic=fleet')).next()).frame.type).toBe('reset');
    await web.advance(1_000);
    expect((await (await open(`topic=fleet&after=${now()}`)).next()).frame.type).toBe('tick');
  });

  it.each([
    ['topic=summary', 'summary'],
    ['topic=fleet', 'summary'],
    ['topic=cluster&cluster=eu-west-3', 'cluster'],
    ['topic=cluster&cluster=nowhere', 'removed'],
    [objectQuery, 'object'],
  ])('%s: what is small comes whole after a reset', async (query, type) => {
    const stream = await open(query);
    expect((await stream.next()).frame.type).toBe('reset');
    expect((await stream.next()).frame.type).toBe(type);
  });

  it('refuses a filter by what is not there, unless the page was open before it went', async () => {
    const path = '/api/v1/stream?topic=fleet&label=environment%3Dnope';
    const refused = await web.get(path);
    expect(refused.status).toBe(404);
    expect(await refused.json()).toMatchObject({ detail: 'No cluster has the label environment=nope.' });
    const { response } = await open(`topic=fleet&label=environment%3Dnope&after=${now()}`);
    expect(response.status).toBe(200);
    for (const id of ['other:1', '']) {
      const again = await openStream(`${web.origin}${path}`, id);
      streams.push(again);
      expect(again.response.status).toBe(200);
    }
  });

  it('gives the headers alone to HEAD', async () => {
    const response = await web.get('/api/v1/stream?topic=summary', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(await web.scrape()).toMatch(/^plumbline_web_stream_clients 0$/m);
  });

  it('takes its connection with it', async () => {
    const { headers } = await web.get('/api/v1/stream?topic=summary', { method: 'HEAD' });
    expect(headers.get('connection')).toBe('close');
  });

  it('sends changed rows and the summary, once each', async () => {
    const stream = await open('topic=fleet');
    await stream.next((event) => event.frame.type === 'tick');
    web.store.object(sampleDiverged({ name: 'checkout' }));
    await web.advance(500);
    const { frame } = await stream.next((event) => event.frame.type === 'rows');
    expect(frame).toMatchObject({
      type: 'rows',
      rows: [{ cluster: 'eu-west-3', cells: 'Dc' }],
      order: null,
      columns: null,
    });
    const summary = await stream.next((event) => event.frame.type === 'summary');
    expect(summary.frame).toMatchObject({ summary: { guarantee: { truth: 'broken' } } });
  });

  it('tells who arrives between a change and its frame of it with that frame', async () => {
    await open('topic=fleet');
    web.store.object(sampleDiverged({ name: 'checkout' }));
    const late = await open(`topic=fleet&after=${now()}`);
    await late.next((event) => event.frame.type === 'tick');
    await web.advance(500);
    const { frame } = await late.next((event) => event.frame.type === 'rows');
    expect(frame).toMatchObject({ type: 'rows', rows: [{ cluster: 'eu-west-3', cells: 'Dc' }] });
  });

  it('sends columns and order when they change', async () => {
    const stream = await open('topic=fleet');
    await stream.next();
    web.store.cluster(sampleCluster('us-east-1'));
    web.store.object(sampleDiverged({ cluster: 'us-east-1', name: 'search' }));
    await web.advance(500);
    const { frame } = await stream.next((event) => event.frame.type === 'rows');
    expect(frame).toMatchObject({
      order: ['us-east-1', 'eu-west-3'],
      columns: [{ title: 'checkout' }, { title: 'payments' }, { title: 'search' }],
    });
  });

  it('tells the steps of incidents, in their order, and again to who has missed them', async () => {
    const stream = await open('topic=incidents');
    await stream.next((event) => event.frame.type === 'tick');
    await web.advance(500);
    const begun = await stream.next((event) => event.frame.type === 'reset');
    const away = (name: string, at: number, closedAt: number | null): void =>
      web.store.absence({
        ref: sampleObject({ name }).ref,
        uid: 'u',
        openedAt: at,
        bound: 'exact',
        noticedAt: at,
        closedAt,
        ended: closedAt === null ? null : 'converged',
        worst: 'diverged',
        reason: 'BuildFailed',
        rootCause: null,
        range: null,
      });
    away('checkout', sampleNow, sampleNow + 10);
    web.store.object(sampleDiverged({ name: 'checkout' }));
    await web.advance(1_000);
    const told = await stream.next((event) => event.frame.type === 'incidents');
    const title = 'checkout on eu-west-3';
    expect(told.frame).toMatchObject({
      news: [
        { position: 1, type: 'opened', title, objects: 1, worst: 'diverged' },
        { position: 2, type: 'closed', title, objects: 0, ended: 'converged' },
      ],
    });
    away('payments', sampleNow + 500, null);
    web.store.object(sampleDiverged({ name: 'payments' }));
    await web.advance(1_000);
    const later = await stream.next((event) => event.frame.type === 'incidents');
    expect(later.frame).toMatchObject({ news: [{ position: 3, type: 'opened', title: 'payments on eu-west-3' }] });
    const resumed = await open('topic=incidents', begun.id ?? '');
    expect([await resumed.next(), await resumed.next()].map(({ id }) => id)).toEqual([told.id, later.id]);
    expect((await (await open('topic=incidents', 'other:1')).next()).frame.type).toBe('reset');
  });

  it('follows one object, through its removal', async () => {
    const stream = await open(objectQuery);
    await stream.next((event) => event.frame.type === 'tick');
    web.store.object(sampleDiverged({ name: 'checkout' }));
    await web.advance(500);
    expect((await stream.next((event) => event.frame.type === 'object')).frame).toMatchObject({
      object: { verdict: 'diverged' },
    });
    web.store.write({ type: 'removed', ref: sampleObject({ name: 'checkout' }).ref });
    await web.advance(500);
    expect((await stream.next((event) => event.frame.type === 'removed')).frame).toMatchObject({
      ref: { name: 'checkout' },
    });
  });

  it('tells what expired without any write', async () => {
    const stream = await open(objectQuery);
    await stream.next((event) => event.frame.type === 'tick');
    web.store.fail('gone');
    await web.advance(121_000);
    expect((await stream.next((event) => event.frame.type === 'object')).frame).toMatchObject({
      object: { verdict: 'unobserved', was: 'converged' },
    });
  });

  it('ticks at least each 10 s', async () => {
    const stream = await open('topic=summary');
    await stream.next((event) => event.frame.type === 'tick');
    await web.advance(10_500);
    expect((await stream.next((event) => event.frame.type === 'tick')).frame).toMatchObject({
      lastWordAt: '2026-11-21T02:00:00.000Z',
    });
  });
});

describe('resuming', () => {
  it('gives exactly what was missed, with the same ids', async () => {
    const witness = await open(objectQuery);
    const first = await witness.next();
    await witness.next((event) => event.frame.type === 'tick');
    web.store.object(sampleDiverged({ name: 'checkout' }));
    await web.advance(500);
    const changed = await witness.next((event) => event.frame.type === 'object');
    web.store.object(sampleObject({ name: 'checkout' }));
    await web.advance(500);
    const mended = await witness.next((event) => event.frame.type === 'object');
    const resumed = await open(objectQuery, first.id ?? '');
    const replayed = [await resumed.next(), await resumed.next()];
    expect(replayed.map(({ id }) => id)).toEqual([changed.id, mended.id]);
    const later = await open(objectQuery, changed.id ?? '');
    expect((await later.next()).id).toBe(mended.id);
    const current = await open(objectQuery, mended.id ?? '');
    expect((await current.next()).frame.type).toBe('tick');
    const byQuery = await open(`${objectQuery}&lastEventId=${encodeURIComponent(changed.id ?? '')}`);
    expect((await byQuery.next()).id).toBe(mended.id);
    const bareHeader = await open(`${objectQuery}&lastEventId=${encodeURIComponent(changed.id ?? '')}`, '');
    expect((await bareHeader.next()).id).toBe(mended.id);
  });

  it.each(['other:1', 'nonsense', ':', 'other:99999999999999999999'])(
    'says reset to an id of another process or none: %s',
    async (id) => {
      await open(objectQuery);
      expect((await (await open(objectQuery, id)).next()).frame.type).toBe('reset');
    },
  );

  it('says reset to an id that has left the ring, and to one from the future', async () => {
    const witness = await open(objectQuery);
    const { id } = await witness.next((event) => event.id !== null);
    for (let n = 0; n < 600; n += 1) {
      web.store.object(sampleObject({ name: 'checkout' }, { message: `pass ${n}` }));
      await web.advance(500);
    }
    expect((await (await open(objectQuery, id ?? '')).next()).frame.type).toBe('reset');
    const future = `${(id ?? '').split(':')[0]}:999999`;
    expect((await (await open(objectQuery, future)).next()).frame.type).toBe('reset');
  });
});

describe('the end', () => {
  it('closes streams first, so that the process is not held up', async () => {
    const stream = await open('topic=summary');
    await stream.next();
    const began = performance.now();
    await web.stop();
    expect(performance.now() - began).toBeLessThan(2_000);
    await expect(stream.next((event) => event.frame.type === 'rows')).rejects.toThrow('the stream has ended');
    web = await runningWeb();
  });
});

/** One event as it came. */
interface StreamEvent {
  readonly id: string | null;
  readonly frame: StreamFrame;
}

/** An open stream of the API, read event by event. */
interface OpenStream {
  readonly response: Response;
  /** The next event that passes; rejects after 5 s without one, or where the stream ends. */
  next(passes?: (event: StreamEvent) => boolean): Promise<StreamEvent>;
  close(): void;
}

/** Opens a stream; every frame must fit the published schema. */
async function openStream(url: string, lastEventId?: string): Promise<OpenStream> {
  const abort = new AbortController();
  const headers = lastEventId === undefined ? undefined : { 'Last-Event-ID': lastEventId };
  const response = await fetch(url, { signal: abort.signal, ...(headers ? { headers } : {}) });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const waiting: StreamEvent[] = [];
  let text = '';

  async function read(): Promise<void> {
    const part = await reader?.read();
    if (!part || part.done) throw new Error('the stream has ended');
    text += part.value;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = parse(text.slice(0, end));
      text = text.slice(end + 2);
      if (event) waiting.push(event);
    }
  }

  return {
    response,
    async next(passes = () => true) {
      const deadline = wait(5_000, undefined, { ref: false }).then(() =>
        Promise.reject(new Error('no such event within 5 s')),
      );
      for (;;) {
        const event = waiting.shift();
        if (event === undefined) await Promise.race([read(), deadline]);
        else if (passes(event)) {
          deadline.catch(() => undefined);
          return event;
        }
      }
    },
    close: () => abort.abort(),
  };
}

function parse(block: string): StreamEvent | null {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const data = fields.get('data');
  if (data === undefined) return null;
  const frame = StreamFrame.parse(JSON.parse(data));
  if (frame.type !== fields.get('event')) throw new Error(`event ${fields.get('event')} carries ${frame.type}`);
  return { id: fields.get('id') ?? null, frame };
}
