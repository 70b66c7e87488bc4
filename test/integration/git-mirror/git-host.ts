import { spawn, spawnSync } from 'node:child_process';
import { createServer as createPlain, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { dirname } from 'node:path';

/** Ways in which a host of repositories may behave. */
export type Manner =
  | { readonly type: 'serves' }
  | { readonly type: 'says'; readonly status: number; readonly location?: string }
  /** It sends half of each pack, and nothing more. */
  | { readonly type: 'stalls' }
  /** It takes connections and says nothing. */
  | { readonly type: 'is silent' };

/** A host of the repositories of a folder on this machine. */
export interface GitHost {
  readonly port: number;
  manner: Manner;
  /** The password that it wants; null: none. */
  token: string | null;
  /** Paths that were asked for. */
  readonly asked: string[];
  stop(): Promise<void>;
}

/** Certificate, address of this machine, and port; 0 takes any. */
export interface HostOptions {
  readonly tls?: { readonly cert: string; readonly key: string } | null;
  readonly address?: string;
  readonly port?: number;
}

/** Serves bare repositories beneath `root` by git's own program, on an address of this machine. */
export async function startGitHost(
  root: string,
  { tls = null, address = '127.0.0.1', port = 0 }: HostOptions = {},
): Promise<GitHost> {
  const listener = (request: IncomingMessage, response: ServerResponse): void => answer(host, root, request, response);
  const server = tls === null ? createPlain(listener) : createSecure(tls, listener);
  const host: GitHost = {
    port: 0,
    manner: { type: 'serves' },
    token: null,
    asked: [],
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  await new Promise<void>((resolve) => void server.listen(port, address, resolve));
  const bound = server.address();
  return Object.assign(host, { port: typeof bound === 'object' && bound !== null ? bound.port : 0 });
}

function answer(host: GitHost, root: string, request: IncomingMessage, response: ServerResponse): void {
  const { manner, token } = host;
  host.asked.push(request.url ?? '');
  response.on('error', () => undefined);
  if (manner.type === 'is silent') return;
  if (manner.type === 'says') {
    response.writeHead(manner.status, manner.location === undefined ? {} : { location: manner.location });
    response.end('no');
    return;
  }
  const given = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString('utf8');
  if (token !== null && given !== `git:${token}`) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' });
    response.end();
    return;
  }
  serve(root, request, response, manner.type === 'stalls');
}

function serve(root: string, request: IncomingMessage, response: ServerResponse, stalls: boolean): void {
  const url = new URL(request.url ?? '/', 'http://host');
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      GIT_CONFIG_KEY_1: 'uploadpack.allowFilter',
      GIT_CONFIG_VALUE_1: String(!root.includes('no-filter')),
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  });
  const pieces: Buffer[] = [];
  backend.stdin.on('error', () => undefined);
  request.pipe(backend.stdin);
  backend.stdout.on('data', (piece: Buffer) => void pieces.push(piece));
  backend.on('close', () => {
    const whole = Buffer.concat(pieces);
    const end = whole.indexOf('\r\n\r\n');
    const lines = whole.subarray(0, end).toString('latin1').split('\r\n');
    const headers = lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ]);
    const status = Number(headers.find(([name]) => name === 'Status')?.[1].slice(0, 3) ?? 200);
    const body = whole.subarray(end + 4);
    response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
    if (stalls && body.includes('PACK')) response.write(body.subarray(0, body.length / 2));
    else response.end(body);
  });
}

/** Commits a file on main of a bare repository, which is made where it is missing. */
export function commitTo(repository: string, subject: string, files: Readonly<Record<string, string>>): string {
  const run = (args: readonly string[], input = ''): string => {
    const ran = spawnSync('git', args, { cwd: dirname(repository), input });
    if (ran.status !== 0) throw new Error(String(ran.stderr));
    return String(ran.stdout).trim();
  };
  run(['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  const tip = spawnSync('git', ['--git-dir', repository, 'rev-parse', '--verify', '--quiet', 'refs/heads/main']);
  const lines = [
    ...['commit refs/heads/main', 'committer A <a@e.x> 1795000000 +0000'],
    ...[`data ${Buffer.byteLength(subject)}`, subject],
    ...(tip.status === 0 ? ['from refs/heads/main^0'] : []),
    ...Object.entries(files).flatMap(([path, text]) => [
      `M 100644 inline ${JSON.stringify(path)}`,
      `data ${Buffer.byteLength(text)}`,
      text,
    ]),
  ];
  run(['--git-dir', repository, 'fast-import', '--quiet', '--force'], `${lines.join('\n')}\n`);
  return run(['--git-dir', repository, 'rev-parse', 'refs/heads/main']);
}
