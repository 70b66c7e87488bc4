import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';

/** A read-only git server on loopback: the smart protocol by `git http-backend`. */
export interface GitServer {
  /** URL of a bare repository by its folder name, e.g. control.git */
  url(repository: string): string;
  stop(): Promise<void>;
}

/** Serves every bare repository below `root`. */
export async function startGitServer(root: string): Promise<GitServer> {
  const server = createServer((request, response) => serve(root, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return {
    url: (repository) => `http://127.0.0.1:${port}/${repository}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function serve(root: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const backend = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      ...process.env,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      ...(request.headers['content-length'] === undefined ? {} : { CONTENT_LENGTH: request.headers['content-length'] }),
      ...(request.headers['content-encoding'] === undefined
        ? {}
        : { HTTP_CONTENT_ENCODING: request.headers['content-encoding'] }),
      ...(typeof request.headers['git-protocol'] === 'string' ? { GIT_PROTOCOL: request.headers['git-protocol'] } : {}),
    },
  });
  backend.on('error', () => response.writeHead(500).end());
  backend.stdin.on('error', () => undefined);
  request.pipe(backend.stdin);

  let head = Buffer.alloc(0);
  let headDone = false;
  backend.stdout.on('data', (chunk: Buffer) => {
    if (headDone) {
      response.write(chunk);
      return;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    headDone = true;
    writeHead(response, head.subarray(0, end).toString());
    response.write(head.subarray(end + 4));
  });
  backend.stdout.on('end', () => {
    if (!headDone && !response.headersSent) response.writeHead(500);
    response.end();
  });
}

/** Turns the CGI head into an HTTP one. */
function writeHead(response: ServerResponse, head: string): void {
  let status = 200;
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.writeHead(status);
}
