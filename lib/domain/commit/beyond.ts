/**
 * Why an object builds from something else than git is asked about: that a commit does not touch its path then says nothing of it.
 * - unknown-components: a Kustomization has spec.components, and they are not known
 * - other-sources: its source includes other sources (spec.include)
 * - sparse-source: its source holds some directories only (spec.sparseCheckout), its path perhaps not among them
 */
export const beyonds = ['unknown-components', 'other-sources', 'sparse-source'] as const;
export type Beyond = (typeof beyonds)[number];

/** The same in a few words. */
export function beyondText(why: Beyond): string {
  switch (why) {
    case 'unknown-components':
      return 'it builds from spec.components too, which are not known';
    case 'other-sources':
      return 'its source includes other sources, which are not looked at';
    case 'sparse-source':
      return 'its source holds some directories only (spec.sparseCheckout), and it is not known that its path is among them';
  }
}
