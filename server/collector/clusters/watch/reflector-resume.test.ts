import { describe, expect, it } from 'vitest';
import { minute } from '#lib/domain/time/length.ts';
import type { PendingWatch } from '../testing/fake-transport.ts';
import { added, bookmark, error, live, modified, start } from '../testing/reflecting.ts';
import { settled } from '../testing/until.ts';

describe('resuming', () => {
  it('goes on from a stored resourceVersion without a list', async () => {
    const s = await start({ resume: '77' });
    expect(s.watch().query.get('resourceVersion')).toBe('77');
    expect(s.watch().query.has('sendInitialEvents')).toBe(false);
    s.watch().open();
    s.watch().say(modified('a', '78'));
    expect(s.sent()).toEqual(['live', 'applied a']);
    expect(s.transport.gets).toEqual([]);
    await s.stop();
  });

  it('goes on from the last version after a clean end, at once and without a list', async () => {
    const s = await live();
    s.clock.advance(minute);
    s.watch().say(modified('a', '15'));
    s.watch().end();
    await settled();
    expect(s.transport.watches).toHaveLength(2);
    expect(s.watch().query.get('resourceVersion')).toBe('15');
    expect(s.transport.gets).toEqual([]);
    await s.stop();
  });

  it('goes on from the last bookmark', async () => {
    const s = await live();
    s.watch().say(bookmark('40'));
    expect(s.sent()).toEqual(['bookmark 40']);
    s.clock.advance(minute);
    s.watch().end();
    await settled();
    expect(s.watch().query.get('resourceVersion')).toBe('40');
    await s.stop();
  });

  it('an object without metadata does not reset the version, nor does a bookmark', async () => {
    const s = await live();
    s.watch().say({ type: 'MODIFIED', object: { apiVersion: 'example.org/v1', kind: 'Thing' } });
    s.watch().say({ type: 'BOOKMARK', object: { apiVersion: 'example.org/v1', kind: 'Thing' } });
    expect(s.sent()).toEqual(['applied undefined']);
    s.watch().end();
    await settled();
    expect(s.watch().query.get('resourceVersion')).toBe('10');
    await s.stop();
  });

  it('a lost connection (GOAWAY, reset) that heals at once is not told', async () => {
    const s = await live();
    s.watch().lose();
    await settled();
    s.clock.advance(1_000);
    await settled();
    expect(s.watch().query.get('resourceVersion')).toBe('10');
    s.watch().open();
    s.clock.advance(minute);
    expect(s.sent()).toEqual([]);
    await s.stop();
  });

  it('a lost connection that does not heal is told as failed', async () => {
    const s = await live();
    s.watch().lose();
    await settled();
    s.clock.advance(6_000);
    await settled();
    expect(s.sent()).toEqual(['failed: unreachable']);
    s.watch().open();
    expect(s.sent()).toEqual(['live']);
    await s.stop();
  });

  it.each([
    ['HTTP 500', 500, 'failed: server'],
    ['HTTP 429', 429, 'failed: throttled'],
    ['HTTP 401', 401, 'failed: unauthorized'],
  ])('%s on a re-watch does not end it: it goes on without a list', async (_, code, feed) => {
    const s = await live();
    s.clock.advance(minute);
    s.watch().end();
    await settled();
    s.watch().status(code);
    await settled();
    expect(s.sent()).toEqual([feed]);
    s.clock.advance(2_000);
    await settled();
    expect(s.transport.watches).toHaveLength(3);
    expect(s.watch().query.get('resourceVersion')).toBe('10');
    s.watch().open();
    expect(s.sent()).toEqual(['live']);
    expect(s.transport.gets).toEqual([]);
    await s.stop();
  });

  it('waits as long as Retry-After says', async () => {
    const s = await live();
    s.clock.advance(minute);
    s.watch().end();
    await settled();
    s.watch().status(429, 'slow down', '20');
    await settled();
    s.clock.advance(19_000);
    await settled();
    expect(s.transport.watches).toHaveLength(2);
    s.clock.advance(1_001);
    await settled();
    expect(s.transport.watches).toHaveLength(3);
    await s.stop();
  });

  it('an ERROR event other than 410 goes on without a list', async () => {
    const s = await live();
    s.watch().say(error(500, 'etcd leader changed'));
    await settled();
    expect(s.sent()).toEqual(['failed: server']);
    s.clock.advance(2_000);
    await settled();
    expect(s.watch().query.get('resourceVersion')).toBe('10');
    await s.stop();
  });

  it.each<[string, (watch: PendingWatch) => void]>([
    ['an ERROR event', (watch) => watch.say(error(410, 'too old resource version'))],
    ['an HTTP status', (watch) => watch.status(410)],
    [
      'an ERROR event of a version from the future',
      (watch) => watch.say(error(504, 'Too large resource version: 10, current: 5')),
    ],
  ])('410 as %s: lists anew', async (_, happen) => {
    const s = await live();
    s.clock.advance(minute);
    happen(s.watch());
    await settled();
    s.clock.advance(3_000);
    await settled();
    expect(s.watch().query.get('sendInitialEvents')).toBe('true');
    s.watch().open();
    s.watch().say(added('a', '90'), bookmark('99', true));
    expect(s.sent().filter((each) => !each.startsWith('failed'))).toEqual([
      'syncing',
      'sync-start',
      'initial a',
      'sync-end 99',
      'live',
    ]);
    await s.stop();
  });

  it('a server that fails for longer than a minute is listed anew, as client-go does', async () => {
    const s = await live();
    s.clock.advance(minute);
    s.watch().end();
    await settled();
    let tries = 0;
    while (s.watch().query.get('sendInitialEvents') !== 'true' && tries++ < 20) {
      s.watch().status(500);
      await settled();
      s.clock.advance(60_000);
      await settled();
    }
    expect(tries).toBeGreaterThan(1);
    expect(tries).toBeLessThan(5);
    await s.stop();
  });

  it('a very short watch is an error and waits ever longer', async () => {
    const s = await live();
    s.clock.advance(minute);
    s.watch().end();
    await settled();
    const waits: number[] = [];
    for (let round = 0; round < 7; round++) {
      const before = s.transport.watches.length;
      s.watch().open();
      s.watch().end();
      await settled();
      let waited = 0;
      while (s.transport.watches.length === before && waited < 100_000) {
        s.clock.advance(100);
        waited += 100;
        await settled(6);
      }
      waits.push(waited);
    }
    expect(waits).toEqual([800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000]);
    await s.stop();
  });

  it('asks for a random time of 5 to 10 minutes, and ends a stream that the server keeps longer', async () => {
    const s = await live();
    expect(s.watch().query.get('timeoutSeconds')).toBe('300');
    for (let passed = 0; passed < 6; passed++) {
      s.clock.advance(minute);
      s.watch().say(bookmark(String(20 + passed)));
    }
    await settled();
    expect(s.transport.watches).toHaveLength(2);
    await s.stop();
  });
});
