import { posix } from 'node:path';
import { type BuildPath, componentsOfBuild, pathOfBuild } from '#lib/domain/commit/build-path.ts';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import { noGit, type GitReader, type GitRange, type Told } from '#server/git/port/git-reader.ts';
import type { Between, CommitLog, Distance, GitCommit, RepositoryState } from '#server/git/port/shapes.ts';
import { sampleNow } from './sample.ts';

/** A commit of a repository that is made up: its hash is its digit, forty times. */
export interface FakeCommit {
  /** One hex digit. */
  readonly digit: string;
  readonly subject?: string;
  readonly author?: string;
  /** Files that it changes. */
  readonly files: readonly string[];
  /** ms */
  readonly at?: number;
  readonly pullRequest?: number;
}

/** The hash of a commit that is made up. */
export function fakeSha(digit: string): string {
  return digit.repeat(40);
}

/** A repository of one branch, `main`, the oldest commit first. A path builds from all that lies beneath it and its components. */
export interface FakeRepository {
  readonly url: string;
  readonly commits: readonly FakeCommit[];
  /** Names that what is built here does not hold: bases of other repositories. */
  readonly elsewhere?: readonly string[];
  /** Who owns every path. */
  readonly owners?: readonly string[];
  readonly state?: Partial<RepositoryState>;
}

/** Git as a test makes it up; `add` commits more. Questions that no test here asks are not told. */
export function fakeGit(repository: FakeRepository): GitReader & { add(commit: FakeCommit): void } {
  const { url, state } = repository;
  const made: FakeCommit[] = [...repository.commits];
  const key = repositoryKey(url);
  const of = history(made);

  const told = <Answer>(asked: string, answer: Answer): Promise<Told<Answer>> =>
    Promise.resolve(
      repositoryKey(asked) === key
        ? { type: 'told', asOf: sampleNow, answer }
        : { type: 'not-told', reason: 'Its repository is not mirrored.' },
    );

  const known: RepositoryState = {
    ...{ key, url, origin: 'configured', state: 'current', reason: null, defaultBranch: 'main', bytes: 1_000 },
    ...{ fetchedAt: sampleNow, triedAt: sampleNow, failingSince: null, rewritten: [], gaps: [] },
    branches: [],
    ...state,
  };

  return {
    ...noGit('This test asks for none of it.'),
    add: (commit) => void made.push(commit),
    repositories: () => {
      const tip = { name: 'main', sha: of.shas().at(-1) ?? '', movedAt: sampleNow };
      return Promise.resolve({ type: 'told', asOf: sampleNow, answer: [{ ...known, branches: [tip] }] });
    },
    commits: (asked, wanted) =>
      told(
        asked,
        wanted.map((sha) => of.commit(of.shas().indexOf(sha))),
      ),
    find: (digits) =>
      told(
        url,
        of.shas().flatMap((sha, index) => {
          const commit = sha.startsWith(digits) ? of.commit(index) : null;
          return commit === null ? [] : [{ repository: key, url, commit }];
        }),
      ),
    log: (asked, page) => told(asked, of.log(page)),
    between: (asked, ranges) => told(asked, ranges.map(of.between)),
    distances: (asked, ranges) => told(asked, ranges.map(of.between).map(distanceOf)),
    touches: (asked, sha, paths) =>
      told(
        asked,
        paths.map((path) => (of.shas().includes(sha) ? of.isTouched(of.shas().indexOf(sha), path) : null)),
      ),
    contain: (asked, sha, wanted) =>
      told(
        asked,
        wanted.map((one) => {
          const [base, at] = [of.shas().indexOf(sha), of.shas().indexOf(one)];
          return base < 0 || at < 0 ? null : at >= base;
        }),
      ),
    onBranch: (asked, pairs) =>
      told(
        asked,
        pairs.map(({ sha, branch }) => branch === 'main' && of.shas().includes(sha)),
      ),
    closure: (asked, { path }) =>
      told(asked, { directories: [pathOfBuild(path)], files: [], missing: [...(repository.elsewhere ?? [])] }),
    owners: (asked, _at, paths) =>
      told(
        asked,
        paths.map(() => [...(repository.owners ?? [])]),
      ),
    files: (asked, sha) => {
      const files = made[of.shas().indexOf(sha)]?.files ?? [];
      return told(asked, { files: files.map((path) => ({ path, change: 'modified' as const })), count: files.length });
    },
  };
}

/** The history of commits that are made up, the oldest first; it grows with them. */
function history(made: readonly FakeCommit[]) {
  const shas = (): string[] => made.map(({ digit }) => fakeSha(digit));

  function commit(index: number): GitCommit | null {
    const found = made[index];
    if (found === undefined) return null;
    const at = found.at ?? sampleNow - (made.length - index) * 60_000;
    const before = made[index - 1];
    return {
      sha: fakeSha(found.digit),
      parents: before === undefined ? [] : [fakeSha(before.digit)],
      authoredAt: at,
      committedAt: at,
      author: found.author ?? 'Ada',
      subject: found.subject ?? `Commit ${found.digit}`,
      pullRequest: found.pullRequest ?? null,
      signed: false,
      tags: [],
    };
  }

  function isTouched(index: number, build: BuildPath | null): boolean {
    if (build === null) return true;
    const path = pathOfBuild(build);
    const directories = [path, ...componentsOfBuild(build).map((component) => posix.join(path, component))];
    const isIn = (file: string): boolean => directories.some((one) => one === '' || file.startsWith(`${one}/`));
    return (made[index]?.files ?? []).some(isIn);
  }

  const filesOf = (sha: string): string[] => [...(made.find(({ digit }) => fakeSha(digit) === sha)?.files ?? [])];

  function between({ path, from, to }: GitRange): Between {
    const all = shas();
    const [start, end] = [all.indexOf(from), to.type === 'branch' ? all.length - 1 : all.indexOf(to.sha)];
    if (start < 0 || end < 0) return { type: 'unknown', why: 'no-such-commit' };
    if (end < start) return { type: 'unknown', why: 'rewritten' };
    const touching = Array.from({ length: end - start }, (_, step) => end - step).filter((at) => isTouched(at, path));
    const commits = touching.flatMap((at) => commit(at) ?? []);
    return {
      type: 'known',
      to: all[end] ?? '',
      commits: end - start,
      touching: commits
        .slice(0, 20)
        .map((one) => ({ commit: one, files: filesOf(one.sha), fileCount: filesOf(one.sha).length })),
      touchingCount: commits.length,
      oldest: commits.at(-1) ?? null,
    };
  }

  function log({ after, limit }: { readonly after: string | null; readonly limit: number }): CommitLog {
    const newest = shas().toReversed();
    const page = newest.slice(after === null ? 0 : newest.indexOf(after) + 1).slice(0, limit);
    const commits = page.flatMap((sha) => commit(shas().indexOf(sha)) ?? []);
    return { branch: 'main', commits, next: page.at(-1) === newest.at(-1) ? null : (page.at(-1) ?? null) };
  }

  return { shas, commit, isTouched, between, log };
}

function distanceOf(between: Between): Distance {
  if (between.type === 'unknown') return between;
  const { to, commits, touchingCount, oldest } = between;
  return { type: 'known', to, commits, touching: touchingCount, oldest };
}
