import { createServer, type RequestListener, type Server } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { askOverHttp } from './ask.ts';

/** Serves on a free port; gives the address. */
async function serving(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return addressOf(server);
}

function addressOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
}

it('gives status and body as they are', async () => {
  const address = await serving((_request, response) => response.writeHead(404).end('Nothing.'));
  expect(await askOverHttp(null)(address, 5_000)).toEqual({
    type: 'answer',
    status: 404,
    text: 'Nothing.',
    location: null,
  });
});

it('follows no redirection: it says where it leads', async () => {
  const address = await serving((_request, response) => response.writeHead(302, { location: '/login' }).end());
  expect(await askOverHttp(null)(address, 5_000)).toEqual({
    type: 'answer',
    status: 302,
    text: '',
    location: '/login',
  });
});

it('ends an answer that is too large', async () => {
  const piece = Buffer.alloc(1024 * 1024);
  let ended = false;
  const address = await serving((_request, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', more).on('close', () => (ended = true));
    more();
  });
  expect(await askOverHttp(null)(address, 60_000)).toEqual({ type: 'too-large' });
  await expect.poll(() => ended).toBe(true);
});

it('is lost where the connection is cut, before the answer or within it', async () => {
  const before = await serving((request) => request.socket.destroy());
  expect(await askOverHttp(null)(before, 5_000)).toMatchObject({ type: 'lost', code: 'UND_ERR_SOCKET' });
  const within = await serving((request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{', () => request.socket.destroy());
  });
  expect(await askOverHttp(null)(within, 5_000)).toMatchObject({ type: 'lost', code: 'UND_ERR_SOCKET' });
});

it('is lost where nothing listens, and where no answer comes in time', async () => {
  const nowhere = createServer();
  await new Promise<void>((resolve) => void nowhere.listen(0, '127.0.0.1', resolve));
  const address = addressOf(nowhere);
  await new Promise((resolve) => void nowhere.close(resolve));
  expect(await askOverHttp(null)(address, 5_000)).toMatchObject({ type: 'lost', code: 'ECONNREFUSED' });
  const silent = await serving(() => undefined);
  expect(await askOverHttp(null)(silent, 20)).toEqual({ type: 'lost', why: 'no answer within 0 s', code: null });
});

it('sends a token to this machine and over https, and nowhere else', async () => {
  let sent: string | undefined;
  const address = await serving((request, response) => {
    sent = request.headers.authorization;
    response.end('{}');
  });
  expect((await askOverHttp('plumbline_x')(address, 5_000)).type).toBe('answer');
  expect(sent).toBe('Bearer plumbline_x');
  expect(await askOverHttp('plumbline_x')('http://plumbline.example.org/', 5_000)).toEqual({
    type: 'lost',
    why: 'no token is sent over http://: write https://',
    code: null,
  });
});
