import { kindsOf, type Adapter, type CorrectionStep } from '../adapter.ts';
import { fluxMetric } from '../flux/state-metric.ts';
import { observeHelmRelease } from './helm-release.ts';
import type { Observation } from '#lib/domain/observation/observation.ts';
import type { ObservedEvent } from '../../clusters/cluster-event.ts';
import { corrected, occurrences, noCorrections, type CorrectionMemory } from '../correction-run.ts';

/** Flux's helm-controller: HelmReleases. */
export const helm: Adapter = {
  reconciler: 'helm',
  kinds: kindsOf('helm.toolkit.fluxcd.io', { helmreleases: 'HelmRelease' }),
  controllers: [{ name: 'helm-controller', namespace: 'flux-system', suite: 'flux' }],
  metricOf: () => fluxMetric,
  observe: observeHelmRelease,
  corrections: helmCorrections,
};

/** helm-controller names its corrections: the Event DriftCorrected. `now` in ms. */
function helmCorrections(
  memory: CorrectionMemory | null,
  event: ObservedEvent | null,
  observation: Observation | null,
  now: number,
): CorrectionStep {
  const known = memory ?? noCorrections;
  if (event === null || event.reason !== 'DriftCorrected') return { memory: known, correction: null };
  const { fresh, memory: next } = occurrences(known, event, now);
  if (fresh === 0) return { memory: next, correction: null };
  const found = {
    at: event.lastAt ?? now,
    said: event.message || event.reason,
    count: fresh,
    certainty: 'confirmed' as const,
  };
  return corrected(next, found, observation?.cadence.interval ?? null);
}
