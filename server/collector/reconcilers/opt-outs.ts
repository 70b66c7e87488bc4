import type { Exemption, ExemptionKind } from '#lib/domain/exemption/exemption.ts';
import { objectAt } from '#lib/foreign.ts';
import { nameAt } from '#lib/foreign-words.ts';
import { exemptionList } from './exemption-list.ts';

const ssa = 'kustomize.toolkit.fluxcd.io/ssa';
const leavesIt = 'Flux leaves this object as it is';

/** Key, value, and what it means. Honoured as label or annotation, also when set by hand on the live object (pkg/ssa manager_apply.go shouldSkipApply). */
const optOuts: readonly (readonly [key: string, value: string, ExemptionKind, meaning: string])[] = [
  ['kustomize.toolkit.fluxcd.io/reconcile', 'disabled', 'reconcile-disabled', leavesIt],
  [ssa, 'ignore', 'reconcile-disabled', leavesIt],
  [ssa, 'ifnotpresent', 'reconcile-disabled', 'Flux made it once and leaves it as it is'],
  [ssa, 'merge', 'apply-restricted', 'fields that others add are kept'],
  ['kustomize.toolkit.fluxcd.io/prune', 'disabled', 'prune-disabled', 'it stays when it is removed from git'],
  [
    'kustomize.toolkit.fluxcd.io/force',
    'enabled',
    'recreates',
    'it is deleted and made anew where it cannot be changed',
  ],
  [
    'helm.toolkit.fluxcd.io/driftDetection',
    'disabled',
    'drift-detection-disabled',
    'Helm drift detection leaves this object out',
  ],
];

/** Opt-outs that are set on the object itself, whoever delivers it. Flux compares the values without regard to case. */
export function liveOptOuts(object: unknown): readonly Exemption[] {
  const list = exemptionList(object, null);
  for (const field of ['annotations', 'labels']) {
    const entries = objectAt(object, 'metadata', field);
    for (const [key, disabling, kind, meaning] of optOuts) {
      if (nameAt(entries, key)?.toLowerCase() === disabling)
        list.add(kind, ['metadata', field, key], meaning, `metadata.${field}[${key}]`);
    }
  }
  return list.found;
}
