import type { Observation } from '#lib/domain/observation.ts';
import type { CorrectionStep } from '../adapter.ts';
import { noCorrections, type CorrectionMemory } from '../correction-memory.ts';
import { corrected } from '../correction-run.ts';

/**
 * Drift that tofu-controller found and applied by itself: DriftDetected stands for a retry interval, then a pass ends well with the
 * same revision and spec. Its events carry the raw plan and are not read. `now` is ms since the epoch.
 */
export function terraformCorrections(
  memory: CorrectionMemory | null,
  observation: Observation | null,
  now: number,
): CorrectionStep {
  const before = memory ?? noCorrections;
  if (observation === null) return { memory: before, correction: null };
  const { drift, generation, cadence } = observation;
  const revision = observation.revisions.attempted;
  const [open] = before.claims;
  if (drift.drift === 'found') {
    if (drift.left || open) return { memory: drift.left ? { ...before, claims: [] } : before, correction: null };
    const claim = { at: now, said: 'drift was found and applied', count: 1, revision, generation };
    return { memory: { ...before, claims: [claim] }, correction: null };
  }
  if (drift.drift !== 'none' || !open) return { memory: before, correction: null };
  const same = open.revision === revision && open.generation === generation;
  return corrected(
    { ...before, claims: [] },
    { at: now, said: open.said, count: 1, certainty: same ? 'confirmed' : 'probable' },
    cadence.interval,
  );
}
