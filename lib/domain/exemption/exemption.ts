/**
 * Sorts of what weakens the guarantee, by what it takes from the sentence, worst first. A "sort" is one heading of the list:
 * - `not-applied`: what is in git does not reach the object
 * - `drift-stays`: a difference may stand unseen or is left in place
 * - `removal`: removing or replacing does something else than git says
 * - `not-in-git`: git alone does not say what runs
 * - `not-proven`: a good word proves less than it seems to
 */
export const exemptionSorts = ['not-applied', 'drift-stays', 'removal', 'not-in-git', 'not-proven'] as const;
export type ExemptionSort = (typeof exemptionSorts)[number];

/**
 * Anything declared or found on an object that weakens the guarantee for it, each with its sort, in the order of the list.
 * docs/exemptions.md.
 */
const sorts = {
  suspended: 'not-applied',
  'reconcile-disabled': 'not-applied',
  'observe-only': 'not-applied',
  'management-restricted': 'not-applied',
  'apply-restricted': 'not-applied',
  'drift-detection-disabled': 'drift-stays',
  'drift-not-undone': 'drift-stays',
  'drift-ignored': 'drift-stays',
  'rare-passes': 'drift-stays',
  'prune-disabled': 'removal',
  'deletion-orphans': 'removal',
  'deletion-deletes': 'removal',
  recreates: 'removal',
  'rendered-on-cluster': 'not-in-git',
  'external-substitution': 'not-in-git',
  'optional-substitution': 'not-in-git',
  'missing-tolerated': 'not-in-git',
  overridden: 'not-in-git',
  'floating-reference': 'not-in-git',
  'branch-reference': 'not-in-git',
  'files-left-out': 'not-in-git',
  'remote-cluster': 'not-in-git',
  'health-not-checked': 'not-proven',
  'readiness-redefined': 'not-proven',
  'retries-forever': 'not-proven',
  'timeout-exceeds-interval': 'not-proven',
} as const satisfies Readonly<Record<string, ExemptionSort>>;

export type ExemptionKind = keyof typeof sorts;

function isKind(text: string): text is ExemptionKind {
  return Object.hasOwn(sorts, text);
}

/** All kinds in the order of the list. */
export const exemptionKinds: readonly ExemptionKind[] = Object.keys(sorts).filter(isKind);

/** Sort of a kind: what it takes from the sentence. */
export function exemptionSort(kind: ExemptionKind): ExemptionSort {
  return sorts[kind];
}

/** One weakening: what, by which field, in words, and who set it where managedFields tell. */
export interface Exemption {
  readonly kind: ExemptionKind;
  /** The field that does it, e.g. spec.prune */
  readonly field: string;
  /** Meaning, a short clause for people: "what is removed from git stays" */
  readonly meaning: string;
  /** The field manager; null where nobody set it (a default) or managedFields do not tell. */
  readonly by: string | null;
  /** At the latest when, ms since the epoch: a manager's time moves with any change that it makes. */
  readonly at: number | null;
  /** Number of objects it covers: what its applier has applied; null where it concerns the object itself or that is not known. */
  readonly reach: number | null;
}
