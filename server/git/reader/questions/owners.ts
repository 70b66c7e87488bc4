import { mostAsked } from '../../port/git-reader.ts';
import type { GitPoint } from '../../port/shapes.ts';
import { notTold, told, type Answered } from '../answered.ts';
import { noNode } from '../index/name-tree.ts';
import { ownerFileOf, type OwnersOf } from '../owners/code-owners.ts';
import { Unreadable } from '../objects.ts';
import { placeOf, unknownPoint, type Opened } from '../opened.ts';
import { askedPath } from '../raw-path.ts';

/** A larger file is not read (bytes), as on the hosts. */
const largest = 1024 * 1024;
/** Steps of looking at one path, and at all of a question: beyond it owners are not told. */
const mostSteps = { path: 20_000_000, all: 200_000_000 };
/** Steps before others get their turn. */
const slice = 2_000_000;

/** Owners of each path, a file or a directory, by the CODEOWNERS of the host; none where nobody owns it or the host is not known. */
export async function ownersOf(
  opened: Opened,
  point: GitPoint,
  paths: readonly string[],
): Promise<Answered<readonly (readonly string[])[]>> {
  const at = await placeOf(opened, point);
  if (typeof at === 'string') return notTold(unknownPoint(at));
  const { index } = opened;
  const owners = await readOwners(opened, at.line.sha(at.position));
  const found: (readonly string[])[] = [];
  const steps = { path: 0, all: 0, turn: 0 };
  const spend = (more: number): void => {
    steps.path += more;
    steps.all += more;
    if (steps.path > mostSteps.path || steps.all > mostSteps.all) throw new Unreadable('too-many');
  };
  for (const path of paths.slice(0, mostAsked.ranges)) {
    const raw = askedPath(path);
    const node = raw === null ? noNode : index.names.find(raw);
    const isDirectory = node !== noNode && at.line.directories.state(node, at.position) > 0;
    steps.path = 0;
    found.push(raw === null ? [] : owners(textOf(raw, isDirectory), spend));
    if (steps.all - steps.turn < slice) continue;
    steps.turn = steps.all;
    await new Promise((resolve) => void setImmediate(resolve));
  }
  return told(found);
}

/** A directory is owned by whoever owns a file in it that no pattern names. */
function textOf(raw: string, isDirectory: boolean): string {
  const path = Buffer.from(raw, 'latin1').toString('utf8');
  if (!isDirectory) return path;
  return path === '' ? '\u0001' : `${path}/\u0001`;
}

async function readOwners({ host, objects }: Opened, commit: string): Promise<OwnersOf> {
  const file = host === null ? null : ownerFileOf(host);
  for (const place of file?.places ?? []) {
    const entry = await objects.entryAt(commit, place);
    if (entry === null || file === null || !entry.mode.startsWith('100')) continue;
    const bytes = (await objects.contents([entry.id], largest, largest)).get(entry.id);
    return bytes === undefined ? () => [] : file.read(bytes.toString('utf8'));
  }
  return () => [];
}
