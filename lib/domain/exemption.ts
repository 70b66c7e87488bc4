/** Anything declared or found on an object that weakens the guarantee for it. DESIGN.md "Words", facts/flux.md B2 to B4, facts/crossplane.md. */
export type ExemptionKind =
  | 'suspended'
  | 'prune-disabled'
  | 'drift-detection-disabled'
  | 'drift-ignored'
  | 'reconcile-disabled'
  | 'apply-restricted'
  | 'floating-reference'
  | 'optional-substitution'
  | 'external-substitution'
  | 'health-not-checked'
  | 'retries-forever'
  | 'observe-only'
  | 'management-restricted'
  | 'deletion-deletes'
  | 'deletion-orphans'
  | 'rendered-on-cluster'
  | 'remote-cluster';

/** One weakening: what, by which field, in words, and who set it where managedFields tell. */
export interface Exemption {
  readonly kind: ExemptionKind;
  /** The field that does it, e.g. spec.prune */
  readonly field: string;
  /** What it means, a short clause for people: "what is removed from git stays" */
  readonly meaning: string;
  readonly by: string | null;
  /** ms since the epoch */
  readonly at: number | null;
}
