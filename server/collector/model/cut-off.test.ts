// The connection to a cluster is cut: whether the cluster is lost is known only after a grace, and nothing is heard meanwhile.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { asKnownAt } from '#lib/domain/verdict/as-known-at.ts';
import { lossGrace } from './feeds/cluster-visibility.ts';
import { startBed, type Bed } from './testing/bed.ts';
import { kinds, kustomizationSpec, passedWell, revision } from './testing/objects.ts';

const { kustomization } = kinds;
/** When the connection was cut (ms). */
let cutAt: number;
let bed: Bed;
afterEach(() => bed.model.stop());

/** Cuts it while a lease that stands still has some seconds of its term left. */
beforeEach(() => {
  bed = startBed();
  const spec = { ...kustomizationSpec('control'), sourceRef: undefined };
  const status = passedWell(bed.clock.now() - 1_000, revision('a'));
  bed.open([[kustomization, bed.object(kustomization, 'app', { spec, status })]]);
  bed.pass(20_000);
  bed.stand(40_000);
  bed.clock.advance(5_000);
  cutAt = bed.clock.now();
  bed.model.take({ type: 'disconnected', at: cutAt, fault: { type: 'unreachable', message: 'closed' } });
});

it('a term that runs out meanwhile says nothing, and everything is unobserved since the cut', () => {
  bed.clock.advance(lossGrace + 60_000);
  expect(bed.verdicts('app')).toEqual(['converged']);
  expect(asKnownAt(bed.at('app'), bed.model.cluster(), bed.clock.now())).toMatchObject({
    verdict: 'unobserved',
    was: 'converged',
    onset: { time: cutAt, bound: 'exact' },
  });
});

it('a term that ran out meanwhile counts once the cluster is heard again within the grace', () => {
  bed.clock.advance(lossGrace - 100);
  expect(bed.verdicts('app')).toEqual(['converged']);
  bed.model.take({ type: 'connected', at: bed.clock.now(), protocol: 'h2', version: null });
  bed.clock.advance(100);
  expect(bed.verdicts('app')).toEqual(['converged', 'stale']);
});

it('heard again after its loss, it is unobserved since the cut until all has come in', () => {
  bed.clock.advance(lossGrace + 60_000);
  bed.model.take({ type: 'connected', at: bed.clock.now(), protocol: 'h2', version: null });
  expect(bed.model.cluster().state).toBe('connecting');
  expect(asKnownAt(bed.at('app'), bed.model.cluster(), bed.clock.now())).toMatchObject({
    verdict: 'unobserved',
    was: 'converged',
    onset: { time: cutAt, bound: 'exact' },
  });
});
