import type { WireSaid } from '#lib/api/object.ts';
import { listPath } from '#lib/api/paths.ts';
import { scopeParams, type Scope } from '#lib/api/scope.ts';
import type { Said } from '#lib/domain/guarantee/guarantee-sentence.ts';
import { cellsFilter, type Tally } from '#lib/domain/guarantee/tally.ts';

/** Pieces of a sentence on the wire: each number of objects leads to the list of these, within the scope that they were counted in. */
export function wireSaid(parts: readonly Said[], tally: Tally, scope: Scope): WireSaid[] {
  return parts.map(({ text, counts }) => {
    if (counts === null) return { text, href: null };
    const asked = counts === 'not-measured' ? { drift: counts } : cellsFilter(tally, counts);
    return { text, href: listPath({ ...scopeParams(scope), ...asked }) };
  });
}
