/**
 * Why an object builds from more than git is asked about: that a commit does not touch its path then says nothing of it.
 * - unknown-components: a Kustomization has spec.components, and they are not known
 * - other-sources: its source includes other sources (spec.include)
 */
export const beyonds = ['unknown-components', 'other-sources'] as const;
export type Beyond = (typeof beyonds)[number];

/** The same in a few words. */
export function beyondText(why: Beyond): string {
  switch (why) {
    case 'unknown-components':
      return 'it builds from spec.components too, which are not known';
    case 'other-sources':
      return 'its source includes other sources, which are not looked at';
  }
}
