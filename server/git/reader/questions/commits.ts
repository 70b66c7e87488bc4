import type { CommitFiles, CommitLog, GitCommit } from '../../port/shapes.ts';
import { mostAsked } from '../../port/git-reader.ts';
import { notTold, told, type Answered } from '../answered.ts';
import { Unreadable, wholeHash } from '../objects.ts';
import { unknownPoint, type Opened } from '../opened.ts';
import { pathForPeople } from '../raw-path.ts';
import { readRawChanges } from '../raw-changes.ts';
import { createAdder } from '../index/adder.ts';
import { isBehind } from '../index/commit-index.ts';

const mostFound = 10;
const mostOfPage = 200;
const mostFiles = 1_000;
/** Names that begin alike and are looked at. */
const mostAlike = 1_000;

/** Commits by their whole hash; null for one that is not there. */
export async function commitsOf(
  { commits }: Opened,
  shas: readonly string[],
): Promise<Answered<readonly (GitCommit | null)[]>> {
  const asked = shas.slice(0, mostAsked.commits);
  const read = await commits.read(asked.filter((sha) => wholeHash.test(sha)));
  return told(
    asked.map((sha) => {
      const commit = read.get(sha);
      return commit === undefined ? null : commits.withTags(commit);
    }),
  );
}

/** Commits that begin with some hex digits, at most 10. */
export async function findCommits(
  { objects, commits }: Opened,
  digits: string,
): Promise<Answered<readonly GitCommit[]>> {
  if (!/^[0-9a-f]{7,64}$/.test(digits)) return told([]);
  const output = await objects.run(['rev-parse', `--disambiguate=${digits}`]);
  const alike = output.toString('latin1').split('\n').filter(Boolean).slice(0, mostAlike);
  const types = await objects.info(alike);
  const shas = alike.filter((_, index) => types[index]?.type === 'commit').slice(0, mostFound);
  const read = await commits.read(shas);
  return told([...read.values()].map((commit) => commits.withTags(commit)));
}

/** A page of the history of a branch along first parents, the newest first. */
export async function logOf(
  opened: Opened,
  page: { readonly branch: string | null; readonly after: string | null; readonly limit: number },
): Promise<Answered<CommitLog>> {
  const { index, branches, defaultBranch, commits } = opened;
  const branch = page.branch ?? defaultBranch;
  const sha = branch === null ? undefined : branches.get(branch);
  if (branch === null || sha === undefined) return notTold(unknownPoint('no-such-branch'));
  const tip = await index.add(sha);
  if (typeof tip === 'string') return notTold(unknownPoint(tip));
  const after = page.after === null ? null : index.find(page.after);
  if (page.after !== null && (after === null || !isBehind(after, tip))) {
    return notTold('This commit is not in the history of the branch any more.');
  }
  const from = after === null ? tip.position : after.position - 1;
  const count = Math.max(0, Math.min(page.limit, mostOfPage, from + 1));
  const shas = Array.from({ length: count }, (_, step) => tip.line.sha(from - step));
  const read = await commits.read(shas);
  const list = shas.map((each) => commits.told(read, each));
  return told({ branch, commits: list, next: from - count >= 0 ? (shas.at(-1) ?? null) : null });
}

/** For each commit: whether `sha` is in its history; null where one of both is not there. */
export async function contain(
  opened: Opened,
  sha: string,
  commits: readonly string[],
): Promise<Answered<readonly (boolean | null)[]>> {
  const pairs = commits.slice(0, mostAsked.commits).map((commit) => ({ sha, commit }));
  return told(await contained(opened, pairs));
}

/** For each pair: whether the branch holds the commit now; null where one of both is not there. */
export async function onBranch(
  opened: Opened,
  pairs: readonly { readonly sha: string; readonly branch: string }[],
): Promise<Answered<readonly (boolean | null)[]>> {
  const asked = pairs.slice(0, mostAsked.ranges);
  const tips = asked.map(({ sha, branch }) => ({ sha, commit: opened.branches.get(branch) ?? '' }));
  return told(await contained(opened, tips));
}

async function contained(
  opened: Opened,
  pairs: readonly { readonly sha: string; readonly commit: string }[],
): Promise<readonly (boolean | null)[]> {
  const adder = await createAdder(
    opened,
    pairs.flatMap(({ sha, commit }) => [sha, commit]),
  );
  const arrival = opened.ancestry.ask();
  const answers: (boolean | null)[] = [];
  for (const { sha, commit } of pairs) {
    const place = adder.holds(sha) ? await adder.place(commit) : 'no-such-commit';
    if (typeof place === 'string') answers.push(null);
    else if (sha === commit) answers.push(true);
    else answers.push(await arrival(sha, place).then((position) => position !== null, notKnown));
  }
  return answers;
}

function notKnown(error: unknown): null {
  if (error instanceof Unreadable) return null;
  throw error;
}

/** Files that a commit changes against its first parent. */
export async function filesOf({ objects, commits }: Opened, sha: string): Promise<Answered<CommitFiles>> {
  const commit = (await commits.read([sha].filter((each) => wholeHash.test(each)))).get(sha);
  if (commit === undefined) return notTold(unknownPoint('no-such-commit'));
  const [parent] = commit.parents;
  const files: CommitFiles['files'] = [];
  let count = 0;
  const note = (path: string, change: CommitFiles['files'][number]['change']): void => {
    count += 1;
    if (files.length < mostFiles) files.push({ path: pathForPeople(path), change });
  };
  if (parent === undefined) {
    await objects.eachEntry(sha, true, ({ path }) => note(path, 'added'));
    return told({ files, count });
  }
  const reader = readRawChanges({
    onCommit: () => undefined,
    onChange: ({ path, status }) => note(path, changeOf(status)),
  });
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', '--end-of-options', parent, sha];
  await objects.run(args, { onOutput: (piece) => reader.take(piece) });
  return told({ files, count });
}

function changeOf(status: string): CommitFiles['files'][number]['change'] {
  switch (status) {
    case 'A':
      return 'added';
    case 'D':
      return 'removed';
    case 'T':
      return 'type-changed';
    default:
      return 'modified';
  }
}
