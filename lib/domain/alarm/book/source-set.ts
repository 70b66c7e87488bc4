import { compareText } from '../../observation/compare-text.ts';
import type { AlarmFact } from '../fact.ts';
import { isBelieved, type AlarmSource } from '../source.ts';
import { isWell } from './well-rule.ts';
import { sourceBook, type SourceBook, type Touched, type WrittenBook } from './source-book.ts';

/** The books of all sources, with a stamp for each cluster. */
export interface SourceSet {
  rename(source: AlarmSource): void;
  put(source: string, fact: AlarmFact): void;
  /** Takes out the fact of a key (`factKey`). */
  remove(source: string, key: string): void;
  drop(source: string): void;
  clear(): void;
  /** By name. */
  books(): readonly SourceBook[];
  /** Those that speak for a cluster. */
  covering(cluster: string): readonly SourceBook[];
  /** Another number whenever what is told of a cluster may be another; never used twice. */
  stamp(cluster: string, now: number): number;
}

interface Kept {
  readonly book: WrittenBook;
  /** Stamp of what was told of all that the source covers: thousands of facts are of all clusters at once, and a source may name thousands of clusters. */
  ofAll: number;
  /** Standing when it was last looked at: a 1 or a 0 for each program that is believed or not, and the rules that are not evaluated in time. */
  believed: string;
  /** Next time (ms) at which what a program told is believed no longer; 0 where something was told since. */
  until: number;
}

/** Most clusters whose stamps are kept apart: alerts may name ever new ones, of which nobody asks. */
const mostStamps = 20_000;

/** Makes an empty one. */
export function sourceSet(): SourceSet {
  const sources = new Map<string, Kept>();
  const stamps = new Map<string, number>();
  let everyone = 0;
  let stamp = 0;

  function touch(touched: Touched, kept: Kept): void {
    kept.until = 0;
    if (touched === 'all') kept.ofAll = ++stamp;
    else for (const cluster of touched) stamps.set(cluster, ++stamp);
    if (stamps.size <= mostStamps) return;
    stamps.clear();
    everyone = ++stamp;
  }

  /** Time alone changes what is believed, and a reading which rules are late. */
  function look(now: number): void {
    for (const kept of sources.values()) {
      if (now < kept.until) continue;
      const believed = believedText(kept.book, now);
      if (believed !== kept.believed) touch('all', kept);
      kept.believed = believed;
      kept.until = nextTurn(kept.book, now);
    }
  }

  /** By name, until a source comes, goes or is made anew: every object that is away asks for them. */
  let sorted: readonly WrittenBook[] | null = null;
  const books = (): readonly WrittenBook[] =>
    (sorted ??= Array.from(sources.values(), ({ book }) => book).toSorted((a, b) =>
      compareText(a.source().name, b.source().name),
    ));

  return {
    rename(source) {
      sorted = null;
      const before = sources.get(source.name)?.book.source() ?? null;
      const kept = renamed(sources, source);
      if (kept === null) return;
      // One that names its clusters and fails tells nothing of others; else who covers what may be another by this.
      if (source.attribution.clusters.length > 0 && !isAttributedElse(before, source)) touch('all', kept);
      else everyone = ++stamp;
    },
    put(source, fact) {
      const kept = sources.get(source);
      if (kept !== undefined) touch(kept.book.put(fact), kept);
    },
    remove(source, key) {
      const kept = sources.get(source);
      if (kept !== undefined) touch(kept.book.remove(key), kept);
    },
    drop(source) {
      sorted = null;
      if (sources.delete(source)) everyone = ++stamp;
    },
    clear() {
      sorted = null;
      sources.clear();
      everyone = ++stamp;
    },
    books,
    covering: (cluster) => books().filter((book) => book.covers(cluster)),
    stamp(cluster, now) {
      look(now);
      let found = Math.max(everyone, stamps.get(cluster) ?? 0);
      for (const { book, ofAll } of sources.values()) if (ofAll > found && book.covers(cluster)) found = ofAll;
      return found;
    },
  };
}

/** Takes the record of a source; null where it says nothing else than before. */
function renamed(sources: Map<string, Kept>, source: AlarmSource): Kept | null {
  const found = sources.get(source.name);
  const before = found?.book.source() ?? null;
  const kept = found === undefined || isAttributedElse(before, source) ? remade(found, source) : found;
  sources.set(source.name, kept);
  kept.book.rename(source);
  kept.until = 0;
  return before === null || isOther(before, source) ? kept : null;
}

/** A book in which every alert is attributed as the source says now. */
function remade(before: Kept | undefined, source: AlarmSource): Kept {
  const book = sourceBook(source);
  for (const fact of before?.book.facts() ?? []) book.put(fact);
  return { book, ofAll: before?.ofAll ?? 0, believed: '', until: 0 };
}

function isAttributedElse(before: AlarmSource | null, { attribution }: AlarmSource): boolean {
  return JSON.stringify(before?.attribution) !== JSON.stringify(attribution);
}

function believedText(book: WrittenBook, now: number): string {
  const programs = book.source().programs.map((program) => (isBelieved(program, now) ? '1' : '0'));
  const unwell = Array.from(book.rules.reading())
    .filter((rule) => !isWell(rule, book))
    .map(({ key }) => key);
  return JSON.stringify([programs, unwell]);
}

/** Next time after `now` (ms) at which what a program told is believed no longer. */
function nextTurn(book: WrittenBook, now: number): number {
  const times = book.source().programs.map(({ validUntil }) => validUntil);
  return times.reduce((next, time) => (time > now ? Math.min(next, time) : next), Infinity);
}

/** Tests if a record of a source says something else than before, but for times that each reading renews. */
function isOther(before: AlarmSource, after: AlarmSource): boolean {
  const said = ({ attribution, programs, cut }: AlarmSource): string =>
    JSON.stringify([attribution, cut, programs.map(({ program, url, state }) => [program, url, state])]);
  return said(before) !== said(after);
}
