import type { Condition, DriftStatus } from '#lib/domain/observation/observation.ts';
import { numberAt, textAt } from '#lib/foreign.ts';
import { conditionOf } from '../conditions.ts';

/** Drift of a HelmRelease, and whether a correction is under way. */
export interface HelmDrift {
  readonly drift: DriftStatus;
  readonly correcting: boolean;
}

/**
 * Drifted=True|False is trusted only where detection is on and it speaks of the present generation: helm-controller never
 * removes the condition, so it outlives mode: disabled and any change of the spec (docs/facts/flux.md). In mode enabled
 * what is found is being undone; in mode warn it stays. Suspended, the last status stands as it was.
 */
export function helmDrift(object: unknown, conditions: readonly Condition[], suspended: boolean): HelmDrift {
  const mode = textAt(object, 'spec', 'driftDetection', 'mode') ?? 'disabled';
  if (mode !== 'enabled' && mode !== 'warn') return notMeasured('spec.driftDetection.mode is disabled');
  const drifted = conditionOf(conditions, 'Drifted');
  if (drifted === null) return notMeasured('helm-controller has not said whether it drifted (it does since Flux 2.9)');
  const generation = numberAt(object, 'metadata', 'generation');
  if (!suspended && drifted.observedGeneration !== generation)
    return notMeasured('drift was last looked for before the spec changed');
  if (!suspended && conditionOf(conditions, 'Ready')?.status === 'False')
    return notMeasured('drift is looked for only once the release is in place');
  if (drifted.status === 'Unknown') return notMeasured(drifted.message);
  if (drifted.status === 'False') return { drift: { drift: 'none' }, correcting: false };
  const undone = mode === 'enabled' && !suspended;
  return { drift: { drift: 'found', message: drifted.message, left: !undone }, correcting: undone };
}

function notMeasured(why: string): HelmDrift {
  return { drift: { drift: 'not-measured', why }, correcting: false };
}
