import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GitReader, Told } from '#server/git/port/git-reader.ts';
import type { GitCommit } from '#server/git/port/shapes.ts';
import { gitSocketPath } from '#server/git/port/socket-path.ts';
import { serveGit } from '#server/git/serve/serve-git.ts';
import { silentLog } from '#server/runtime/log.ts';
import { fakeGit } from '#server/web/testing/fake-git.ts';
import { canaries, digitsOf, repositoryOf, type Canary } from './canary-words.ts';

/** A repository for each part of the fleet: its word stands in its address, its branch, and in every commit, author, owner and file. */
function repository(canary: Canary): GitReader {
  const file = `clusters/${canary}/kustomization-${canary}.yaml`;
  const git = fakeGit({
    url: repositoryOf(canary),
    commits: digitsOf[canary].map((digit) => ({
      digit,
      subject: `Change ${canary} (#${digit})`,
      author: `Author ${canary}`,
      files: [file],
    })),
    owners: [`@team-${canary}`],
    state: {
      state: 'failing',
      reason: `Fetching ${canary} fails.`,
      rewritten: [{ branch: `branch-${canary}`, from: '1'.repeat(40), to: '2'.repeat(40), at: 1 }],
    },
  });
  const asOf = async <Answer>(asked: string, answer: (tip: GitCommit) => Answer): Promise<Told<Answer>> => {
    const told = await git.log(asked, { branch: null, after: null, limit: 1 });
    if (told.type === 'not-told') return told;
    const [tip] = told.answer.commits;
    if (tip === undefined) throw new Error('there are commits');
    return { ...told, answer: answer(tip) };
  };
  return {
    ...git,
    compare: (asked, left, right) =>
      asOf(asked, (commit) => ({
        left: { commit, path: left.path, exists: true },
        right: { commit, path: right.path, exists: true },
        files: [{ path: `file-${canary}.yaml`, status: 'different', content: 'text' }],
        counts: { equal: 0, different: 1, leftOnly: 0, rightOnly: 0 },
      })),
    diff: (asked) =>
      asOf(asked, () => ({
        content: 'text',
        hunks: [{ lines: [{ type: 'left', left: 1, right: null, text: `line ${canary}` }] }],
        cut: false,
      })),
    builtFrom: (asked, _at, { files }) => asOf(asked, () => files.map(() => [0])),
  };
}

/** All of them as one: each is asked, and the one whose repository it is answers. */
function together(all: readonly GitReader[]): GitReader {
  async function first<Answer>(ask: (git: GitReader) => Promise<Told<Answer>>): Promise<Told<Answer>> {
    const answers = await Promise.all(all.map(ask));
    return (
      answers.find(({ type }) => type === 'told') ?? { type: 'not-told', reason: 'Its repository is not mirrored.' }
    );
  }

  async function every<Answer>(
    ask: (git: GitReader) => Promise<Told<readonly Answer[]>>,
  ): Promise<Told<readonly Answer[]>> {
    const answers = await Promise.all(all.map(ask));
    return { type: 'told', asOf: 0, answer: answers.flatMap((one) => (one.type === 'told' ? one.answer : [])) };
  }

  return {
    repositories: () => every((git) => git.repositories()),
    want: () => Promise.resolve(),
    find: (digits) => every((git) => git.find(digits)),
    commits: (of, shas) => first((git) => git.commits(of, shas)),
    log: (of, page) => first((git) => git.log(of, page)),
    between: (of, ranges) => first((git) => git.between(of, ranges)),
    distances: (of, ranges) => first((git) => git.distances(of, ranges)),
    touches: (of, sha, paths) => first((git) => git.touches(of, sha, paths)),
    contain: (of, sha, commits) => first((git) => git.contain(of, sha, commits)),
    onBranch: (of, pairs) => first((git) => git.onBranch(of, pairs)),
    files: (of, sha) => first((git) => git.files(of, sha)),
    closure: (of, build) => first((git) => git.closure(of, build)),
    builtFrom: (of, at, asked) => first((git) => git.builtFrom(of, at, asked)),
    compare: (of, left, right) => first((git) => git.compare(of, left, right)),
    diff: (of, left, right) => first((git) => git.diff(of, left, right)),
    owners: (of, at, paths) => first((git) => git.owners(of, at, paths)),
  };
}

/** Serves them as the git process does. */
export async function serveCanaryGit(): Promise<{ readonly socket: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-canary-'));
  const socket = gitSocketPath(folder);
  const git = together(Object.values(canaries).map(repository));
  const serving = await serveGit(socket, git, silentLog);
  return {
    socket,
    async stop() {
      if (serving.type === 'serving') await serving.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
