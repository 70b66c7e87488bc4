// A cluster whose clock is off: what it dates is judged on ours.
import { afterEach, describe, expect, it } from 'vitest';
import { observed } from '#lib/domain/testing/observed.ts';
import { latestTime } from '#lib/domain/time/latest-time.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { ObservedDeployment } from '../../clusters/cluster-event.ts';
import { createClusterTime } from './cluster-time.ts';
import { startBed, type Bed } from '../testing/bed.ts';
import { kinds, kustomizationSpec, offering, passedWell, revision } from '../testing/objects.ts';

const { gitRepository, kustomization } = kinds;
let bed: Bed;

afterEach(() => bed.model.stop());

function app(passedAt: number) {
  const status = passedWell(passedAt, revision('a'));
  return bed.object(kustomization, 'app', { spec: kustomizationSpec('control', { interval: '1m' }), status });
}

/** A cluster whose clock is `ahead` (ms), known before its objects come: its last pass was a second ago. */
function open(ahead: number, known = true): void {
  bed = startBed();
  const now = bed.clock.now();
  if (known) bed.model.take({ type: 'clock', at: now, ahead });
  bed.open([
    [gitRepository, bed.object(gitRepository, 'control', offering(now - minute + ahead, revision('a')))],
    [kustomization, app(now - 1_000 + ahead)],
  ]);
}

function deploymentWord(name: string, downSince: number | null): ObservedDeployment {
  return {
    namespace: 'flux-system',
    name,
    version: null,
    selector: '',
    ownNamespaceOnly: false,
    elects: true,
    runs: { type: 'controller', name },
    state: downSince === null ? 'available' : 'unavailable',
    downSince,
    statusAt: null,
  };
}

describe.each([10 * minute, -10 * minute])('a clock that is off by %d ms', (ahead) => {
  it('makes nothing stale that passes', () => {
    open(ahead);
    expect(bed.at('app').verdict).toBe('converged');
    bed.pass(minute);
    bed.write(kustomization, app(bed.clock.now() + ahead));
    bed.pass(2 * minute);
    expect(bed.verdicts('app')).toEqual(['converged']);
    expect(bed.model.cluster().clockAhead).toBe(ahead);
  });

  it('lets no green outlive its proof', () => {
    open(ahead);
    // max(3 intervals, interval + timeout + 2 min) after the last pass, which was a second before the first look.
    bed.pass(4 * minute + 10_000);
    expect(bed.at('app')).toMatchObject({ verdict: 'stale', reason: 'NoPass' });
  });

  it('dates what it tells on our clock', () => {
    open(ahead);
    const { confirmedAt, observedAt } = bed.at('app');
    expect(Math.abs(observedAt - (confirmedAt ?? 0))).toBeLessThan(3_000);
    const { conditions, createdAt } = bed.recorded('app').detail.observation;
    expect(Math.abs(observedAt - (conditions[0]?.lastTransitionTime ?? 0))).toBeLessThan(3_000);
    expect(createdAt).toBeLessThan(bed.clock.now() - 23 * 60 * minute);
  });
});

it('dates drift that an Application says was undone on our clock', () => {
  const time = createClusterTime();
  time.take({ type: 'clock', at: 0, ahead: 10 * minute });
  const undone = { id: 'sync', at: 30 * minute, said: 'ConfigMap/apps/web configured', isSure: true };
  expect(time.ours(observed({ drift: { drift: 'none', undone } })).drift).toEqual({
    drift: 'none',
    undone: { ...undone, at: 20 * minute },
  });
});

it.each([
  ['-57 years', Date.UTC(1970, 0, 1) - Date.UTC(2026, 10, 21), latestTime, latestTime],
  ['7,973 years', latestTime - Date.UTC(2026, 10, 21), Date.UTC(2026, 10, 20), 0],
])('a clock that is off by %s dates nothing beyond what can be written', (_far, ahead, written, ours) => {
  const time = createClusterTime();
  time.take({ type: 'clock', at: 0, ahead });
  expect(time.ours(observed({ createdAt: written, deletedAt: written }))).toMatchObject({
    createdAt: ours,
    deletedAt: ours,
  });
});

describe.each([10 * minute, -10 * minute])('a clock that is off by %d ms dates the death of a controller', (ahead) => {
  function probe(renewedAt: number, downSince: number | null): void {
    const { model, clock } = bed;
    const flux = { namespace: 'flux-system', at: clock.now() };
    const lease = {
      name: 'kustomize-controller-leader-election',
      holder: 'pod_1',
      durationSeconds: 35,
      transitions: 3,
    };
    const renewTime = renewedAt + ahead;
    model.take({ type: 'leases', ...flux, leases: [{ ...lease, namespace: flux.namespace, renewTime }] });
    const deployment = deploymentWord('kustomize-controller', downSince === null ? null : downSince + ahead);
    model.take({ type: 'deployments', ...flux, deployments: [deployment] });
    clock.advance(50);
  }

  it('by its Deployment, though its lease was still seen to have moved after that', () => {
    open(ahead);
    probe(bed.clock.now() - 500, null);
    bed.clock.advance(15_000);
    probe(bed.clock.now() - 500, null);
    bed.clock.advance(15_000);
    const died = bed.clock.now() - 10_000;
    probe(died - 1_000, died);
    bed.clock.advance(15_000);
    probe(died - 1_000, died);
    expect(bed.at('app')).toMatchObject({ verdict: 'stale', rootCause: { name: 'kustomize-controller' } });
    expect(Math.abs(bed.at('app').onset.time - died)).toBeLessThan(1_000);
  });
});

it("brings the Deployment of Argo CD's application-controller and the heartbeat of its shards onto our clock", () => {
  const time = createClusterTime();
  time.take({ type: 'clock', at: 0, ahead: 10 * minute });
  const workload = deploymentWord('argocd-application-controller', 20 * minute);
  const heartbeat = { namespace: 'argocd', name: 'x', holder: 'p', durationSeconds: 10, renewTime: 1, transitions: 0 };
  const argo = { workloads: [workload], heartbeat, interval: null };
  expect(time.take({ type: 'argo', at: 1, namespace: 'argocd', argo })).toMatchObject({
    argo: { workloads: [{ downSince: 10 * minute }], heartbeat: { renewTime: 1, ahead: 10 * minute } },
  });
});

it('of which nothing is known is taken for ours', () => {
  open(-10 * minute, false);
  expect(bed.model.cluster().clockAhead).toBeNull();
  expect(bed.at('app').verdict).toBe('stale');
});
