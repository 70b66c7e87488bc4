import type { BuildPath } from '#lib/domain/commit/build-path.ts';
import type { GitRange } from './git-reader.ts';

/** Characters of what one question is about. A larger one is not read: who says much beside a path would make everybody's answers untold. */
const charactersAtOnce = 1_000_000;

/** Cuts what is asked about into pieces of at most `most`, each of a size (characters) that one question may have; one empty piece of nothing. */
export function piecesOf<Item>(
  items: readonly Item[],
  most: number,
  sizeOf: (item: Item) => number,
): readonly (readonly Item[])[] {
  let piece: Item[] = [];
  let size = 0;
  const pieces = [piece];
  for (const item of items) {
    const own = sizeOf(item);
    if (piece.length > 0 && (piece.length >= most || size + own > charactersAtOnce)) {
      pieces.push((piece = []));
      size = 0;
    }
    piece.push(item);
    size += own;
  }
  return pieces;
}

/** Characters of the path of a range with what is said beside it. */
export function sizeOfRange({ path }: GitRange): number {
  return path === null ? 0 : sizeOfBuild(path);
}

/** Characters of a path with what is said beside it. */
export function sizeOfBuild(build: BuildPath): number {
  if (typeof build === 'string') return build.length;
  const { path, components, ignore, sparse } = build;
  const listed = [...components, ...(sparse ?? [])].reduce((sum, { length }) => sum + length, 0);
  return path.length + (ignore ?? '').length + listed;
}
