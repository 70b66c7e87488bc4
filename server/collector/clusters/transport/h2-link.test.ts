import http2 from 'node:http2';
import net from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { until } from '../testing/until.ts';
import { createPace } from './pace/pace.ts';
import { defaultTuning } from '../tuning.ts';
import { openH2Link } from './h2-link.ts';
import type { LinkRequest } from './link.ts';

const nothing = (): void => undefined;
const request: LinkRequest = { path: '/x', headers: {}, review: null };

/** A link to a server of its own that answers nothing but the settings; `told`: what the link says of itself. */
async function linked(maxConcurrentStreams: number) {
  const sessions: http2.ServerHttp2Session[] = [];
  const server = http2.createServer({ settings: { maxConcurrentStreams } });
  server.on('session', (session) => sessions.push(session));
  const closed: number[] = [];
  server.on('stream', (stream) => {
    stream.on('error', nothing);
    stream.on('close', () => closed.push(stream.rstCode));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const told: string[] = [];
  const clock = fakeClock(0);
  const link = openH2Link({
    socket: net.connect(port, '127.0.0.1'),
    origin: `http://127.0.0.1:${port}`,
    clock,
    tuning: defaultTuning,
    pace: createPace(clock),
    events: { received: nothing, drained: () => told.push('drained'), lost: (reason) => told.push(`lost: ${reason}`) },
  });
  onTestFinished(() => {
    link.close();
    for (const session of sessions) session.destroy();
    server.close();
  });
  const ends: (string | null)[] = [];
  const open = (use: 'watch' | 'get') =>
    link.open(request, use, { head: nothing, data: nothing, end: (lost) => ends.push(lost) });
  open('get')();
  clock.advance(0);
  await until('the settings of the server', () => closed.length === 1);
  return { link, open, told, ends, sessions, clock, closed };
}

/** The number of requests of a use that a link has room for. */
function roomFor({ link, open }: Pick<Awaited<ReturnType<typeof linked>>, 'link' | 'open'>, use: 'watch' | 'get') {
  let count = 0;
  for (; count < 200 && link.room(use); count++) open(use);
  return count;
}

it.each([
  ['with the 100 streams of an API server', 100, 90, 10],
  ['with more than those', 250, 90, 10],
  ['with few', 20, 10, 10],
  ['with hardly any', 4, 1, 3],
])('%s of %i has room for %i watches, and for %i short requests besides', async (_name, most, watches, gets) => {
  const made = await linked(most);
  expect([roomFor(made, 'watch'), roomFor(made, 'get')]).toEqual([watches, gets]);
  expect(made.link.room('watch')).toBe(false);
});

it('says that it was closed, once, and that its requests were', async () => {
  const { sessions, told, ends, open, link } = await linked(100);
  open('watch');
  sessions[0]?.destroy();
  await until('the loss', () => told.some((word) => word.startsWith('lost: ')));
  await until('the end', () => ends.length > 0);
  expect(told.filter((word) => word.startsWith('lost: '))).toHaveLength(1);
  expect([link.room('watch'), link.room('get')]).toEqual([false, false]);
});

it('takes nothing more once it drains, and says so once', async () => {
  const { told, open, link } = await linked(100);
  open('watch');
  link.drain();
  link.drain();
  expect([told, link.room('get'), link.room('watch')]).toEqual([['drained'], false, false]);
});

it('cancels streams 20 ms apart, and says nothing of them any more', async () => {
  const { open, clock, closed, ends } = await linked(100);
  for (const cancel of [open('watch'), open('watch'), open('watch')]) {
    cancel();
    cancel();
  }
  clock.advance(0);
  await until('the first', () => closed.length === 2);
  clock.advance(19);
  expect(clock.pending()).toBeGreaterThan(1);
  clock.advance(1);
  await until('the second', () => closed.length === 3);
  clock.advance(20);
  await until('the third', () => closed.length === 4);
  expect([closed, ends]).toEqual([closed.map(() => http2.constants.NGHTTP2_CANCEL), []]);
});

function frame(type: number, flags: number, stream: number, body: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(body.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, body]);
}

it.each([false, true])(
  'ends an answer that comes byte by byte (the streams of the cluster rest: %s)',
  async (rests) => {
    const crumbs = Array.from({ length: 50_000 }, () => frame(0, 0, 1, Buffer.from('x')));
    const server = net.createServer((socket) => {
      socket.on('error', nothing);
      socket.write(frame(4, 0, 0, Buffer.alloc(0)));
      // Its status is the only field: the eighth of the table that both sides know.
      socket.once('data', () => void socket.write(Buffer.concat([frame(1, 4, 1, Buffer.from([0x88])), ...crumbs])));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const clock = fakeClock(0);
    const pace = createPace(clock, clock.now);
    if (rests) pace.charge(4_000);
    const link = openH2Link({
      ...{ socket: net.connect(port, '127.0.0.1'), origin: `http://127.0.0.1:${port}` },
      ...{ clock, tuning: defaultTuning, pace },
      events: { received: nothing, drained: nothing, lost: nothing },
    });
    onTestFinished(() => {
      link.close();
      server.close();
    });
    const ends: (string | null)[] = [];
    let pieces = 0;
    link.open(request, 'watch', { head: nothing, data: () => void (pieces += 1), end: (lost) => ends.push(lost) });
    await until('it to end', () => ends.length > 0);
    expect(ends).toEqual(['what it sends comes in pieces of a few bytes']);
    expect(pieces).toBeLessThan(rests ? 2 : 1_001);
  },
);
