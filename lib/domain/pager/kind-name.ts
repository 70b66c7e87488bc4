/**
 * Tests if a kind is the one that a pager names: as it is, in lower case, in the plural of its resource, or with its group behind
 * ("helmreleases.helm.toolkit.fluxcd.io").
 */
export function kindTest(named: string): (kind: { readonly group: string; readonly kind: string }) => boolean {
  const word = named.toLowerCase();
  const cut = word.indexOf('.');
  const [plain, ofGroup] = cut === -1 ? [word, null] : [word.slice(0, cut), word.slice(cut + 1)];
  const answers = new Map<string, boolean>();
  const isNamed = (kind: string): boolean => kindWords(kind).includes(plain);
  return ({ group, kind }) => {
    // Of kinds there are few and of objects many.
    const found = answers.get(kind) ?? isNamed(kind);
    if (answers.size < 10_000) answers.set(kind, found);
    return found && (ofGroup === null || ofGroup === group);
  };
}

/** Words in lower case by which labels name a kind: its own, and the plural of its resource. */
export function kindWords(kind: string): readonly [string, string] {
  const lower = kind.toLowerCase();
  return [lower, plural(lower)];
}

/** The resource of a kind in lower case, as Kubernetes' tools form it. */
function plural(kind: string): string {
  if (/(?:s|x|ch|sh)$/.test(kind)) return `${kind}es`;
  return /[^aeiou]y$/.test(kind) ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}
