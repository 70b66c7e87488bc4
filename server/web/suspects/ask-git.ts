import { type BuildPath, pathOfBuild } from '#lib/domain/commit/build-path.ts';
import { buildKey } from '#server/git/port/build-key.ts';
import { suspicionOf, type PathTold, type Suspicion } from '#lib/domain/commit/suspect.ts';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import { mostAsked, type GitReader } from '#server/git/port/git-reader.ts';
import type { Between, Touch } from '#server/git/port/shapes.ts';
import type { GitQuestion } from './suspect-question.ts';

/** A conclusion, and what it was made from. */
export interface GitConclusion {
  readonly suspicion: Suspicion;
  readonly touches: ReadonlyMap<string, Touch>;
  /** Names that the repository does not hold. */
  readonly elsewhere: readonly string[];
  /** null where they are not told. */
  readonly owners: readonly string[] | null;
  /** The reader's sentence where it tells nothing. */
  readonly reason: string | null;
  readonly asOf: number | null;
}

/** Questions for what is built from at a commit: beyond it, that is not known. */
const mostClosures = 200;
const mostOwners = 20;

type Closures = ReadonlyMap<string, readonly string[] | null>;
type Owners = ReadonlyMap<string, readonly string[]>;
type Path = PathTold<{ readonly sha: string }>;

/** Asks for many ranges of one repository at once. `owners`: whether to tell who owns the paths. */
export async function askGit(
  git: GitReader,
  questions: readonly GitQuestion[],
  { owners }: { readonly owners: boolean },
): Promise<ReadonlyMap<GitQuestion, GitConclusion>> {
  const byRepository = Map.groupBy(questions, ({ repository }) => repositoryKey(repository));
  const all = await Promise.all([...byRepository.values()].map((group) => askRepository(git, group, owners)));
  return new Map(all.flatMap((found) => [...found]));
}

async function askRepository(
  git: GitReader,
  questions: readonly GitQuestion[],
  withOwners: boolean,
): Promise<ReadonlyMap<GitQuestion, GitConclusion>> {
  const url = questions[0]?.repository ?? '';
  const ranges = new Map(
    questions.flatMap(({ from, to, paths }) =>
      paths.map((path) => [keyOf(from, to, path), { path, from, to: { type: 'commit' as const, sha: to } }] as const),
    ),
  );
  const asked = [...ranges].slice(0, mostAsked.ranges);
  const told = await git.between(
    url,
    asked.map(([, range]) => range),
  );
  if (told.type === 'not-told') return new Map(questions.map((one) => [one, untoldBy(told.reason)]));
  const answers = new Map(asked.map(([key], index) => [key, told.answer[index]]));
  const pathsOf = (one: GitQuestion, closures: Closures): readonly Path[] =>
    one.paths.map((path) =>
      pathTold(answers.get(keyOf(one.from, one.to, path)), closures.get(keyOf(one.from, '', path))),
    );
  const conclude = (one: GitQuestion, closures: Closures): Suspicion => suspicionOf(one.facts, pathsOf(one, closures));
  const none: Closures = new Map();
  // What it builds from elsewhere matters only where a commit could be named, or git cleared.
  const open = questions.filter((one) => isOpen(pathsOf(one, none)));
  const [closures, owners] = await Promise.all([
    closuresOf(git, url, open),
    withOwners ? ownersOf(git, url, questions) : new Map<string, readonly string[]>(),
  ]);
  return new Map(
    questions.map((one) => {
      const named = one.paths.flatMap((path) => closures.get(keyOf(one.from, '', path)) ?? []);
      const conclusion: GitConclusion = {
        suspicion: conclude(one, open.includes(one) ? closures : knownNowhere(one)),
        touches: touchesOf(one.paths.map((path) => answers.get(keyOf(one.from, one.to, path)))),
        elsewhere: [...new Set(named)],
        owners: ownersOfPaths(one, owners),
        reason: null,
        asOf: told.asOf,
      };
      return [one, conclusion];
    }),
  );
}

function keyOf(from: string, to: string, path: BuildPath): string {
  return `${from} ${to} ${buildKey(path)}`;
}

function untoldBy(reason: string): GitConclusion {
  const suspicion: Suspicion = { type: 'not-told', why: 'not-mirrored' };
  return { suspicion, touches: new Map(), elsewhere: [], owners: null, reason, asOf: null };
}

function pathTold(between: Between | undefined, elsewhere: readonly string[] | null | undefined): Path {
  if (between === undefined) return { type: 'not-told', why: 'too-many' };
  if (between.type === 'unknown') return { type: 'not-told', why: between.why };
  const { commits, touching, touchingCount } = between;
  return {
    type: 'told',
    commits,
    touching: touching.map(({ commit }) => commit),
    count: touchingCount,
    elsewhere: elsewhere ?? null,
  };
}

/** True if at most one commit touches any of the paths. */
function isOpen(paths: readonly Path[]): boolean {
  const shas = new Set<string>();
  for (const path of paths) {
    if (path.type === 'not-told' || path.count > path.touching.length) return false;
    for (const { sha } of path.touching) shas.add(sha);
  }
  return shas.size <= 1;
}

/** Several commits touch it: that there may be others elsewhere adds nothing. */
function knownNowhere({ from, paths }: GitQuestion): Closures {
  return new Map(paths.map((path) => [keyOf(from, '', path), []]));
}

/** Names that the repository does not hold of what each path builds from where it worked; null where that is not told. */
async function closuresOf(git: GitReader, url: string, questions: readonly GitQuestion[]): Promise<Closures> {
  const places = new Map(
    questions.flatMap(({ from, paths }) => paths.map((path) => [keyOf(from, '', path), { from, path }] as const)),
  );
  const found = await Promise.all(
    [...places].slice(0, mostClosures).map(async ([key, { from, path }]) => {
      const told = await git.closure(url, { at: { type: 'commit', sha: from }, path });
      return [key, told.type === 'told' ? told.answer.missing : null] as const;
    }),
  );
  return new Map(found);
}

/** Each commit is asked for once, however many questions end at it. */
async function ownersOf(git: GitReader, url: string, questions: readonly GitQuestion[]): Promise<Owners> {
  const byCommit = Map.groupBy(questions, ({ to }) => to);
  const found = await Promise.all(
    [...byCommit].map(async ([to, group]) => {
      const each = new Map(group.flatMap(({ paths }) => paths.map((path) => [buildKey(path), path] as const)));
      const paths = [...each.values()].slice(0, mostAsked.files);
      const told = await git.owners(url, { type: 'commit', sha: to }, paths.map(pathOfBuild));
      if (told.type === 'not-told') return [];
      return paths.map((path, index) => [keyOf('', to, path), told.answer[index] ?? []] as const);
    }),
  );
  return new Map(found.flat());
}

/** null where they are not told of every path. */
function ownersOfPaths({ to, paths }: GitQuestion, owners: Owners): readonly string[] | null {
  const names = new Set<string>();
  for (const path of paths) {
    const known = owners.get(keyOf('', to, path));
    if (known === undefined) return null;
    for (const name of known) names.add(name);
  }
  return [...names].slice(0, mostOwners);
}

/** Commits by hash, each with the files of every path. */
function touchesOf(answers: readonly (Between | undefined)[]): ReadonlyMap<string, Touch> {
  const found = new Map<string, Touch>();
  for (const between of answers) {
    if (between?.type !== 'known') continue;
    for (const touch of between.touching) {
      const known = found.get(touch.commit.sha);
      const files = [...new Set([...(known?.files ?? []), ...touch.files])].slice(0, 20);
      const fileCount = Math.max(files.length, touch.fileCount, known?.fileCount ?? 0);
      found.set(touch.commit.sha, { commit: touch.commit, files, fileCount });
    }
  }
  return found;
}
