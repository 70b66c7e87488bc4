import { LRUCache } from 'lru-cache';
import type { CommitIndex } from '../index/commit-index.ts';
import type { Line } from '../index/line.ts';
import { Unreadable, type ObjectReader } from '../objects.ts';
import { type Asked, type Closure, findClosure, type FoundClosure } from './closure.ts';
import { largestKustomization, readKustomization, type Kustomization } from './kustomization.ts';
import { lastTurn, nextTurn } from './watch.ts';

/** A closure and the positions of a line for which it is known to hold. */
interface Stretch {
  readonly closure: Closure;
  readonly from: number;
  to: number;
  /** At the position behind `to` it may be another one. */
  ended: boolean;
}

/** Nodes of closures that are kept of one repository. */
const mostNodes = 4_000_000;
/** Kustomization files that are kept of all: pieces of their names, of so many characters. */
const mostPieces = 500_000;
const pieceOfName = 32;
/** Bytes of kustomization files that one question reads, and how many of them before others get their turn. */
const mostRead = 16 * 1024 * 1024;
const slice = 32 * 1024;
/** Nodes of the closures of one question, and nodes that are looked at for them: of all beyond them nothing is told. */
const mostKept = 2_000_000;
const mostLooked = 6_000_000;
/** Of those that are looked at before files are read that they need. */
const mostOfRound = 100_000;
/** Closures that are looked for before others get their turn: the largest takes some 10 ms. */
const looksOfTurn = 5;
/** Kustomizations that name each other deeper than this are not followed. */
const deepest = 100;

/** Closures of paths. */
export interface ClosureBook {
  /** Closures of what is asked; 'too-many' in place of one that is too large. Rejects with `Unreadable`. */
  find(asked: readonly Asked[]): Promise<readonly (Closure | 'too-many')[]>;
  /** Memory that it takes, in bytes and about. */
  weight(): number;
}

/** Kustomization files by their blob: the same in every repository. */
const kustomizations = new LRUCache<string, Kustomization>({ maxSize: mostPieces, sizeCalculation: piecesOf });

/** A book over an index. */
export function createClosureBook(index: CommitIndex, objects: ObjectReader): ClosureBook {
  const stretches = new LRUCache<string, Stretch[]>({ maxSize: mostNodes, sizeCalculation: sizeOf });
  function known(asked: Asked): Closure | null {
    const { at } = asked;
    for (const stretch of stretches.get(keyOf(asked)) ?? []) {
      if (at.position < stretch.from) continue;
      if (at.position > stretch.to && !stretch.ended) goOn(index, at.line, stretch);
      if (at.position <= stretch.to) return stretch.closure;
    }
    return null;
  }

  function keep(asked: Asked, closure: Closure): void {
    const { at } = asked;
    const from = lastTurn(index, at, closure);
    const stretch = { closure, from, to: at.position, ended: false };
    goOn(index, at.line, stretch);
    const key = keyOf(asked);
    stretches.set(key, [...(stretches.get(key) ?? []).slice(-50), stretch]);
  }

  /** Blobs that are too large, or no blobs, are unreadable. Reads at most `most` bytes, and gives how many it has read. */
  async function read(blobs: ReadonlySet<string>, into: Map<string, Kustomization>, most: number): Promise<number> {
    const contents = await objects.contents([...blobs], largestKustomization, most);
    const size = [...contents.values()].reduce((sum, { length }) => sum + length, 0);
    if (contents.size < blobs.size && size > most - largestKustomization) throw new Unreadable('too-many');
    let sinceTurn = 0;
    for (const blob of blobs) {
      const bytes = contents.get(blob);
      const content: Kustomization = bytes === undefined ? { type: 'unreadable' } : readKustomization(bytes);
      kustomizations.set(blob, content);
      into.set(blob, content);
      sinceTurn += bytes?.length ?? 0;
      if (sinceTurn < slice) continue;
      sinceTurn = 0;
      await new Promise((resolve) => void setImmediate(resolve));
    }
    return size;
  }

  function look(
    asked: Asked,
    parsed: (blob: string) => Kustomization | undefined,
  ): Closure | 'too-many' | Extract<FoundClosure, { type: 'needs' }> {
    const before = known(asked);
    if (before !== null) return before;
    try {
      const found = findClosure(index, asked, parsed);
      if (found.type === 'needs') return found;
      keep(asked, found.closure);
      return found.closure;
    } catch (error) {
      if (error instanceof Unreadable) return 'too-many';
      throw error;
    }
  }

  return {
    find: (asked) => findEach(asked, look, read),
    weight: () => stretches.calculatedSize * 8,
  };
}

type Parsed = (blob: string) => Kustomization | undefined;

/** Looks for closures in rounds: between them the files are read that they need. */
async function findEach(
  asked: readonly Asked[],
  look: (asked: Asked, parsed: Parsed) => Closure | 'too-many' | Extract<FoundClosure, { type: 'needs' }>,
  read: (blobs: ReadonlySet<string>, into: Map<string, Kustomization>, most: number) => Promise<number>,
): Promise<readonly (Closure | 'too-many')[]> {
  const found = new Map<number, Closure | 'too-many'>();
  const own = new Map<string, Kustomization>();
  const parsed = (blob: string): Kustomization | undefined => own.get(blob) ?? kustomizations.get(blob);
  let [left, looks, kept, looked] = [mostRead, 0, 0, 0];
  for (let depth = 0; found.size < asked.length && depth < deepest; depth += 1) {
    const needs = new Set<string>();
    const before = looked;
    for (const [number, each] of asked.entries()) {
      if (found.has(number)) continue;
      const isOver = kept > mostKept || looked > mostLooked;
      const result = isOver ? 'too-many' : look(each, parsed);
      if (result === 'too-many' || 'whole' in result) found.set(number, result);
      else for (const blob of result.blobs) needs.add(blob);
      if (result === 'too-many') continue;
      looked += 'whole' in result ? nodesOf(result) : result.nodes;
      kept += 'whole' in result ? nodesOf(result) : 0;
      if ((looks += 1) % looksOfTurn === 0) await new Promise((resolve) => void setImmediate(resolve));
      // What all of these need is read before more is looked for.
      if (needs.size > 0 && looked - before > mostOfRound) break;
    }
    if (needs.size > 0) left -= await read(needs, own, left);
  }
  return asked.map((_, number) => found.get(number) ?? 'too-many');
}

function keyOf({ at, path, components }: Asked): string {
  return `${at.line.id} ${components.length === 0 ? path : JSON.stringify([path, components])}`;
}

/** Looks as far as the line is known now. */
function goOn(index: CommitIndex, line: Line, stretch: Stretch): void {
  const upTo = line.last();
  const turn = nextTurn(index, line, stretch.closure, { after: stretch.to, upTo });
  stretch.to = turn < 0 ? upTo : turn - 1;
  stretch.ended = turn >= 0;
}

function piecesOf(content: Kustomization): number {
  const names = content.type === 'read' ? [...content.named, ...content.charts] : [];
  return names.reduce((sum, { length }) => sum + 1 + Math.ceil(length / pieceOfName), 4);
}

function sizeOf(list: readonly Stretch[]): number {
  return list.reduce((sum, { closure }) => sum + nodesOf(closure), 1);
}

function nodesOf({ whole, files, built }: Closure): number {
  return 8 + whole.length + files.length + built.length;
}
