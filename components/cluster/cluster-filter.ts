import type { WireObject } from '#lib/api/object.ts';
import { verdicts, type Verdict } from '#lib/domain/verdict.ts';
import { formatCount } from '#lib/format/number.ts';

/** The filter of a cluster's table, as it stands in the URL: '' for any. */
export interface ClusterFilter {
  readonly verdict: string;
  readonly kind: string;
  readonly namespace: string;
  readonly q: string;
}

/** The verdicts that are named; empty for all. */
export function namedVerdicts(text: string): readonly Verdict[] {
  const named = new Set(text.split(','));
  return verdicts.filter((verdict) => named.has(verdict));
}

/** The objects that pass everything but the verdict, and those of them that pass it too. */
export function filterObjects(
  objects: readonly WireObject[],
  { verdict, kind, namespace, q }: ClusterFilter,
): { readonly matching: readonly WireObject[]; readonly shown: readonly WireObject[] } {
  const text = q.trim().toLowerCase();
  const wanted = namedVerdicts(verdict);
  const matching = objects.filter(
    (object) =>
      (kind === '' || object.kind === kind) &&
      (namespace === '' || object.namespace === (namespace === '-' ? '' : namespace)) &&
      (text === '' ||
        [object.name, object.namespace, object.kind, object.group, object.reason, object.commit ?? ''].some((part) =>
          part.toLowerCase().includes(text),
        )),
  );
  return {
    matching,
    shown: wanted.length === 0 ? matching : matching.filter((object) => wanted.includes(object.verdict)),
  };
}

/** How many objects have each verdict. */
export function countVerdicts(objects: readonly WireObject[]): Partial<Record<Verdict, number>> {
  const counts: Partial<Record<Verdict, number>> = {};
  for (const { verdict } of objects) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

const quiet: ReadonlySet<Verdict> = new Set(['unconfirmed', 'converged']);
const fewQuiet = 12;

/** Parts the objects into the rows to show and those in order, or only not confirmed, that are folded; a few are not worth folding. */
export function foldQuiet(
  objects: readonly WireObject[],
  fold: boolean,
): { readonly rows: readonly WireObject[]; readonly folded: readonly WireObject[] } {
  const folded = objects.filter(({ verdict }) => quiet.has(verdict));
  if (!fold || folded.length <= fewQuiet) return { rows: objects, folded: [] };
  return { rows: objects.filter(({ verdict }) => !quiet.has(verdict)), folded };
}

/** "66 unconfirmed, 30 converged". */
export function foldedWords(folded: readonly WireObject[]): string {
  const counts = countVerdicts(folded);
  return verdicts
    .filter((verdict) => counts[verdict] !== undefined)
    .map((verdict) => `${formatCount(counts[verdict] ?? 0)} ${verdict}`)
    .join(', ');
}
