import type { ClusterScope } from '#lib/api/cluster.ts';
import type { WireObject } from '#lib/api/object.ts';
import { verdicts, type Verdict } from '#lib/domain/verdict/verdict.ts';
import { formatCount } from '#lib/format/number.ts';
import { addressTexts, type AddressParams } from '../queries/address-texts.ts';

/** The filter of a cluster's table, as it stands in the URL: '' for any. */
export interface ClusterFilter extends ClusterScope {
  readonly verdict: string;
}

/** Scope asked for by the parameters of the page's address; one that is given twice counts for nothing. */
export function clusterScopeFrom(search: AddressParams): ClusterScope {
  return addressTexts(['kind', 'namespace', 'q'], search);
}

/** The verdicts that are named; empty for all. */
export function namedVerdicts(text: string): readonly Verdict[] {
  const named = new Set(text.split(','));
  return verdicts.filter((verdict) => named.has(verdict));
}

/** Number of objects of each verdict. */
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
export function foldedText(folded: readonly WireObject[]): string {
  const counts = countVerdicts(folded);
  return verdicts
    .filter((verdict) => counts[verdict] !== undefined)
    .map((verdict) => `${formatCount(counts[verdict] ?? 0)} ${verdict}`)
    .join(', ');
}
