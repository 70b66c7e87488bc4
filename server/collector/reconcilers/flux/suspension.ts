import type { Exemption } from '#lib/domain/exemption.ts';
import type { Suspension } from '#lib/domain/observation.ts';
import { booleanAt, textAt } from '#lib/foreign.ts';
import { setterOf } from '../managers.ts';

/** spec.suspend, with who set it. */
export function fluxSuspension(object: unknown): Suspension | null {
  return booleanAt(object, 'spec', 'suspend') === true
    ? { field: 'spec.suspend', ...setterOf(object, ['spec', 'suspend']) }
    : null;
}

/** Kinds without spec.suspend are switched off by the annotation `<group>/reconcile: disabled`. */
export function annotationSuspension(object: unknown, group: string): Suspension | null {
  const key = `${group}/reconcile`;
  if (textAt(object, 'metadata', 'annotations', key)?.toLowerCase() !== 'disabled') return null;
  return { field: `metadata.annotations[${key}]`, ...setterOf(object, ['metadata', 'annotations', key]) };
}

/** A suspension as the exemption that it is; none where there is none. */
export function suspensionExemption(suspended: Suspension | null): Exemption[] {
  if (suspended === null) return [];
  const meaning = 'changes in git do not arrive, drift is not undone';
  return [{ kind: 'suspended', field: suspended.field, meaning, by: suspended.by, at: suspended.at, reach: null }];
}
