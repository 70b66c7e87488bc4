import { compareText } from '../../observation/compare-text.ts';
import type { ObjectRef } from '../../observation/ref.ts';
import type { SourceBook } from '../book/source-book.ts';
import type { RuleFact } from '../fact.ts';
import { isBelieved } from '../source.ts';

/** A rule by its name and that of its alarm source. */
export interface NamedRule {
  readonly source: string;
  readonly name: string;
}

/** One as the source has it loaded. */
export interface LoadedRule extends NamedRule {
  /** When an alert of it fired last, as far as Plumbline saw (ms); null for never. */
  readonly firedAt: number | null;
}

/** Rules that are loaded and read objects, by source and name; rules of one name are one. */
export interface LoadedRules {
  readonly rules: readonly LoadedRule[];
  /** Names of sources that evaluate rules, and whose rules are not known now. */
  readonly unread: readonly string[];
}

/**
 * Rules of some sources that are loaded at `now` (ms) and whose scopes hold an object of one of the clusters; null where no source evaluates
 * rules.
 */
export function loadedRules(
  books: readonly SourceBook[],
  clusters: ReadonlySet<string>,
  now: number,
): LoadedRules | null {
  const evaluating = books.filter((book) => book.source().programs.some(({ program }) => program === 'prometheus'));
  if (evaluating.length === 0) return null;
  const [known, unread] = [true, false].map((wanted) => evaluating.filter((book) => areKnown(book, now) === wanted));
  return {
    rules: (known ?? []).flatMap((book) => rulesOf(book, clusters)),
    unread: (unread ?? []).map((book) => book.source().name),
  };
}

/** Rules of some sources whose scopes hold any of these objects; rules of one name are one. */
export function rulesReading(books: readonly SourceBook[], objects: Iterable<ObjectRef>): readonly NamedRule[] {
  const refs = [...objects];
  return books.flatMap((book) => {
    const held = scopesHolding(book, refs);
    const reading = [...book.rules.reading()].filter(({ selectors }) => readsAny(selectors, held));
    return [...new Set(reading.map(({ name }) => name))].map((name) => ({ source: book.source().name, name }));
  });
}

/** Scopes of a source that hold any of these objects. */
function scopesHolding({ scopes }: SourceBook, refs: readonly ObjectRef[]): ReadonlySet<string> {
  const held = new Set<string>();
  const open = new Set(Array.from(scopes.standings(), ({ key }) => key));
  for (const ref of refs)
    for (const scope of open)
      if (scopes.holds(scope, ref) === true) {
        held.add(scope);
        open.delete(scope);
      }
  return held;
}

function readsAny(selectors: RuleFact['selectors'], scopes: ReadonlySet<string>): boolean {
  return (selectors ?? []).some(({ scope }) => scopes.has(scope));
}

function areKnown(book: SourceBook, now: number): boolean {
  return book.source().programs.every((standing) => standing.program !== 'prometheus' || isBelieved(standing, now));
}

function rulesOf(book: SourceBook, clusters: ReadonlySet<string>): readonly LoadedRule[] {
  const held = scopesHeld(book, clusters);
  const reading = [...book.rules.reading()].filter(({ selectors }) => readsAny(selectors, held));
  return Array.from(
    Map.groupBy(reading, ({ name }) => name),
    ([name, of]) => ({
      source: book.source().name,
      name,
      firedAt: lastFired(of),
    }),
  ).toSorted((a, b) => compareText(a.name, b.name));
}

/** Scopes of a source that hold an object of one of the clusters. */
function scopesHeld(book: SourceBook, clusters: ReadonlySet<string>): ReadonlySet<string> {
  const held = new Set<string>();
  for (const cluster of clusters)
    for (const { scope, objects } of book.scopes.on(cluster))
      if (Object.values(objects).some(({ length }) => length > 0)) held.add(scope);
  return held;
}

function lastFired(rules: readonly RuleFact[]): number | null {
  return rules.reduce<number | null>(
    (last, { firedAt }) => (firedAt === null ? last : Math.max(last ?? firedAt, firedAt)),
    null,
  );
}
