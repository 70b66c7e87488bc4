import type { Exemption, ExemptionKind } from '#lib/domain/exemption/exemption.ts';
import { objectAt } from '#lib/foreign.ts';
import { exemptionList } from './exemption-list.ts';

interface OptOut {
  readonly key: string;
  readonly values: readonly string[];
  readonly kind: ExemptionKind;
  readonly meaning: string;
}

const kustomize = 'kustomize.toolkit.fluxcd.io';

/** Honoured as label or annotation, also when set by hand on the live object (pkg/ssa manager_apply.go shouldSkipApply). */
const optOuts: readonly OptOut[] = [
  {
    key: `${kustomize}/reconcile`,
    values: ['disabled'],
    kind: 'reconcile-disabled',
    meaning: 'Flux leaves this object as it is',
  },
  {
    key: `${kustomize}/ssa`,
    values: ['ignore'],
    kind: 'reconcile-disabled',
    meaning: 'Flux leaves this object as it is',
  },
  {
    key: `${kustomize}/ssa`,
    values: ['ifnotpresent'],
    kind: 'reconcile-disabled',
    meaning: 'Flux made it once and leaves it as it is',
  },
  { key: `${kustomize}/ssa`, values: ['merge'], kind: 'apply-restricted', meaning: 'fields that others add are kept' },
  {
    key: `${kustomize}/prune`,
    values: ['disabled'],
    kind: 'prune-disabled',
    meaning: 'it stays when it is removed from git',
  },
  {
    key: `${kustomize}/force`,
    values: ['enabled'],
    kind: 'recreates',
    meaning: 'it is deleted and made anew where it cannot be changed',
  },
  {
    key: 'helm.toolkit.fluxcd.io/driftDetection',
    values: ['disabled'],
    kind: 'drift-detection-disabled',
    meaning: 'Helm drift detection leaves this object out',
  },
];

/** Opt-outs that are set on the object itself, whoever delivers it. Flux compares the values without regard to case. */
export function liveOptOuts(object: unknown): readonly Exemption[] {
  const list = exemptionList(object, null);
  for (const place of ['annotations', 'labels']) {
    const entries = objectAt(object, 'metadata', place);
    for (const { key, values, kind, meaning } of optOuts) {
      const value = entries[key];
      if (typeof value !== 'string' || !values.includes(value.toLowerCase())) continue;
      list.add(kind, ['metadata', place, key], meaning, `metadata.${place}[${key}]`);
    }
  }
  return list.found;
}
