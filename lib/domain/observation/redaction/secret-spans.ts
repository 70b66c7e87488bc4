import { addresses } from './addresses.ts';
import { commandLines } from './command-lines.ts';
import { headers } from './headers.ts';
import { knownShapes } from './known-shapes.ts';
import { longRuns } from './long-runs.ts';
import { manifests } from './manifests.ts';
import { namedValues } from './named-values.ts';
import type { Finder, Span } from './span.ts';
import { viewsOf } from './views.ts';
import { createWordSearch } from './word-search.ts';

const finders: readonly Finder[] = [
  ...addresses,
  ...headers,
  ...namedValues,
  ...commandLines,
  ...manifests,
  ...knownShapes,
  ...longRuns,
];
const always = finders.filter(({ words }) => words.length === 0);
const search = createWordSearch(finders.map(({ words }) => words));

/** Where the secrets of a text are, those within escapes included, in any order; spans may overlap. */
export function secretSpans(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const view of viewsOf(text)) {
    for (const finder of askedOf(view.text)) {
      for (const { from, to, instead } of finder.find(view.text)) {
        spans.push({ from: view.original(from), to: view.original(to), instead });
      }
    }
  }
  return spans;
}

function askedOf(text: string): readonly Finder[] {
  const found = search(text);
  return found.size === 0 ? always : [...always, ...finders.filter((_, index) => found.has(index))];
}
