import { chmod, mkdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { z } from 'zod';
import { parseForeign } from '#lib/foreign.ts';
import type { Log } from '#server/runtime/log.ts';
import { type GitReader, mostAsked } from '../port/git-reader.ts';
import { whyNotOurs } from '../port/socket-path.ts';
import { GitPoint, Sha } from '../port/shapes.ts';

const largestQuestion = 8 * 1024 * 1024;
const mostAtOnce = 64;
const longestPath = 4_096;

const Address = z.string().max(2_048);
const Path = z.string().max(longestPath);
/** Rules of a source are bounded where they are read. */
const longestIgnore = 4_096;
const Build = z.union([
  Path,
  z.object({
    path: Path,
    components: z.array(z.string().max(1_024)).max(256),
    ignore: z.string().max(longestIgnore).nullable(),
    sparse: z.array(z.string().max(1_024)).max(256).nullable().optional(),
  }),
]);
const Branch = z.string().max(1_024);
const Place = z.object({ at: GitPoint, path: Path });
const Ranges = z.array(z.object({ path: Build.nullable(), from: Sha, to: GitPoint })).max(mostAsked.ranges);
const Shas = z.array(Sha).max(mostAsked.commits);

type Asked = (git: GitReader, given: unknown) => Promise<unknown> | null;

/** A question with the arguments that it takes; null where others are given. */
function question<Given extends z.ZodType>(
  schema: Given,
  ask: (git: GitReader, given: z.output<Given>) => Promise<unknown>,
): Asked {
  return (git, given) => {
    const parsed = schema.safeParse(given);
    return parsed.success ? ask(git, parsed.data) : null;
  };
}

const questions: Readonly<Record<keyof GitReader, Asked>> = {
  repositories: question(z.tuple([]), (git) => git.repositories()),
  want: question(
    z.tuple([z.array(z.object({ url: Address, branches: z.array(Branch).max(100) })).max(500)]),
    async (git, [repositories]) => {
      await git.want(repositories);
      return null;
    },
  ),
  commits: question(z.tuple([Address, Shas]), (git, [repository, shas]) => git.commits(repository, shas)),
  find: question(z.tuple([z.string().regex(/^[0-9a-f]{7,64}$/)]), (git, [digits]) => git.find(digits)),
  log: question(
    z.tuple([Address, z.object({ branch: Branch.nullable(), after: Sha.nullable(), limit: z.int().min(1).max(200) })]),
    (git, [repository, page]) => git.log(repository, page),
  ),
  between: question(z.tuple([Address, Ranges]), (git, [repository, ranges]) => git.between(repository, ranges)),
  distances: question(z.tuple([Address, Ranges]), (git, [repository, ranges]) => git.distances(repository, ranges)),
  touches: question(z.tuple([Address, Sha, z.array(Build).max(mostAsked.ranges)]), (git, [repository, sha, paths]) =>
    git.touches(repository, sha, paths),
  ),
  contain: question(z.tuple([Address, Sha, Shas]), (git, [repository, sha, commits]) =>
    git.contain(repository, sha, commits),
  ),
  onBranch: question(
    z.tuple([Address, z.array(z.object({ sha: Sha, branch: Branch })).max(mostAsked.commits)]),
    (git, [repository, pairs]) => git.onBranch(repository, pairs),
  ),
  files: question(z.tuple([Address, Sha]), (git, [repository, sha]) => git.files(repository, sha)),
  closure: question(z.tuple([Address, z.object({ at: GitPoint, path: Build })]), (git, [repository, build]) =>
    git.closure(repository, build),
  ),
  builtFrom: question(
    z.tuple([
      Address,
      GitPoint,
      z.object({ paths: z.array(Build).max(mostAsked.ranges), files: z.array(Path).max(mostAsked.files) }),
    ]),
    (git, [repository, at, asked]) => git.builtFrom(repository, at, asked),
  ),
  compare: question(z.tuple([Address, Place, Place]), (git, [repository, left, right]) =>
    git.compare(repository, left, right),
  ),
  diff: question(z.tuple([Address, Place, Place]), (git, [repository, left, right]) =>
    git.diff(repository, left, right),
  ),
  owners: question(z.tuple([Address, GitPoint, z.array(Path).max(mostAsked.files)]), (git, [repository, at, paths]) =>
    git.owners(repository, at, paths),
  ),
};

/** A running socket, or that another process of ours answers there already. */
export type GitServing =
  | { readonly type: 'serving'; stop(): Promise<void> }
  | { readonly type: 'taken' }
  | { readonly type: 'refused'; readonly message: string };

/** Answers questions about repositories through a Unix socket that only this user may open. */
export async function serveGit(socketPath: string, git: GitReader, log: Log): Promise<GitServing> {
  const unusable = await makeRoom(socketPath);
  if (unusable !== null) return { type: 'refused', message: unusable };
  if (await answers(socketPath)) return { type: 'taken' };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      log.error({ err: error, question: request.url }, 'a question about git failed');
      if (!response.headersSent) send(response, 500, null);
      else response.destroy();
    });
  });
  let underWay = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = (request.url ?? '').slice(1);
    const found = Object.entries(questions).find(([known]) => known === name)?.[1];
    const asked = request.method === 'POST' ? found : undefined;
    if (asked === undefined || underWay >= mostAtOnce) {
      request.resume();
      return send(response, asked === undefined ? 404 : 503, null);
    }
    underWay += 1;
    try {
      const body = await bodyOf(request);
      const answer = body === null ? null : asked(git, parseForeign(body)?.['given']);
      if (answer === null) return send(response, 400, null);
      send(response, 200, await answer);
    } finally {
      underWay -= 1;
    }
  }

  const refusal = await listen();
  if (refusal !== null) return { type: 'refused', message: refusal };
  return {
    type: 'serving',
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function listen(): Promise<string | null> {
    try {
      // What a process that was killed has left.
      await rm(socketPath, { force: true });
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(socketPath, resolve);
      });
      await chmod(socketPath, 0o600);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : 'the socket cannot be made';
    }
  }
}

/** Makes the folder of a socket; gives why it cannot be used. */
async function makeRoom(socketPath: string): Promise<string | null> {
  try {
    await mkdir(dirname(socketPath), { recursive: true, mode: 0o700 });
    return whyNotOurs(socketPath);
  } catch (error) {
    return error instanceof Error ? error.message : 'its folder cannot be made';
  }
}

function send(response: ServerResponse, status: number, answer: unknown): void {
  const body = JSON.stringify(answer ?? null);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    bytes += piece.length;
    if (bytes > largestQuestion) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const end = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.setTimeout(2_000, () => end(false));
  });
}
