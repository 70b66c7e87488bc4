import net from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { fixedAccess } from '../testing/scripted-server.ts';
import { until } from '../testing/until.ts';
import { createPace } from './pace/pace.ts';
import { defaultTuning } from '../tuning.ts';
import { dial } from './dial.ts';

/** A dial to a port that takes connections and does with them what a test says. */
async function dialing(onSocket: (socket: net.Socket) => void) {
  const sockets: net.Socket[] = [];
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    sockets.push(socket);
    onSocket(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const clock = fakeClock(0);
  const nothing = (): void => undefined;
  const dialed = dial({
    access: fixedAccess(`https://127.0.0.1:${port}`),
    clock,
    tuning: defaultTuning,
    pace: createPace(clock),
    events: { received: nothing, drained: nothing, lost: nothing },
  });
  await until('the connection', () => sockets.length === 1);
  return { clock, dialed };
}

it('gives up a connection that is not open within 10 s', async () => {
  const { clock, dialed } = await dialing(() => undefined);
  clock.advance(9_999);
  expect(clock.pending()).toBe(1);
  clock.advance(1);
  const fault = { type: 'unreachable', message: 'no connection within 10 s' };
  expect(await dialed).toMatchObject({ type: 'fault', fault });
  expect(clock.pending()).toBe(0);
});

it('says that a connection was closed while it was opened', async () => {
  const { clock, dialed } = await dialing((socket) => socket.destroy());
  expect(await dialed).toMatchObject({ type: 'fault', fault: { type: 'unreachable' } });
  expect(clock.pending()).toBe(0);
});

it('takes an answer that is no TLS for what a later attempt does not mend', async () => {
  const { dialed } = await dialing((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  expect(await dialed).toMatchObject({ type: 'fault', fault: { type: 'protocol' } });
});

it('says that the server of a kubeconfig is no URL', async () => {
  const nothing = (): void => undefined;
  const events = { received: nothing, drained: nothing, lost: nothing };
  const message = 'the server of the kubeconfig is not a URL';
  expect(
    await dial({
      access: fixedAccess('no url'),
      clock: fakeClock(0),
      tuning: defaultTuning,
      pace: createPace(fakeClock(0)),
      events,
    }),
  ).toMatchObject({ fault: { type: 'protocol', message } });
});
