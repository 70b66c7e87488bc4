import { Agent, request } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import { parseForeign } from '#lib/foreign.ts';
import type { GitReader, Told } from './git-reader.ts';
import { gitAnswers as answers } from './methods.ts';
import { whyNotOurs } from './socket-path.ts';
import { piecesOf, sizeOfBuild, sizeOfRange } from './pieces.ts';

/** An answer that takes longer (ms) or is larger (bytes) is none. */
const longestAnswer = 10_000;
const largestAnswer = 32 * 1024 * 1024;
/** Others have their turn between the two readings of what is longer (UTF-16 units). */
const longText = 1_000_000;
/** Ranges of one question: who named the commits says how long the answer is, and it is read in one turn of the pages' process. */
const rangesAtOnce = 1_000;
const silent = 'The process that reads git repositories does not answer.';

/** Asks the git process of this machine through its socket. While it does not run, everything is not told. */
export function remoteGit(socketPath: string): GitReader {
  const way = { socketPath, agent: new Agent({ keepAlive: true, maxSockets: 8 }) };

  async function ask<Answer extends z.ZodType>(
    answer: Answer,
    question: keyof typeof answers,
    ...given: readonly unknown[]
  ): Promise<z.output<Answer> | { readonly type: 'not-told'; readonly reason: string }> {
    const text = await post(way, question, given);
    if (text === null) return { type: 'not-told', reason: silent };
    const read = parseForeign(text);
    if (text.length > longText) await setImmediate();
    const parsed = answer.safeParse(read);
    return parsed.success ? parsed.data : { type: 'not-told', reason: silent };
  }

  const builtFrom: GitReader['builtFrom'] = async (repository, at, { paths, files }) => {
    const users = files.map((): number[] => []);
    let [asOf, before] = [Number.POSITIVE_INFINITY, 0];
    for (const piece of piecesOf(paths, paths.length, sizeOfBuild)) {
      const answer = await ask(answers.builtFrom, 'builtFrom', repository, at, { paths: piece, files });
      if (answer.type === 'not-told') return answer;
      asOf = Math.min(asOf, answer.asOf);
      for (const [file, found] of answer.answer.entries()) for (const path of found) users[file]?.push(before + path);
      before += piece.length;
    }
    return { type: 'told', asOf, answer: users };
  };

  return {
    repositories: () => ask(answers.repositories, 'repositories'),
    want: async (repositories) => void (await post(way, 'want', [repositories])),
    commits: (repository, shas) => ask(answers.commits, 'commits', repository, shas),
    find: (digits) => ask(answers.find, 'find', digits),
    log: (repository, page) => ask(answers.log, 'log', repository, page),
    between: (repository, ranges) =>
      inPieces(piecesOf(ranges, ranges.length, sizeOfRange), (piece) =>
        ask(answers.between, 'between', repository, piece),
      ),
    distances: (repository, ranges) =>
      inPieces(piecesOf(ranges, rangesAtOnce, sizeOfRange), (piece) =>
        ask(answers.distances, 'distances', repository, piece),
      ),
    touches: (repository, sha, paths) =>
      inPieces(piecesOf(paths, paths.length, sizeOfBuild), (piece) =>
        ask(answers.touches, 'touches', repository, sha, piece),
      ),
    contain: (repository, sha, commits) => ask(answers.contain, 'contain', repository, sha, commits),
    onBranch: (repository, pairs) => ask(answers.onBranch, 'onBranch', repository, pairs),
    files: (repository, sha) => ask(answers.files, 'files', repository, sha),
    closure: (repository, place) => ask(answers.closure, 'closure', repository, place),
    builtFrom,
    compare: (repository, left, right) => ask(answers.compare, 'compare', repository, left, right),
    diff: (repository, left, right) => ask(answers.diff, 'diff', repository, left, right),
    owners: (repository, at, paths) => ask(answers.owners, 'owners', repository, at, paths),
  };
}

interface Way {
  readonly socketPath: string;
  readonly agent: Agent;
}

/** The text of an answer; null where there is none. */
function post(way: Way, question: string, given: readonly unknown[]): Promise<string | null> {
  // Somebody else could answer there.
  if (whyNotOurs(way.socketPath) !== null) return Promise.resolve(null);
  return new Promise((resolve) => {
    const body = JSON.stringify({ given });
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const asked = request({ ...way, method: 'POST', path: `/${question}`, headers });
    const deadline = setTimeout(() => asked.destroy(), longestAnswer);
    const end = (text: string | null): void => {
      clearTimeout(deadline);
      resolve(text);
    };
    asked.on('error', () => end(null));
    asked.on('response', (response) => {
      const pieces: Buffer[] = [];
      let bytes = 0;
      response.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (bytes > largestAnswer) asked.destroy();
        else pieces.push(piece);
      });
      response.on('error', () => end(null));
      response.on('close', () => end(null));
      response.on('end', () => end(response.statusCode === 200 ? Buffer.concat(pieces).toString('utf8') : null));
    });
    asked.end(body);
  });
}

/** Asks about many piece by piece; the answers in their order, as of the oldest. */
async function inPieces<Item, Answer>(
  pieces: readonly (readonly Item[])[],
  askOf: (piece: readonly Item[]) => Promise<Told<readonly Answer[]>>,
): Promise<Told<readonly Answer[]>> {
  const told: Answer[] = [];
  let asOf = Number.POSITIVE_INFINITY;
  for (const piece of pieces) {
    const answer = await askOf(piece);
    if (answer.type === 'not-told') return answer;
    asOf = Math.min(asOf, answer.asOf);
    for (const one of answer.answer) told.push(one);
  }
  return { type: 'told', asOf, answer: told };
}
