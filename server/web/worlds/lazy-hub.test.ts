import { expect, it } from 'vitest';
import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import type { StreamHub } from '../stream/stream-hub.ts';
import { lazyHub } from './lazy-hub.ts';

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
  const hub = lazyHub(start, open, clock);
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
