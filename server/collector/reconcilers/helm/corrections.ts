import type { Observation } from '#lib/domain/observation/observation.ts';
import type { ObservedEvent } from '../../clusters/cluster-event.ts';
import type { CorrectionStep } from '../adapter.ts';
import { noCorrections, type CorrectionMemory } from '../correction-memory.ts';
import { corrected, occurrences } from '../correction-run.ts';

/** helm-controller names its corrections: the Event DriftCorrected. `now` in ms. */
export function helmCorrections(
  memory: CorrectionMemory | null,
  event: ObservedEvent | null,
  observation: Observation | null,
  now: number,
): CorrectionStep {
  const known = memory ?? noCorrections;
  if (event === null || event.reason !== 'DriftCorrected') return { memory: known, correction: null };
  const { fresh, memory: next } = occurrences(known, event, now);
  if (fresh === 0) return { memory: next, correction: null };
  const found = { at: event.lastAt ?? now, said: event.message, count: fresh, certainty: 'confirmed' as const };
  return corrected(next, found, observation?.cadence.interval ?? null);
}
