import { describe, expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { fakeTransport } from '../testing/fake-transport.ts';
import { added, bookmark } from '../testing/reflecting.ts';
import { settled } from '../testing/until.ts';
import { defaultTuning } from '../tuning.ts';
import { followStream, type StreamEnd } from './stream.ts';

const target = {
  path: '/apis/example.org/v1/things',
  apiVersion: 'example.org/v1',
  kind: 'Thing',
  selector: '',
  bookmarks: false,
};

function start({ random = 0, version = '7', bookmarks = false, selector = '', watchTimeout = 300_000 } = {}) {
  const clock = fakeClock();
  const transport = fakeTransport();
  const stopper = new AbortController();
  const ends: StreamEnd[] = [];
  void followStream({
    transport,
    clock,
    random: () => random,
    tuning: { ...defaultTuning, watchTimeout },
    signal: stopper.signal,
    target: { ...target, bookmarks, selector },
    version,
    onOpen: () => undefined,
    onChange: () => null,
  }).then((end) => ends.push(end));
  const [watch] = transport.watches;
  if (!watch) throw new Error('nothing was asked');
  return {
    clock,
    watch,
    stopper,
    async end(): Promise<StreamEnd | undefined> {
      await settled();
      return ends[0];
    },
  };
}

describe('a watch', () => {
  it.each([
    [{ version: '7', random: 0.5 }, 'watch=true&resourceVersion=7&allowWatchBookmarks=true&timeoutSeconds=450'],
    [
      { version: '', selector: 'fieldSelector=a', watchTimeout: 3_000_000 },
      'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=3000&fieldSelector=a',
    ],
  ])('with %j asks for %s', (options, query) => {
    expect(start(options).watch.path).toBe(`/apis/example.org/v1/things?${query}`);
  });

  it('is ended by us 15 s after the server should have ended it', async () => {
    const s = start();
    s.clock.advance(1_000_000);
    expect(s.watch.aborted()).toBe(false);
    s.watch.open();
    s.clock.advance(314_999);
    expect(s.watch.aborted()).toBe(false);
    s.clock.advance(1);
    expect(await s.end()).toEqual({ next: 'again', opened: true, received: false });
    expect(s.clock.pending()).toBe(0);
  });

  it.each([
    [999, { next: 'wait', failure: 'the watch ended at once without a word' }],
    [1_000, { next: 'again' }],
  ])('that the server ends %d ms after it was opened leads to %j', async (ms, expected) => {
    const s = start();
    s.clock.advance(5_000);
    s.watch.open();
    s.clock.advance(ms);
    s.watch.end();
    const end = await s.end();
    const failure = end !== undefined && 'failure' in end ? { failure: end.failure.fault.message } : {};
    expect({ next: end?.next, ...failure }).toEqual(expected);
  });

  it('that was never opened and ends at once was short too', async () => {
    const s = start();
    s.watch.end();
    expect(await s.end()).toEqual({
      next: 'wait',
      failure: {
        type: 'fault',
        fault: { type: 'protocol', message: 'the watch ended at once without a word' },
        retryAfter: null,
      },
      opened: false,
      received: false,
    });
  });

  it('that ends before its first list is complete is broken', async () => {
    const s = start({ version: '' });
    s.watch.open();
    s.watch.say(added('a', '3'));
    s.watch.end();
    expect(await s.end()).toEqual({
      next: 'broken',
      failure: {
        type: 'fault',
        fault: { type: 'protocol', message: 'the watch ended before its first list was complete' },
        retryAfter: null,
      },
      opened: true,
      received: true,
    });
  });

  it('whose first list ends at no version is not understood', async () => {
    const s = start({ version: '' });
    s.watch.open();
    s.watch.say(bookmark('', true));
    expect(await s.end()).toEqual({ next: 'unsupported', opened: true, received: true });
  });

  it('that is to stop goes on nowhere', async () => {
    const s = start();
    s.watch.open();
    s.stopper.abort();
    expect(await s.end()).toEqual({ next: 'again', opened: true, received: false });
  });

  it('is silent as soon as no line came for 200 s since it was opened', async () => {
    const s = start({ bookmarks: true });
    s.clock.advance(200_000);
    s.watch.open();
    s.clock.advance(199_999);
    expect(s.watch.aborted()).toBe(false);
    s.clock.advance(1);
    expect(await s.end()).toEqual({ next: 'silent', opened: true, received: false });
  });

  it('is silent as soon as no line came for 200 s since the last', async () => {
    const s = start({ bookmarks: true, watchTimeout: 3_000_000 });
    s.watch.open();
    s.clock.advance(150_000);
    s.watch.say(bookmark('8'));
    s.clock.advance(199_999);
    expect(s.watch.aborted()).toBe(false);
    s.clock.advance(1);
    expect(await s.end()).toEqual({ next: 'silent', opened: true, received: true });
  });
});
