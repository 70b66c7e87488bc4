import type { Suspension } from '#lib/domain/observation/observation.ts';
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

/** Meaning of a suspension, by spec.suspend or by annotation. */
export const suspensionMeaning = 'changes in git do not arrive, drift is not undone';
