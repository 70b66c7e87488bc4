import type { ConflictKind } from '../domain/observation/conflict.ts';
import type { ExemptionKind, ExemptionSort } from '../domain/exemption/exemption.ts';

/** Title of a kind of exemption: "Drift not undone". */
export const exemptionTitle: Readonly<Record<ExemptionKind, string>> = {
  suspended: 'Suspended',
  'reconcile-disabled': 'Left alone by annotation',
  'observe-only': 'Observed only',
  'management-restricted': 'Management restricted',
  'apply-restricted': 'Applied in part, or by hand',
  'drift-detection-disabled': 'Drift not looked for',
  'drift-not-undone': 'Drift not undone',
  'drift-ignored': 'Drift ignored in some fields',
  'rare-passes': 'Passes far apart',
  'prune-disabled': 'Not removed with git',
  'deletion-orphans': 'Stays when deleted',
  'deletion-deletes': 'Data goes when deleted',
  recreates: 'Deleted and made anew',
  'rendered-on-cluster': 'Rendered on the cluster',
  'external-substitution': 'Inputs outside of git',
  'optional-substitution': 'Inputs that may be missing',
  'missing-tolerated': 'Files that may be missing',
  overridden: 'Changed beside the path',
  'floating-reference': 'Floating reference',
  'branch-reference': 'Follows a branch',
  'files-left-out': 'Files left out',
  'remote-cluster': 'Applied to another cluster',
  'health-not-checked': 'Health not checked',
  'readiness-redefined': 'Readiness redefined',
  'retries-forever': 'Retried without end',
  'timeout-exceeds-interval': 'Timeout as long as the interval',
};

/** Heading of a sort of exemptions: what it takes from the sentence. */
export const exemptionSortTitle: Readonly<Record<ExemptionSort, string>> = {
  'not-applied': 'What is in git does not arrive',
  'drift-stays': 'A difference may stand',
  removal: 'Removing does something else',
  'not-in-git': 'Git alone does not say what runs',
  'not-proven': 'A good word proves less',
};

/** Title of a kind of conflict: "In two inventories". */
export const conflictTitle: Readonly<Record<ConflictKind, string>> = {
  'two-inventories': 'In two inventories',
  'external-resource': 'External resource, managed twice',
  'shared-resource': 'Shared by Argo CD applications',
  'shared-fields': 'Fields with two managers',
  'contested-correction': 'Changed back again and again',
  'edited-by-hand': 'Held by hand',
  uncompared: 'Not compared whole',
};
