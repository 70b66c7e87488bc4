import { expect, it } from 'vitest';
import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import type { StreamHub } from '../stream/stream-hub.ts';
import { lazyHub } from './lazy-hub.ts';
import { streamShare } from './stream-share.ts';

it('works from the first stream until a minute after the last, and is nudged meanwhile', () => {
  const clock = fakeClock(0);
  const open = new Set<StreamHub>();
  const events: string[] = [];
  let clients = 0;
  const start = (): StreamHub => {
    events.push('started');
    return {
      connect(_topic, _arrival, response) {
        clients += 1;
        response.on('close', () => (clients -= 1));
        return true;
      },
      nudge: () => events.push('nudged'),
      clients: () => clients,
      framesSent: () => 0,
      async stop() {
        events.push('stopped');
      },
    };
  };
  const hub = lazyHub(start, { open, share: streamShare({ streams: 4, hubs: 2 }), clock });
  const connect = (): ServerResponse => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    hub.connect({ type: 'summary' }, { lastEventId: null, after: null, by: '' }, response);
    return response;
  };
  expect(open.size).toBe(0);
  const [first, second] = [connect(), connect()];
  for (const one of open) one.nudge();
  first.emit('close');
  clock.advance(60_000);
  expect(events).toEqual(['started', 'nudged']);
  second.emit('close');
  clock.advance(59_999);
  expect(open.size).toBe(1);
  clock.advance(1);
  expect([events, open.size]).toEqual([['started', 'nudged', 'stopped'], 0]);
  connect();
  expect(events.at(-1)).toBe('started');
});

it('streams of all scopes have one bound, of which one listener has half, and so have hubs', () => {
  const clock = fakeClock(0);
  const open = new Set<StreamHub>();
  const share = streamShare({ streams: 4, hubs: 3 });
  const start = (): StreamHub => ({
    connect: () => true,
    nudge: () => undefined,
    clients: () => 1,
    framesSent: () => 0,
    stop: () => Promise.resolve(),
  });
  const hubs = Array.from({ length: 4 }, () => lazyHub(start, { open, share, clock }));
  const connect = (place: number, by: string) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const isIn = hubs[place]?.connect({ type: 'summary' }, { lastEventId: null, after: null, by }, response);
    return { isIn, response };
  };
  const one = connect(0, 'one');
  expect([one.isIn, connect(1, 'one').isIn, connect(2, 'one').isIn]).toEqual([true, true, false]);
  expect([connect(2, 'two').isIn, connect(3, 'two').isIn, connect(0, 'two').isIn]).toEqual([true, false, true]);
  expect(connect(0, 'three').isIn).toBe(false);
  one.response.emit('close');
  expect(connect(0, 'three').isIn).toBe(true);
  expect(open.size).toBe(3);
});
