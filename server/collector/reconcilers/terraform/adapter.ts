import { kindsOf, type Adapter, type CorrectionStep } from '../adapter.ts';
import { observeTerraform } from './terraform.ts';
import { terraformMetric } from './state-metric.ts';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { corrected, noCorrections, type CorrectionMemory } from '../correction-run.ts';

/** tofu-controller. It is found by discovery; no cluster is expected to have it. */
export const terraform: Adapter = {
  reconciler: 'terraform',
  kinds: kindsOf('infra.contrib.fluxcd.io', { terraforms: 'Terraform' }),
  // cmd/manager/main.go: LeaderElectionID.
  controllers: [{ name: 'tofu-controller', namespace: 'flux-system', lease: '1953de50.contrib.fluxcd.io' }],
  metricOf: () => terraformMetric,
  observe: observeTerraform,
  // Events of drift carry the raw plan: they are not read.
  corrections: (memory, _event, observation, now) => undoneDrift(memory, observation, now),
};

/**
 * Drift that a reconciler says it has found and is undoing, and then says no more: a correction, for sure where revision and spec
 * are the same as when it was found. For reconcilers that tell of drift on the object. `now` is ms since the epoch.
 */
export function undoneDrift(
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
    const said = 'what it had found to differ was undone';
    const claim = { at: now, said, count: 1, revision, generation, passKnown: null };
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
