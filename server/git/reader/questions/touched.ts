import type { Between, GitCommit, Touch } from '../../port/shapes.ts';
import type { BuildPath } from '#lib/domain/commit/build-path.ts';
import type { Closure } from '../closure/closure.ts';
import type { Line } from '../index/line.ts';
import type { Opened } from '../opened.ts';
import { pathForPeople } from '../raw-path.ts';
import type { TouchingOf } from '../ignore/touching.ts';
import type { FoundRange } from './range.ts';

/** A closure and the commits, by position in (after, upTo], for which it holds. */
export interface Stretch {
  readonly closure: Closure;
  readonly after: number;
  readonly upTo: number;
}

/** Commits of a range that touch what is built from. */
export interface Touched {
  readonly range: FoundRange;
  readonly count: number;
  /** Positions, the newest first. */
  readonly newest: readonly number[];
  readonly oldest: number | null;
  /** The path that they touch; null: every file counts. */
  readonly of: { readonly build: BuildPath; readonly stretches: readonly Stretch[] } | null;
}

/** Files that are told of one commit. */
const mostFiles = 20;
/** Characters of the commits that one answer tells, about: beyond it fewer are told of each range. */
const mostCharacters = 12_000_000;
const charactersOfCommit = 600;

/** Reads the commits of an answer, and gives what tells each of it. Rejects with `Unreadable`. */
export async function createTeller(
  opened: Opened,
  touching: TouchingOf,
  all: readonly Touched[],
): Promise<(touched: Touched) => Between> {
  const { commits, index } = opened;
  const paths = new Map<number, string>();
  const touches = new Map<Touched, readonly Omit<Touch, 'commit'>[]>();
  const tooMany = new Set<Touched>();
  for (const each of all) {
    const found: Omit<Touch, 'commit'>[] = [];
    for (const position of each.newest) {
      await touching.rest();
      const files = filesOf(each, position);
      if (files === null) tooMany.add(each);
      else found.push(files);
    }
    touches.set(each, found);
  }
  const most = mostTold([...touches.values()]);
  const read = await commits.read(all.flatMap((each) => shasOf(each, most)));

  function filesOf({ range: { to }, of }: Touched, position: number): Omit<Touch, 'commit'> | null {
    const nodes = of === null ? to.line.changed(position) : touchingFiles(to.line, position, of);
    return nodes === null ? null : { files: nodes.slice(0, mostFiles).map(pathOf), fileCount: nodes.length };
  }

  function touchingFiles(line: Line, position: number, { build, stretches }: NonNullable<Touched['of']>) {
    const files = touching.files({ at: { line, position }, build, closures: closuresAt(stretches, position) });
    return files === null ? null : [...files.sure, ...files.maybe];
  }

  function pathOf(node: number): string {
    const known = paths.get(node) ?? pathForPeople(index.names.path(node));
    paths.set(node, known);
    return known;
  }

  const commitAt = ({ range: { to } }: Touched, position: number): GitCommit =>
    commits.told(read, to.line.sha(position));

  return (touched) => {
    if (tooMany.has(touched)) return { type: 'unknown', why: 'too-many' };
    const { range, count, newest, oldest } = touched;
    const files = touches.get(touched) ?? [];
    const shown = newest.slice(0, most).map((position, number) => ({
      commit: commitAt(touched, position),
      files: files[number]?.files ?? [],
      fileCount: files[number]?.fileCount ?? 0,
    }));
    return {
      type: 'known',
      to: range.to.line.sha(range.to.position),
      commits: range.to.position - range.start,
      touching: shown,
      touchingCount: count,
      oldest: oldest === null || count === 0 ? null : commitAt(touched, oldest),
    };
  };
}

function shasOf({ range: { to }, newest, oldest, count }: Touched, most: number): readonly string[] {
  const positions = newest.slice(0, most);
  return [...positions, ...(oldest === null || count === 0 ? [] : [oldest])].map((position) => to.line.sha(position));
}

/** At the end of a stretch the next one counts as well: the commit brought it. */
export function closuresAt(stretches: readonly Stretch[], position: number): readonly Closure[] {
  return stretches
    .filter(({ after, upTo }) => (after < position && position <= upTo) || after === position)
    .map(({ closure }) => closure);
}

function mostTold(all: readonly (readonly Omit<Touch, 'commit'>[])[]): number {
  for (const most of [20, 10, 5, 3, 2]) {
    let size = 0;
    for (const each of all) {
      for (const { files } of each.slice(0, most)) {
        size += charactersOfCommit + files.reduce((sum, { length }) => sum + length, 0);
      }
    }
    if (size <= mostCharacters) return most;
  }
  return 1;
}
