// What proves that the loop of Argo CD's application-controller turns: the comparisons of its Applications at its own interval.
import { beforeEach, describe, expect, it } from 'vitest';
import type { ObservedArgoCd, ObservedDeployment, WatchedKind } from '../../clusters/cluster-event.ts';
import { startBed, type Bed } from '../testing/bed.ts';
import { rfc3339 } from '../testing/objects.ts';

const application: WatchedKind = {
  group: 'argoproj.io',
  kind: 'Application',
  version: 'v1alpha1',
  resource: 'applications',
  namespaced: true,
  categories: [],
};
const pod: ObservedDeployment = {
  namespace: 'argocd',
  name: 'argocd-application-controller',
  runs: { type: 'controller', name: 'argocd-application-controller' },
  state: 'available',
  version: 'v3.2.11',
  selector: '',
  ownNamespaceOnly: false,
  elects: null,
  downSince: null,
  statusAt: null,
  stateful: true,
};

let bed: Bed;

function compared(): void {
  bed.write(application, web());
}

function web() {
  return bed.object(application, 'web', {
    spec: {
      source: { repoURL: 'https://git.example.org/apps', path: 'web', targetRevision: 'main' },
      destination: { server: 'https://kubernetes.default.svc' },
      syncPolicy: { automated: { selfHeal: true, prune: true } },
    },
    status: {
      sync: { status: 'Synced', revision: 'a'.repeat(40) },
      health: { status: 'Healthy' },
      reconciledAt: rfc3339(bed.clock.now()),
    },
  });
}

function signs(part: Partial<ObservedArgoCd> = {}): void {
  const argo = { workloads: [pod], heartbeat: null, interval: 30_000, ...part };
  bed.model.take({ type: 'argo', at: bed.clock.now(), namespace: 'argocd', argo });
  bed.clock.advance(50);
}

/** Time passes while its pods are looked at each 30 s. */
function pass(ms: number, part: Partial<ObservedArgoCd> = {}): void {
  for (let left = ms; left > 0; left -= 30_000) {
    bed.pass(Math.min(left, 30_000));
    signs(part);
  }
}

beforeEach(() => {
  bed = startBed();
  bed.open([[application, web()]]);
});

describe('an application-controller that hangs while its pod is available', () => {
  it('stales what it has not compared for longer than its interval allows', () => {
    signs();
    pass(150_000);
    expect(bed.at('web')).toMatchObject({ verdict: 'converged', confirmation: 'pass' });
    pass(60_000);
    expect(bed.at('web')).toMatchObject({ verdict: 'stale', reason: 'NoPass', was: 'converged' });
  });

  it('is back with the next comparison', () => {
    signs();
    pass(240_000);
    compared();
    bed.pass(1_000);
    expect(bed.at('web')).toMatchObject({ verdict: 'converged', confirmation: 'pass' });
  });

  it('leaves it unconfirmed where the interval may not be read: the pod proves nothing', () => {
    signs({ interval: null });
    pass(480_000, { interval: null });
    expect(bed.at('web').verdict).toBe('converged');
    pass(120_000, { interval: null });
    expect(bed.at('web')).toMatchObject({ verdict: 'unconfirmed', reason: 'NoPass' });
  });

  it('is not late where it is set to compare never: its pod is all there is', () => {
    signs({ interval: 'never' });
    pass(1_800_000, { interval: 'never' });
    expect(bed.at('web')).toMatchObject({ verdict: 'converged', confirmation: 'controller' });
  });

  it('is stuck as soon as the heartbeat of its shards stands still for its term', () => {
    const beat = (time: number) => ({
      namespace: 'argocd',
      name: 'argocd-app-controller-shard-cm',
      holder: 'pod-1',
      transitions: null,
      durationSeconds: 30,
      renewTime: time,
    });
    for (let round = 0; round < 3; round += 1) {
      signs({ heartbeat: beat(bed.clock.now()) });
      bed.pass(15_000);
    }
    const last = beat(bed.clock.now());
    pass(90_000, { heartbeat: last });
    expect(bed.at('web')).toMatchObject({ verdict: 'stale', reason: 'ControllerDead' });
  });
});

describe('an application-controller that is gone', () => {
  it('stales its Applications at once', () => {
    signs();
    signs({ workloads: [{ ...pod, state: 'unavailable' }] });
    expect(bed.at('web')).toMatchObject({
      verdict: 'stale',
      reason: 'ControllerDead',
      rootCause: { type: 'controller', namespace: 'argocd', name: 'argocd-application-controller' },
    });
    expect(bed.recorded('web').detail.evidence.map(({ text }) => text)).toContain(
      'StatefulSet argocd/argocd-application-controller has no available pod',
    );
  });

  it('is not said to be gone where its pods may not be looked at', () => {
    signs({ workloads: null });
    expect(bed.at('web')).toMatchObject({ verdict: 'converged', confirmation: 'pass' });
  });
});
