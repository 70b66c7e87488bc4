import type { GitPlace } from '../../port/git-reader.ts';
import type { ComparedFile, Comparison, GitCommit } from '../../port/shapes.ts';
import { notTold, told, type Answered } from '../answered.ts';
import type { ObjectReader, TreeEntry } from '../objects.ts';
import { shaOf, unknownPoint, type Opened } from '../opened.ts';
import { askedPath, pathForPeople } from '../raw-path.ts';
import { isText, largestShown } from './content.ts';

/** Files that are told. */
const mostFiles = 2_000;
/** Bytes that are read to tell text from what is none; of a file beyond it, it is not told that it is text. */
const mostRead = 64 * 1024 * 1024;

interface Side {
  readonly commit: GitCommit;
  readonly path: string;
  readonly exists: boolean;
  readonly files: ReadonlyMap<string, TreeEntry>;
}

interface Pair {
  readonly path: string;
  readonly status: ComparedFile['status'];
  readonly entries: readonly TreeEntry[];
}

/** Two directories, file by file. Of more than 2,000 files those that differ are told first. */
export async function compareTrees(opened: Opened, left: GitPlace, right: GitPlace): Promise<Answered<Comparison>> {
  const [one, other] = [await sideOf(opened, left), await sideOf(opened, right)];
  if (typeof one === 'string') return notTold(one);
  if (typeof other === 'string') return notTold(other);
  const counts = { equal: 0, different: 0, leftOnly: 0, rightOnly: 0 };
  const pairs = [...new Set([...one.files.keys(), ...other.files.keys()])].map((path): Pair => {
    const [mine, yours] = [one.files.get(path), other.files.get(path)];
    const entries = [mine, yours].filter((entry) => entry !== undefined);
    return { path, status: statusOf(mine, yours), entries };
  });
  for (const { status } of pairs) counts[countOf(status)] += 1;
  const first = pairs.toSorted((a, b) => Number(a.status === 'equal') - Number(b.status === 'equal') || byPath(a, b));
  const shown = first.slice(0, mostFiles).sort(byPath);
  const contents = await contentTypes(opened.objects, shown);
  const files = shown.map(({ path, status }, index) => ({
    path: pathForPeople(path),
    status,
    content: contents[index] ?? 'too-large',
  }));
  return told({ left: toldSide(one), right: toldSide(other), files, counts });
}

/** Raw paths, byte by byte. */
function byPath(a: Pair, b: Pair): number {
  return a.path < b.path ? -1 : Number(a.path > b.path);
}

async function sideOf(opened: Opened, { at, path }: GitPlace): Promise<Side | string> {
  const { objects, commits } = opened;
  const sha = shaOf(opened, at);
  const raw = askedPath(path);
  if (sha === null) return unknownPoint('no-such-branch');
  if (raw === null) return 'This path leads out of the repository.';
  const read = (await commits.read([sha])).get(sha);
  if (read === undefined) return unknownPoint('no-such-commit');
  const tree = await objects.treeAt(sha, raw);
  const entries = tree === null ? [] : await objects.filesBeneath(tree);
  const files = new Map(entries.map((entry) => [entry.path, entry]));
  return { commit: commits.withTags(read), path: pathForPeople(raw), exists: tree !== null, files };
}

function toldSide({ commit, path, exists }: Side): Comparison['left'] {
  return { commit, path, exists };
}

function statusOf(left: TreeEntry | undefined, right: TreeEntry | undefined): ComparedFile['status'] {
  if (left === undefined) return 'right-only';
  if (right === undefined) return 'left-only';
  return left.id === right.id && left.mode === right.mode ? 'equal' : 'different';
}

function countOf(status: ComparedFile['status']): keyof Comparison['counts'] {
  switch (status) {
    case 'left-only':
      return 'leftOnly';
    case 'right-only':
      return 'rightOnly';
    case 'equal':
    case 'different':
      return status;
  }
}

async function contentTypes(
  objects: ObjectReader,
  pairs: readonly Pair[],
): Promise<readonly ComparedFile['content'][]> {
  const blobs = pairs.flatMap(({ entries }) => entries.filter(({ type }) => type === 'blob').map(({ id }) => id));
  const contents = await objects.contents(blobs, largestShown, mostRead);
  const text = new Map([...contents].map(([id, bytes]) => [id, isText(bytes)]));
  return pairs.map(({ entries }) => {
    if (entries.some(({ type }) => type === 'commit')) return 'submodule';
    if (entries.some(({ mode }) => mode === '120000')) return 'link';
    if (entries.some(({ id }) => text.get(id) === undefined)) return 'too-large';
    return entries.every(({ id }) => text.get(id) === true) ? 'text' : 'binary';
  });
}
