import { describe, expect, it } from 'vitest';
import { hour } from '#lib/domain/time/length.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { feedAge, startFeed, type FeedState, type StreamHandlers } from './feed.ts';

function following() {
  const clock = manualClock(1_000_000);
  const urls: string[] = [];
  const frames: string[] = [];
  let states: FeedState[] = [];
  let handlers: StreamHandlers | null = null;
  let closed = 0;
  const feed = startFeed({
    url: '/api/v1/stream?topic=summary',
    madeAt: '2026-11-21T02:59:14.000Z',
    now: clock.now,
    after: clock.after,
    open(url, given) {
      urls.push(url);
      handlers = given;
      return { close: () => (closed += 1) };
    },
    onFrame: (frame) => frames.push(frame.type),
    onState: (state) => (states = [...states, state]),
  });
  return {
    feed,
    clock,
    urls,
    frames,
    state: () => states.at(-1),
    stream: (): StreamHandlers => {
      if (handlers === null) throw new Error('Nothing was opened.');
      return handlers;
    },
    closed: () => closed,
  };
}

const tick = JSON.stringify({ type: 'tick', at: '2026-11-21T03:00:00.000Z', lastWordAt: null });

describe('startFeed', () => {
  it('asks first for what changed since the page was made', () => {
    expect(following().urls).toEqual(['/api/v1/stream?topic=summary&after=2026-11-21T02%3A59%3A14.000Z']);
  });

  it('tries again after 1, 2, 4, 8, 15 and then every 30 s, and says when', () => {
    const { clock, stream, state, urls } = following();
    const waits = [1, 2, 4, 8, 15, 30, 30].map((seconds) => {
      stream().failed();
      expect(state()).toMatchObject({ connection: 'lost', nextTryAt: clock.now() + seconds * 1000 });
      clock.advance(seconds * 1000 - 1);
      const before = urls.length;
      clock.advance(1);
      return urls.length - before;
    });
    expect(waits).toEqual([1, 1, 1, 1, 1, 1, 1]);
  });

  it('says since when the connection is lost, through all tries', () => {
    const { clock, stream, state } = following();
    const lostAt = clock.now();
    stream().failed();
    clock.advance(1000);
    stream().failed();
    expect(state()?.lostAt).toBe(lostAt);
    stream().opened();
    expect(state()).toMatchObject({ connection: 'open', lostAt: null, nextTryAt: null });
  });

  it('resumes from the last frame that it had', () => {
    const { clock, stream, urls } = following();
    stream().opened();
    stream().frame(tick, 'web1-41');
    stream().frame(tick, 'web1-42');
    stream().failed();
    clock.advance(1000);
    expect(urls.at(-1)).toBe('/api/v1/stream?topic=summary&lastEventId=web1-42');
  });

  it('gives its connection back while the tab is hidden, and does not try meanwhile', () => {
    const { feed, clock, stream, urls, state, closed } = following();
    stream().frame(tick, 'web1-7');
    feed.pause();
    expect(closed()).toBe(1);
    expect(state()?.connection).toBe('paused');
    clock.advance(hour);
    expect(urls).toHaveLength(1);
    feed.resume();
    expect(urls.at(-1)).toContain('lastEventId=web1-7');
  });

  it('does not wait when asked to try now', () => {
    const { feed, stream, urls } = following();
    stream().failed();
    feed.retry();
    expect(urls).toHaveLength(2);
  });

  it.each(['not json', '{"type":"from-the-future"}', '{"type":"tick"}'])(
    'asks for everything again on a frame that it does not know: %s',
    (data) => {
      const { stream, frames } = following();
      stream().frame(data, '');
      expect(frames).toEqual(['reset']);
    },
  );

  it('ends for good', () => {
    const { feed, clock, stream, urls } = following();
    stream().failed();
    feed.stop();
    clock.advance(60_000);
    expect(urls).toHaveLength(1);
  });
});

it.each([
  [0, 'live'],
  [60_000, 'live'],
  [60_001, 'old'],
  [300_000, 'old'],
  [300_001, 'dead'],
])('%s ms after the last news the page is %s', (age, state) => {
  expect(feedAge(1000, 1000 + age)).toBe(state);
});
