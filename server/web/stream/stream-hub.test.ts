import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { minute } from '#lib/domain/time/length.ts';
import { fakeClock, type FakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { createFleetCache, type FleetCache } from '../cache/fleet-cache.ts';
import { sampleMoment } from '../testing/moment.ts';
import { sampleCluster, sampleNow, sampleObject, sampleRef } from '../testing/sample.ts';
import { startStreamHub, type Arrival, type StreamHub, type StreamHubDeps } from './stream-hub.ts';
import type { Topic } from './topic.ts';

/** A response that keeps what is written to it. */
class KeptResponse extends ServerResponse {
  readonly written: string[] = [];

  constructor() {
    super(new IncomingMessage(new Socket()));
  }

  override write(chunk: unknown): boolean {
    this.written.push(String(chunk));
    return true;
  }
}

let cache: FleetCache & Pick<ReturnType<typeof createFleetCache>, 'apply'>;
let clock: FakeClock;
let hub: StreamHub;

const about = (name: string): Topic => ({ type: 'object', ref: sampleRef({ name }) });
const fresh: Omit<Arrival, 'by'> = { lastEventId: null, after: null };

function start(limits: Partial<StreamHubDeps> = {}): void {
  hub = startStreamHub({ known: sampleMoment(cache), clock, log: silentLog, ...limits });
}

function change(name: string, message: string): void {
  cache.apply([{ type: 'object', object: sampleObject({ name }, { message }) }]);
}

let strangers = 0;

/** A client of a topic, of a listener of its own where none is named; null where there is no room. */
function arrive(topic: Topic, arrival = fresh, by = `stranger ${++strangers}`): KeptResponse | null {
  const response = new KeptResponse();
  return hub.connect(topic, { ...arrival, by }, response) ? response : null;
}

/** The types of the frames that a client got, each once it was written. */
function frames(client: KeptResponse | null): string[] {
  return [...(client?.written.join('') ?? 'refused').matchAll(/^event: (.*)$/gm)].map(([, type = '']) => type);
}

function epochOf(client: KeptResponse | null): string {
  return /^id: ([\w-]{8}):\d+$/m.exec(client?.written[0] ?? '')?.[1] ?? 'none';
}

beforeEach(() => {
  cache = createFleetCache();
  clock = fakeClock(sampleNow);
  cache.apply([{ type: 'cluster', cluster: sampleCluster('eu-west-3') }]);
  change('web', 'first');
});

describe('a stream', () => {
  it('begins with a reset and the whole, under the number of the last frame of this process', () => {
    start();
    const client = arrive(about('web'));
    const id = `id: ${epochOf(client)}:0`;
    const [begin = ''] = client?.written ?? [];
    expect(begin.split('\n').filter((line) => !line.startsWith('data: {"type":"object"'))).toEqual([
      'retry: 2000',
      '',
      id,
      'event: reset',
      'data: {"type":"reset","at":"2026-11-21T02:00:00.000Z"}',
      '',
      id,
      'event: object',
      '',
      'event: tick',
      'data: {"type":"tick","at":"2026-11-21T02:00:00.000Z","lastWordAt":"2026-11-21T02:00:00.000Z"}',
      '',
      '',
    ]);
  });

  it('tells a change 250 ms after the last pass, to each client, and counts what was sent', () => {
    start();
    const clients = [arrive(about('web')), arrive(about('web'))];
    const epoch = epochOf(clients[0] ?? null);
    change('web', 'second');
    clock.advance(249);
    expect(clients.map((client) => client?.written.length)).toEqual([1, 1]);
    clock.advance(1);
    const begins = clients.map((client) => client?.written[1]?.slice(0, `id: ${epoch}:1\nevent: object\n`.length));
    expect(begins).toEqual([`id: ${epoch}:1\nevent: object\n`, `id: ${epoch}:1\nevent: object\n`]);
    change('web', 'third');
    clock.advance(250);
    expect(clients[1]?.written[2]?.startsWith(`id: ${epoch}:2\n`)).toBe(true);
    expect([hub.clients(), hub.framesSent()]).toEqual([2, 4]);
  });

  it('lets what a pass has no time for wait for the next one', () => {
    let time = 0;
    start({ elapsed: () => (time += 60) });
    change('api', 'first');
    const clients = [arrive(about('web')), arrive(about('api'))];
    for (const name of ['web', 'api']) change(name, 'second');
    const told = (): number => clients.reduce((sum, client) => sum + frames(client).length - 3, 0);
    clock.advance(250);
    expect(told()).toBe(1);
    clock.advance(250);
    expect(told()).toBe(2);
  });

  it('is nudged at once, but not within 250 ms of the last change or nudge', () => {
    start();
    const client = arrive(about('web'));
    const count = (): number => frames(client).length - 3;
    clock.advance(100);
    change('web', 'second');
    hub.nudge();
    expect(count()).toBe(1);
    change('web', 'third');
    clock.advance(249);
    hub.nudge();
    expect(count()).toBe(1);
    clock.advance(1);
    expect(count()).toBe(2);
    clock.advance(249);
    change('web', 'fourth');
    hub.nudge();
    expect(count()).toBe(2);
    clock.advance(1);
    expect(count()).toBe(3);
    clock.advance(300);
    hub.nudge();
    change('web', 'fifth');
    hub.nudge();
    expect(count()).toBe(3);
    clock.advance(249);
    hub.nudge();
    expect(count()).toBe(3);
    clock.advance(1);
    expect(count()).toBe(4);
  });

  it('ticks every 10 s', () => {
    start();
    const client = arrive(about('web'));
    const ticksUntil = (ms: number): number => {
      clock.advance(ms);
      return frames(client).filter((type) => type === 'tick').length - 1;
    };
    expect([ticksUntil(9_999), ticksUntil(1), ticksUntil(9_999), ticksUntil(1)]).toEqual([0, 1, 1, 2]);
  });

  it('ends with the process: nothing is told any more', () => {
    start();
    const client = arrive(about('web'));
    void hub.stop();
    expect([client?.writableEnded, clock.pending()]).toEqual([true, 0]);
    hub.nudge();
    expect(clock.pending()).toBe(0);
  });
});

describe('a client that comes back', () => {
  /** It leaves at 30 s, a change is told without it, and it comes back so many ms after it left. */
  function back(after: number, id: (epoch: string) => string = (epoch) => `${epoch}:0`): string[] {
    start();
    const [client, other] = [arrive(about('web')), arrive(about('web'))];
    other?.emit('close');
    clock.advance(30_000);
    client?.emit('close');
    client?.emit('close');
    expect(hub.clients()).toBe(0);
    change('web', 'second');
    clock.advance(after);
    return frames(arrive(about('web'), { lastEventId: id(epochOf(client)), after: null }));
  }

  it('gets what it missed for a minute after the last client left', () => {
    expect(back(minute)).toEqual(['object', 'tick']);
  });

  it('starts again after that', () => {
    expect(back(minute + 250)).toEqual(['reset', 'object', 'tick']);
  });

  it.each<[string, (epoch: string) => string]>([
    ['another process', () => 'other:0'],
    ['no number', (epoch) => `${epoch}:x`],
    ['no number at all', (epoch) => epoch],
    ['too long a number', (epoch) => `${epoch}:${'0'.repeat(16)}`],
  ])('starts again where its id is of %s', (_what, id) => {
    expect(back(1_000, id)).toEqual(['reset', 'object', 'tick']);
  });

  it('starts again where it missed more than 256 KiB: a thousand that read nothing would hold it a thousand times', () => {
    start();
    const epoch = epochOf(arrive(about('web')));
    for (let n = 1; n <= 5; n += 1) {
      change('web', `${n}`.repeat(100_000));
      clock.advance(250);
    }
    const missing = (last: number): string[] =>
      frames(arrive(about('web'), { lastEventId: `${epoch}:${last}`, after: null }));
    expect(missing(3)).toEqual(['object', 'object', 'tick']);
    expect(missing(1)).toEqual(['reset', 'object', 'tick']);
  });

  it('with the time of its page, gets what came later', () => {
    start();
    arrive(about('web'));
    change('web', 'second');
    clock.advance(1_000);
    const at = (after: number): string[] => frames(arrive(about('web'), { lastEventId: null, after }));
    expect([at(sampleNow), at(sampleNow + 250)]).toEqual([['object', 'tick'], ['tick']]);
    expect(at(sampleNow - 1)).toEqual(['reset', 'object', 'tick']);
  });
});

describe('room of one listener', () => {
  const of = (by: string, topic: string): KeptResponse | null => arrive(about(topic), fresh, by);
  const ended = (clients: readonly (KeptResponse | null)[]): boolean[] =>
    clients.map((client) => client?.writableEnded ?? true);

  it('is half of all, of topics and of streams', () => {
    start({ mostTopics: 4, mostClients: 8 });
    expect([of('a', 't1'), of('a', 't2')]).not.toContain(null);
    expect(of('a', 't3')).toBeNull();
    expect([of('a', 't1'), of('a', 't2')]).not.toContain(null);
    expect([of('a', 't1'), hub.clients()]).toEqual([null, 4]);
    // A topic that others follow costs nothing more.
    of('b', 't3');
    start({ mostTopics: 4, mostClients: 20 });
    expect([of('b', 't1'), of('a', 't2'), of('a', 't3'), of('a', 't1')]).not.toContain(null);
  });

  it('with 490 topics leaves room for everybody else', () => {
    start();
    const hostile = Array.from({ length: 490 }, (_, index) => of('hostile', `n${index}`));
    expect(hostile.filter((client) => client !== null)).toHaveLength(250);
    const others = Array.from({ length: 300 }, (_, index) => of(`reader ${index}`, `of ${index}`));
    expect(others).not.toContain(null);
    expect(ended(others)).not.toContain(true);
    expect(hub.clients()).toBe(500);
  });

  it('gives up what it took last, to who has less', () => {
    start({ mostTopics: 6 });
    const [a1, a2, a3] = [of('a', 'a1'), of('a', 'a2'), of('a', 'a3')];
    const shared = of('x', 'a3');
    const rest = [of('y', 'y1'), of('y', 'y2'), of('z', 'z1')];
    expect(ended([a1, a2, a3])).toEqual([false, false, false]);
    const late = of('late', 'late1');
    // a3 is followed by x too: closing it would make no room.
    expect(ended([a1, a2, a3, shared, late, ...rest])).toEqual([false, true, ...Array(6).fill(false)]);
    expect(of('last', 'last1')).not.toBeNull();
    expect(ended([a1, a3])).toEqual([true, false]);
    expect(of('late', 'late2')).toBeNull();
    a2?.emit('close');
    expect(hub.clients()).toBe(7);
  });

  it('gives up a stream where there is no room for one more', () => {
    start({ mostClients: 4 });
    const heavy = [of('a', 't'), of('a', 't')];
    expect([of('b', 't'), of('c', 't'), of('d', 't')]).not.toContain(null);
    expect(ended(heavy)).toEqual([false, true]);
    // Among equals nobody makes room.
    expect(of('e', 't')).toBeNull();
    expect(hub.clients()).toBe(4);
  });
});

describe('room', () => {
  it('is for so many clients, and for one more when one has left', () => {
    start({ mostClients: 2 });
    const clients = [arrive(about('web')), arrive(about('web')), arrive(about('web'))];
    expect(clients.map((client) => client !== null)).toEqual([true, true, false]);
    clients[0]?.emit('close');
    expect([arrive(about('web')), arrive(about('web'))].map((client) => client !== null)).toEqual([true, false]);
  });

  it('is for so many topics: one that nobody follows makes room', () => {
    start({ mostTopics: 2 });
    const [first] = [arrive(about('a')), arrive(about('b'))];
    expect(arrive(about('c'))).toBeNull();
    first?.emit('close');
    expect(arrive(about('c'))).not.toBeNull();
    expect(arrive(about('a'))).toBeNull();
  });

  it('is for 2,000 clients and 500 topics where nothing else is said', () => {
    start();
    const topics = Array.from({ length: 500 }, (_, index) => arrive(about(`n${index}`)));
    expect(topics).not.toContain(null);
    expect(arrive(about('one more'))).toBeNull();
    const clients = Array.from({ length: 1_500 }, () => arrive(about('n0')));
    expect(clients).not.toContain(null);
    expect(arrive(about('n0'))).toBeNull();
  });
});
