import type { Exemption, ExemptionKind } from '#lib/domain/exemption.ts';
import { objectAt } from '#lib/foreign.ts';
import { setterOf } from './managers.ts';

/**
 * One exemption, with who set it read from managedFields at `path`; where no path is given, nobody set it (a default).
 */
export function exemption(
  object: unknown,
  kind: ExemptionKind,
  path: readonly string[] | null,
  field: string,
  meaning: string,
): Exemption {
  const setter = path === null ? { by: null, at: null } : setterOf(object, path);
  return { kind, field, meaning, by: setter.by, at: setter.at, reach: null };
}

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
    kind: 'apply-restricted',
    meaning: 'created once, later changes in git are not applied',
  },
  { key: `${kustomize}/ssa`, values: ['merge'], kind: 'apply-restricted', meaning: 'fields that others add are kept' },
  {
    key: `${kustomize}/prune`,
    values: ['disabled'],
    kind: 'prune-disabled',
    meaning: 'it stays when it is removed from git',
  },
  {
    key: 'helm.toolkit.fluxcd.io/driftDetection',
    values: ['disabled'],
    kind: 'drift-detection-disabled',
    meaning: 'Helm drift detection leaves this object out',
  },
];

/** Opt-outs that are set on the object itself, whoever delivers it. Flux compares the values without regard to case. */
export function liveOptOuts(object: unknown): Exemption[] {
  const found: Exemption[] = [];
  for (const place of ['annotations', 'labels']) {
    const entries = objectAt(object, 'metadata', place);
    for (const optOut of optOuts) {
      const value = entries[optOut.key];
      if (typeof value !== 'string' || !optOut.values.includes(value.toLowerCase())) continue;
      found.push(
        exemption(
          object,
          optOut.kind,
          ['metadata', place, optOut.key],
          `metadata.${place}[${optOut.key}]`,
          optOut.meaning,
        ),
      );
    }
  }
  return found;
}
