import type { ViewScope } from '#lib/domain/access/scope.ts';
import type { EmbedScope } from '#lib/domain/matrix/embed-scope.ts';
import type { Sight } from './sight.ts';

/**
 * True if all that a link shows lies in a view, and will: it is answered by the whole fleet, to whoever has it. A column stands on any cluster, so that
 * who does not see the whole fleet signs none.
 */
export function isSignable(embed: EmbedScope, scope: Extract<ViewScope, { type: 'grants' }>, sight: Sight): boolean {
  switch (embed.type) {
    case 'fleet':
      return holdsLabel(scope, null);
    case 'label':
      return holdsLabel(scope, embed);
    case 'cluster':
      return sight.granted(embed.cluster) === 'all';
    case 'column':
      return holdsLabel(scope, null);
    case 'object':
      return sight.sees(embed.ref);
    case 'figure':
      return isSignable(embed.of, scope, sight);
  }
}

/** True if a grant holds all of every cluster that carries a label (null: of any), also of those that come later. */
function holdsLabel(
  { grants }: Extract<ViewScope, { type: 'grants' }>,
  label: { readonly key: string; readonly value: string } | null,
): boolean {
  return grants.some(
    ({ clusters, labels, namespaces }) =>
      clusters === null &&
      namespaces === null &&
      Object.entries(labels).every(([key, value]) => label !== null && key === label.key && value === label.value),
  );
}
