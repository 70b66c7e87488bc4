import { mayBeSince } from '#lib/domain/time/api-time.ts';
import type { Observation } from '#lib/domain/observation/observation.ts';
import type { ObservedEvent } from '../../clusters/cluster-event.ts';
import type { CorrectionStep } from '../adapter.ts';
import { corrected, occurrences, noCorrections, type CorrectionMemory, type PassSeen } from '../correction-run.ts';

/** Time in which an update may follow the edit of a spec that prompted it, ms. */
const editGrace = 120_000;

/**
 * Corrections of a managed resource: the Event UpdatedExternalResource where no edit of the spec prompted it, that is where the
 * generation had been reconciled before the update. Only ever probable: a perpetual diff, a new default of a provider and a
 * changed Secret look the same (docs/facts/crossplane.md). `now` in ms.
 */
export function managedCorrections(
  memory: CorrectionMemory | null,
  event: ObservedEvent | null,
  observation: Observation | null,
  now: number,
): CorrectionStep {
  const known = withGeneration(memory ?? noCorrections, observation, now);
  if (event === null || event.reason !== 'UpdatedExternalResource') return { memory: known, correction: null };
  const { fresh, memory: next } = occurrences(known, event, now);
  const at = event.lastAt ?? now;
  if (fresh === 0 || observation === null || !wasReconciled(next.passes, observation, at))
    return { memory: next, correction: null };
  const said = event.message === '' ? event.reason : event.message;
  return corrected(next, { at, said, count: fresh, certainty: 'probable' }, observation.cadence.interval);
}

/** Remembers since when each generation has been seen reconciled (Synced=True of that generation). */
function withGeneration(memory: CorrectionMemory, observation: Observation | null, now: number): CorrectionMemory {
  const synced = observation?.conditions.find((condition) => condition.type === 'Synced');
  if (observation === null || synced?.status !== 'True') return memory;
  const { generation, observedGeneration } = observation;
  if (observedGeneration !== null && observedGeneration !== generation) return memory;
  if (memory.passes.some((pass) => pass.generation === generation)) return memory;
  // Without observedGeneration (runtime before 1.20) Synced may still speak of the former one: the edit gets time to be pushed.
  const since = observedGeneration === null ? now + editGrace : (synced.lastTransitionTime ?? now);
  const pass: PassSeen = { at: since, applied: null, digest: null, generation };
  return { ...memory, passes: [...memory.passes, pass].slice(-4) };
}

function wasReconciled(passes: readonly PassSeen[], observation: Observation, at: number): boolean {
  return passes.some((pass) => pass.generation === observation.generation && !mayBeSince(pass.at, at));
}
