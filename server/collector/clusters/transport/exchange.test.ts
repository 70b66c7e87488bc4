import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { settled } from '../testing/until.ts';
import { defaultTuning } from '../tuning.ts';
import { exchangeOnce } from './exchange.ts';
import type { Exchange, Link, LinkRequest } from './link.ts';
import { watchQuiet } from './quiet-watch.ts';
import { ask, type GetOptions } from './request.ts';
import { createParseTurns } from '../parsing/parse-turns.ts';
import { createUnderWay } from '../under-way.ts';
import { watch } from './watch.ts';

const request: LinkRequest = { path: '/x', headers: {}, review: null };

const parts = (underWay = 1_000_000) => ({ underWay: createUnderWay(underWay), turns: createParseTurns() });

/** A link that answers what the test says. */
function fakeLink() {
  const exchanges: Exchange[] = [];
  let cancelled = 0;
  const link: Link = {
    protocol: 'h2',
    room: () => true,
    open(_request, _use, exchange) {
      exchanges.push(exchange);
      return () => void cancelled++;
    },
    drain: () => undefined,
    close: () => undefined,
  };
  return { link, last: () => exchanges.at(-1), asked: () => exchanges.length, cancelled: () => cancelled };
}

const unreachable = (message: string): object => ({
  type: 'fault',
  fault: { type: 'unreachable', message },
  retryAfter: null,
});

describe('one exchange', () => {
  function ask(most = 10, signal?: AbortSignal) {
    const clock = fakeClock();
    const fake = fakeLink();
    const asked = { link: fake.link, request, clock, timeout: 1_500, most };
    return { ...fake, clock, answer: exchangeOnce(signal ? { ...asked, signal } : asked) };
  }
  const none = (): null => null;

  it('collects an answer up to its bound', async () => {
    const s = ask();
    s.last()?.head(201, (name) => name);
    s.last()?.data(Buffer.from('01234'));
    s.last()?.data(Buffer.from('56789'));
    s.last()?.end(null);
    const answer = await s.answer;
    expect(answer).toMatchObject({ type: 'ok', status: 201, body: Buffer.from('0123456789') });
    expect(answer.type === 'ok' && answer.header('etag')).toBe('etag');
    expect([s.clock.pending(), s.cancelled()]).toEqual([0, 0]);
  });

  it('gives up one that is larger', async () => {
    const s = ask();
    s.last()?.head(200, none);
    s.last()?.data(Buffer.from('0123456789'));
    s.last()?.data(Buffer.from('0'));
    expect(await s.answer).toEqual({ type: 'too-large' });
    expect(s.cancelled()).toBe(1);
  });

  it.each<readonly [number, string | null, object]>([
    [0, null, { ...unreachable('no answer'), began: false }],
    [0, 'gone', { ...unreachable('gone'), began: false }],
    [200, 'gone', { ...unreachable('gone'), began: true }],
  ])('of status %d that ends with %j is a fault', async (status, lost, expected) => {
    const s = ask();
    if (status !== 0) s.last()?.head(status, none);
    s.last()?.end(lost);
    expect(await s.answer).toEqual(expected);
  });

  it('is given up when its time is over, and when it is cancelled', async () => {
    const late = ask();
    late.clock.advance(1_499);
    expect(late.cancelled()).toBe(0);
    late.clock.advance(1);
    expect(await late.answer).toEqual({ ...unreachable('no answer within 1.5 s'), began: true });
    const stopper = new AbortController();
    const running = ask(10, stopper.signal);
    stopper.abort();
    expect(await running.answer).toEqual({ ...unreachable('cancelled'), began: true });
    const before = ask(10, stopper.signal);
    expect(await before.answer).toEqual({ ...unreachable('cancelled'), began: true });
    expect([late.cancelled(), running.cancelled(), before.cancelled()]).toEqual([1, 1, 1]);
  });

  it.each([
    [100, { type: 'ok', body: Buffer.from('x'.repeat(100)) }],
    [99, { type: 'too-large' }],
  ])('unzips up to %d bytes', async (most, expected) => {
    const s = ask(most);
    s.last()?.head(200, (name) => (name === 'content-encoding' ? 'gzip' : null));
    s.last()?.data(gzipSync('x'.repeat(100)));
    s.last()?.end(null);
    expect(await s.answer).toMatchObject(expected);
  });

  it('says what is no gzip', async () => {
    const s = ask();
    s.last()?.head(200, () => 'gzip');
    s.last()?.data(Buffer.from('plain'));
    s.last()?.end(null);
    expect(await s.answer).toMatchObject({ type: 'fault', fault: { type: 'protocol' }, began: true });
  });
});

describe('one GET', () => {
  const none = (): null => null;

  async function start(part: Partial<GetOptions> = {}, review: string | null = null, room: readonly boolean[] = []) {
    const clock = fakeClock();
    const fake = fakeLink();
    const rooms = [...room];
    const headers: object[] = [];
    let renewed = 0;
    const prepare = () =>
      Promise.resolve({
        type: 'ok' as const,
        link: { ...fake.link, room: () => rooms.shift() ?? true },
        request: (path: string, given: LinkRequest['headers'], body: string | null) => {
          headers.push(given);
          return { path, headers: given, review: body };
        },
        renewCredentials: () => void renewed++,
      });
    const answer = ask({ clock, prepare, ...parts() }, '/x', review, { timeout: 1_500, most: 100_000, ...part });
    await settled();
    const reply = async (status: number, body: string, header: (name: string) => string | null = none) => {
      fake.last()?.head(status, header);
      fake.last()?.data(Buffer.from(body));
      fake.last()?.end(null);
      await settled();
    };
    return { ...fake, clock, answer, headers, reply, left: () => rooms.length, renewed: () => renewed };
  }

  it.each<readonly [Partial<GetOptions>, string | null, object]>([
    [{}, null, { accept: 'application/json', 'accept-encoding': 'gzip' }],
    [{ accept: 'a', etag: 'e' }, null, { accept: 'a', 'accept-encoding': 'gzip', 'if-none-match': 'e' }],
    [{}, '{}', { accept: 'application/json', 'accept-encoding': 'gzip', 'content-type': 'application/json' }],
  ])('of %j with the review %j has its headers', async (part, review, headers) => {
    const s = await start(part, review);
    expect(s.headers).toEqual([headers]);
    await s.reply(200, '{}');
    expect(await s.answer).toEqual({ type: 'ok', body: {}, etag: null, bytes: 2 });
    expect(s.clock.pending()).toBe(0);
  });

  it.each<readonly [number, string, object]>([
    [200, '{"a":1}', { type: 'ok', body: { a: 1 }, etag: 'etag', bytes: 7 }],
    [201, '{"a":1}', { type: 'ok', body: { a: 1 }, etag: 'etag', bytes: 7 }],
    [202, '{"message":"later"}', { type: 'fault', fault: { type: 'server', status: 202, message: 'later' } }],
    [200, '[', { type: 'fault', fault: { type: 'protocol', message: 'the answer is not a JSON object' } }],
    [304, '', { type: 'not-modified' }],
    [200, 'x'.repeat(100_001), { type: 'too-large' }],
    [500, `{"message":"no"${' '.repeat(63_984)}}`, { type: 'fault', fault: { status: 500, message: 'no' } }],
  ])('that is answered by %d', async (status, body, expected) => {
    const s = await start();
    await s.reply(status, body, (name) => (name === 'etag' ? name : null));
    expect(await s.answer).toMatchObject(expected);
  });

  it('does not read what says why it is refused beyond 64 kB', async () => {
    const s = await start();
    await s.reply(500, `{"message":"no"${' '.repeat(63_985)}}`);
    const answer = await s.answer;
    expect(answer.type === 'fault' && answer.fault.message).not.toBe('no');
  });

  it('is asked once more where it is lost before an answer, within the same time', async () => {
    const s = await start();
    s.clock.advance(1_000);
    s.last()?.end('gone');
    await settled();
    expect(s.asked()).toBe(2);
    s.last()?.end('gone again');
    expect(await s.answer).toEqual(unreachable('gone again'));
    const late = await start();
    late.clock.advance(1_000);
    late.last()?.end('gone');
    await settled();
    late.clock.advance(500);
    expect(await late.answer).toMatchObject({ type: 'fault', fault: { type: 'unreachable' } });
    expect(late.asked()).toBe(2);
  });

  it('is not asked once more where an answer had begun, or nobody wants it', async () => {
    const begun = await start();
    begun.last()?.head(200, none);
    begun.last()?.end('gone');
    expect(await begun.answer).toEqual(unreachable('gone'));
    const stopper = new AbortController();
    const stopped = await start({ signal: stopper.signal });
    stopper.abort();
    expect(await stopped.answer).toEqual(unreachable('cancelled'));
    expect([begun.asked(), stopped.asked()]).toEqual([1, 1]);
  });

  it('is asked once more after a 401, with credentials read anew', async () => {
    const s = await start();
    await s.reply(401, 'no');
    expect([s.asked(), s.renewed()]).toEqual([2, 1]);
    await s.reply(401, 'still no');
    expect(await s.answer).toMatchObject({ type: 'fault', fault: { type: 'unauthorized', message: 'still no' } });
    expect([s.asked(), s.renewed()]).toEqual([2, 1]);
  });

  it('looks for another link where one has filled meanwhile', async () => {
    const s = await start({}, null, [false, true]);
    expect([s.left(), s.asked()]).toEqual([0, 1]);
    await s.reply(200, '{}');
    expect(await s.answer).toMatchObject({ type: 'ok' });
  });
});

describe('the lines of a watch', () => {
  async function start(longest = 10) {
    const clock = fakeClock();
    const fake = fakeLink();
    const lines: string[] = [];
    let renewed = 0;
    let opened = 0;
    const stopper = new AbortController();
    const prepare = () =>
      Promise.resolve({
        type: 'ok' as const,
        link: fake.link,
        request: () => request,
        renewCredentials: () => void renewed++,
      });
    const options = {
      signal: stopper.signal,
      onOpen: () => void opened++,
      onLine: (line: string) => void lines.push(line),
    };
    const end = watch({ clock, prepare, ...parts() }, '/x', options, longest);
    await settled();
    return { ...fake, lines, stopper, end, renewed: () => renewed, opened: () => opened };
  }
  const none = (): null => null;

  it('come until the server ends it', async () => {
    const s = await start();
    s.last()?.head(200, none);
    s.last()?.data(Buffer.from('one\ntwo\n'));
    s.last()?.end(null);
    expect(await s.end).toEqual({ type: 'ended' });
    expect([s.lines, s.opened()]).toEqual([['one', 'two'], 1]);
  });

  it('are at most so long', async () => {
    const s = await start();
    s.last()?.head(200, none);
    s.last()?.data(Buffer.from('0123456789'));
    s.last()?.data(Buffer.from('0'));
    expect(await s.end).toEqual({
      type: 'fault',
      fault: { type: 'protocol', message: 'a watch event is longer than 10 bytes' },
      retryAfter: null,
      opened: true,
    });
    expect(s.cancelled()).toBe(1);
  });

  it('that break off are lost; what is lost before it was opened is asked once more', async () => {
    const open = await start();
    open.last()?.head(200, none);
    open.last()?.end('gone');
    expect(await open.end).toEqual({ ...unreachable('gone'), opened: true });
    const early = await start();
    early.last()?.end(null);
    await settled();
    early.last()?.end(null);
    expect(await early.end).toEqual({ ...unreachable('no answer'), opened: false });
    expect(early.asked()).toBe(2);
  });

  it('that are refused say why; after a 401 they are asked for once more', async () => {
    const s = await start();
    for (const retryAfter of [null, '7']) {
      s.last()?.head(401, () => retryAfter);
      s.last()?.data(Buffer.from('no'));
      s.last()?.end(null);
      await settled();
    }
    const fault = { type: 'unauthorized', message: 'no' };
    expect(await s.end).toEqual({ type: 'fault', fault, retryAfter: 7_000, opened: false });
    expect([s.asked(), s.renewed(), s.opened()]).toEqual([2, 1, 0]);
  });

  it('end where they are cancelled', async () => {
    const s = await start();
    s.stopper.abort();
    expect(await s.end).toEqual({ type: 'cancelled' });
    expect(s.cancelled()).toBe(1);
  });
});

describe('a quiet link', () => {
  const pingAfter = 30_000;
  const pingTimeout = 15_000;

  function start({ idle = false, sends = true } = {}) {
    const clock = fakeClock();
    const lost: string[] = [];
    const answers: (() => void)[] = [];
    let received = 0;
    const quiet = watchQuiet({
      clock,
      tuning: defaultTuning,
      isIdle: () => idle,
      onReceived: () => void received++,
      ping(onAnswer) {
        answers.push(onAnswer);
        return sends;
      },
      lose: (reason) => void lost.push(reason),
    });
    return { clock, lost, answers, quiet, received: () => received };
  }

  it('is pinged, and lost a moment after the time to answer', () => {
    const s = start();
    s.clock.advance(pingAfter - 1);
    expect(s.answers).toHaveLength(0);
    s.clock.advance(1);
    expect(s.answers).toHaveLength(1);
    s.clock.advance(pingTimeout);
    expect(s.lost).toEqual([]);
    s.clock.advance(1);
    expect(s.lost).toEqual(['no answer to a ping within 15 s']);
  });

  it('is pinged so long after what it received last', () => {
    const s = start();
    s.clock.advance(10_000);
    s.quiet.received();
    s.clock.advance(pingAfter - 1);
    expect([s.answers.length, s.received()]).toEqual([0, 1]);
    s.clock.advance(1);
    expect(s.answers).toHaveLength(1);
  });

  it('lives on by the answer, or by anything that comes meanwhile', () => {
    const answered = start();
    answered.clock.advance(pingAfter);
    answered.answers[0]?.();
    answered.clock.advance(pingAfter - 1);
    expect(answered.answers).toHaveLength(1);
    answered.clock.advance(1);
    expect([answered.answers.length, answered.received(), answered.lost.length]).toEqual([2, 1, 0]);
    const spoken = start();
    spoken.clock.advance(pingAfter + 1);
    spoken.quiet.received();
    spoken.clock.advance(pingTimeout);
    expect(spoken.lost).toEqual([]);
    spoken.clock.advance(pingAfter);
    expect(spoken.answers).toHaveLength(2);
  });

  it('is not pinged while nothing is asked, is lost where a ping cannot be sent, and is let alone once it is closed', () => {
    const idle = start({ idle: true });
    idle.clock.advance(10 * pingAfter);
    expect(idle.answers).toHaveLength(0);
    const broken = start({ sends: false });
    broken.clock.advance(pingAfter);
    expect(broken.lost).toEqual(['a ping could not be sent']);
    const closed = start();
    closed.clock.advance(pingAfter);
    closed.quiet.stop();
    closed.answers[0]?.();
    expect([closed.clock.pending(), closed.received()]).toEqual([0, 0]);
  });
});

describe('all that a cluster sends at once', () => {
  const wait = { timeout: 1_500, most: 1_000 };
  const none = (): null => null;

  function sender(room: number) {
    const fake = fakeLink();
    const clock = fakeClock();
    const ready = { type: 'ok' as const, link: fake.link, request: () => request, renewCredentials: () => undefined };
    return { ...fake, sender: { clock, prepare: () => Promise.resolve(ready), ...parts(room) } };
  }
  const tooMuch = { type: 'protocol', message: 'the answers that it sends at once are too large together' };

  it('is bounded, whichever answer goes over it, and freed with each', async () => {
    const s = sender(10);
    const first = ask(s.sender, '/a', null, wait);
    await settled();
    const one = s.last();
    const second = ask(s.sender, '/b', null, wait);
    await settled();
    const other = s.last();
    one?.head(200, none);
    one?.data(Buffer.from('{"a":'));
    other?.head(200, none);
    other?.data(Buffer.from('{"b":1'));
    expect(await second).toMatchObject({ type: 'fault', fault: tooMuch });
    one?.data(Buffer.from('1}'));
    one?.end(null);
    expect(await first).toMatchObject({ type: 'ok', body: { a: 1 }, bytes: 7 });
    const third = ask(s.sender, '/c', null, wait);
    await settled();
    s.last()?.head(200, none);
    s.last()?.data(Buffer.from('{"c":12345'));
    s.last()?.data(Buffer.from('6}'));
    expect(await third).toMatchObject({ type: 'fault', fault: tooMuch });
  });

  it('counts what a gzip holds', async () => {
    const s = sender(500);
    const answer = ask(s.sender, '/a', null, wait);
    await settled();
    s.last()?.head(200, (name) => (name === 'content-encoding' ? 'gzip' : null));
    s.last()?.data(gzipSync(JSON.stringify({ a: 'a'.repeat(600) })));
    s.last()?.end(null);
    expect(await answer).toMatchObject({ type: 'fault', fault: tooMuch });
  });

  it('counts lines of watches that have no end yet', async () => {
    const s = sender(10);
    const lines: string[] = [];
    const options = { signal: new AbortController().signal, onOpen: () => undefined };
    const end = watch(s.sender, '/w', { ...options, onLine: (line) => void lines.push(line) }, 1_000);
    await settled();
    s.last()?.head(200, none);
    s.last()?.data(Buffer.from('0123456789\n0123456789\n0123456789'));
    s.last()?.data(Buffer.from('0'));
    expect(await end).toMatchObject({ type: 'fault', fault: tooMuch, opened: true });
    expect(lines).toEqual(['0123456789', '0123456789']);
  });
});

it('a refusal of a watch that does not end is read in part', async () => {
  const fake = fakeLink();
  const ready = { type: 'ok' as const, link: fake.link, request: () => request, renewCredentials: () => undefined };
  const sender = { clock: fakeClock(), prepare: () => Promise.resolve(ready), ...parts() };
  const options = { signal: new AbortController().signal, onOpen: () => undefined, onLine: () => undefined };
  const end = watch(sender, '/w', options, 1_000);
  await settled();
  fake.last()?.head(500, () => null);
  fake.last()?.data(Buffer.alloc(64_000, 'no '));
  expect(fake.cancelled()).toBe(0);
  fake.last()?.data(Buffer.from('more'));
  expect(await end).toMatchObject({ type: 'fault', fault: { type: 'server', status: 500 }, opened: false });
  expect(fake.cancelled()).toBe(1);
});

it('an answer keeps no piece as it came: one of a single byte takes as much as hundreds', async () => {
  const fake = fakeLink();
  const asked = { link: fake.link, request, clock: fakeClock(), timeout: 1_000, most: 10_000 };
  const answer = exchangeOnce(asked);
  fake.last()?.head(200, () => null);
  const piece = Buffer.from('a');
  for (const byte of Buffer.from('abc'.repeat(1_000))) {
    piece[0] = byte;
    fake.last()?.data(piece);
  }
  fake.last()?.end(null);
  const body = await answer.then((whole) => (whole.type === 'ok' ? whole.body.toString() : whole.type));
  expect(body).toBe('abc'.repeat(1_000));
});
