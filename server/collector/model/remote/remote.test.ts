import { beforeEach, describe, expect, it } from 'vitest';
import type { ForeignObject } from '#lib/foreign.ts';
import { minute } from '#lib/domain/time/length.ts';
import { fakeClock, type FakeClock } from '#server/runtime/fake-clock.ts';
import { createRemoteApplierIndex, type RemoteApplierIndex } from './remote-applier-index.ts';
import { startBed } from '../testing/bed.ts';
import { deliveredBy, kinds, kustomizationSpec, offering, passedWell, ready, revision } from '../testing/objects.ts';
import type { Bed } from '../testing/bed.ts';

const { kustomization, gitRepository, helmRelease } = kinds;
const start = Date.UTC(2026, 10, 21, 12, 0, 0);
/** Id of what the hub's Kustomization has applied on the other cluster, as its inventory names it. */
const releaseId = 'flux-system_web_helm.toolkit.fluxcd.io_HelmRelease';

let clock: FakeClock;
let remotes: RemoteApplierIndex;

beforeEach(() => {
  clock = fakeClock(start);
  remotes = createRemoteApplierIndex(() => true);
});

function bedOf(cluster: string): Bed {
  return startBed(null, undefined, { cluster, clock, remotes });
}

function applier(bed: Bed, remote: boolean, ids: readonly string[], digit = 'a', name = 'apps'): ForeignObject {
  const kubeConfig = remote ? { kubeConfig: { secretRef: { name: 'far' } } } : {};
  return bed.object(kustomization, name, {
    spec: kustomizationSpec('control', kubeConfig),
    status: {
      ...passedWell(clock.now(), revision(digit)),
      inventory: { entries: ids.map((id) => ({ id, v: 'v2' })) },
    },
  });
}

function failing(bed: Bed, ids: readonly string[]): ForeignObject {
  return bed.object(kustomization, 'apps', {
    spec: kustomizationSpec('control', { kubeConfig: { secretRef: { name: 'far' } } }),
    status: {
      ...passedWell(clock.now() - 60_000, revision('a')),
      conditions: [ready('False', 'BuildFailed', clock.now())],
      lastAttemptedRevision: revision('b'),
      inventory: { entries: ids.map((id) => ({ id, v: 'v2' })) },
    },
  });
}

function release(bed: Bed, labels = deliveredBy('apps')): ForeignObject {
  return bed.object(helmRelease, 'web', {
    labels,
    spec: { interval: '10m', driftDetection: { mode: 'enabled' } },
    status: {
      conditions: [
        ready('True', 'UpgradeSucceeded', clock.now() - 60_000),
        { ...ready('False', 'NoDriftDetected', clock.now()), type: 'Drifted' },
      ],
      observedGeneration: 1,
      history: [{ status: 'deployed', chartVersion: '0.1.0' }],
    },
  });
}

function hub(name: string, remote: readonly string[]): Bed {
  const bed = bedOf(name);
  bed.open([
    [gitRepository, bed.object(gitRepository, 'control', offering(clock.now(), revision('a')))],
    [kustomization, applier(bed, true, remote)],
  ]);
  return bed;
}

function edge(...local: readonly ForeignObject[]): Bed {
  const bed = bedOf('edge');
  bed.open([
    [kustomization, ...local],
    [helmRelease, release(bed)],
  ]);
  return bed;
}

/** Lets time pass for all clusters, whose leases move. */
function pass(ms: number, ...beds: readonly Bed[]): void {
  for (let left = ms; left > 0; left -= 1_000) {
    clock.advance(Math.min(1_000, left));
    for (const bed of beds) bed.renew();
  }
}

describe('what a Kustomization with a kubeConfig has applied', () => {
  it('is attributed to it, with its cluster and its commit, though a namesake stands beside it', () => {
    const there = hub('hub', [releaseId]);
    const here = bedOf('edge');
    const local = applier(here, false, [], 'c');
    here.open([
      [kustomization, local],
      [helmRelease, release(here)],
    ]);
    pass(3_000, there, here);
    expect(here.at('web')).toMatchObject({
      verdict: 'converged',
      deliveredBy: { cluster: 'hub', kind: 'Kustomization', name: 'apps' },
      commit: 'a'.repeat(40),
      repository: 'https://git.example.org/acme/control.git',
    });
  });

  it('stays with the namesake whose inventory holds it', () => {
    const there = hub('hub', [releaseId]);
    const here = bedOf('edge');
    here.open([
      [gitRepository, here.object(gitRepository, 'control', offering(clock.now(), revision('a')))],
      [kustomization, applier(here, false, [releaseId])],
      [helmRelease, release(here)],
    ]);
    pass(3_000, there, here);
    expect(here.at('web')).toMatchObject({ verdict: 'converged', deliveredBy: { cluster: 'edge' } });
  });

  it('moves to the namesake once its inventory holds it, and back', () => {
    const there = hub('hub', [releaseId]);
    const here = bedOf('edge');
    here.open([
      [kustomization, applier(here, false, [])],
      [helmRelease, release(here)],
    ]);
    pass(3_000, there, here);
    for (const [ids, cluster] of [
      [[releaseId], 'edge'],
      [[], 'hub'],
    ] as const) {
      here.write(kustomization, applier(here, false, ids));
      pass(3_000, there, here);
      expect(here.at('web').deliveredBy?.cluster).toBe(cluster);
    }
  });

  it('is not given to a namesake elsewhere that applies to its own cluster, though that lists the same', () => {
    const there = bedOf('hub');
    there.open([
      [gitRepository, there.object(gitRepository, 'control', offering(clock.now(), revision('a')))],
      [kustomization, applier(there, false, [releaseId])],
    ]);
    const here = edge();
    pass(3_000, there, here);
    expect(here.at('web')).toMatchObject({ verdict: 'unconfirmed', reason: 'DeliveryUncertain' });
  });

  it('cannot be told between objects of two clusters that are called alike, until one of them is gone', () => {
    const there = hub('hub', [releaseId]);
    const [here, copy] = [edge(), bedOf('copy')];
    const mine = { ...release(copy), metadata: { ...Object(release(copy)['metadata']), uid: 'uid-of-the-copy' } };
    copy.open([[kustomization], [helmRelease, mine]]);
    pass(3_000, there, here, copy);
    for (const bed of [here, copy])
      expect(bed.at('web')).toMatchObject({ verdict: 'unconfirmed', reason: 'DeliveryUncertain', commit: null });
    expect(here.at('web').sentence).toBe(copy.at('web').sentence);
    copy.remove(helmRelease, mine);
    pass(2 * minute, there, here, copy);
    expect(here.at('web')).toMatchObject({ verdict: 'converged', deliveredBy: { cluster: 'hub' } });
  });

  it('is that of one cluster that is read twice', () => {
    const there = hub('hub', [releaseId]);
    const [here, again] = [edge(), bedOf('again')];
    again.open([[kustomization], [helmRelease, release(again)]]);
    pass(3_000, there, here, again);
    for (const bed of [here, again]) expect(bed.at('web').deliveredBy?.cluster).toBe('hub');
  });

  it('is found when the hub is read later, and was not green by guess meanwhile', () => {
    const here = edge();
    expect(here.at('web')).toMatchObject({
      verdict: 'unconfirmed',
      reason: 'DeliveryUncertain',
      sentence: 'Its labels name Kustomization apps, but no inventory that is read proves it.',
    });
    const there = hub('hub', [releaseId]);
    pass(3_000, there, here);
    expect(here.at('web')).toMatchObject({ verdict: 'converged', deliveredBy: { cluster: 'hub' } });
  });

  it('follows what becomes of it there, within the same breath', () => {
    const there = hub('hub', [releaseId]);
    const here = edge();
    pass(3_000, there, here);
    there.write(kustomization, failing(there, [releaseId]));
    pass(1_000, there, here);
    expect(here.at('web')).toMatchObject({
      verdict: 'unconfirmed',
      reason: 'DeliveryNotConverged',
      rootCause: { type: 'object', ref: { cluster: 'hub', name: 'apps' } },
    });
    there.write(kustomization, applier(there, true, [releaseId]));
    pass(1_000, there, here);
    expect(here.at('web').verdict).toBe('converged');
    there.write(kustomization, applier(there, true, []));
    pass(1_000, there, here);
    expect(here.at('web')).toMatchObject({ verdict: 'unconfirmed', reason: 'DeliveryUncertain' });
  });

  it.each([
    [
      'is not reached any more',
      'DeliveryNotSeen',
      (bed: Bed) =>
        bed.model.take({
          type: 'disconnected',
          at: clock.now(),
          fault: { type: 'unreachable', message: 'ECONNREFUSED' },
        }),
    ],
    ['is left to another collector', 'DeliveryUncertain', (bed: Bed) => bed.model.stop()],
  ])('is unconfirmed, not green, when the hub %s', (_name, reason, lose) => {
    const there = hub('hub', [releaseId]);
    const here = edge();
    pass(3_000, there, here);
    lose(there);
    pass(60_000, here);
    expect(here.at('web')).toMatchObject({ verdict: 'unconfirmed', reason });
  });

  it('cannot be told between two hubs that both list it', () => {
    const [one, other] = [hub('hub-1', [releaseId]), hub('hub-2', [releaseId])];
    const here = edge();
    pass(3_000, one, other, here);
    expect(here.at('web')).toMatchObject({
      verdict: 'unconfirmed',
      reason: 'DeliveryUncertain',
      sentence: 'Kustomization apps on hub-1 and hub-2 could deliver it; which of them does cannot be told.',
      deliveredBy: null,
    });
  });

  describe('by the word of a cluster that is no hub', () => {
    beforeEach(() => {
      remotes = createRemoteApplierIndex((cluster) => cluster === 'hub');
    });

    it('is nothing: what nobody is seen to deliver is not green, and has no commit', () => {
      const stranger = hub('stranger', [releaseId]);
      const here = edge();
      pass(3_000, stranger, here);
      expect(here.at('web')).toMatchObject({ verdict: 'unconfirmed', reason: 'DeliveryUncertain', commit: null });
    });

    it('takes nothing from the hub that delivers it', () => {
      const [stranger, there] = [hub('stranger', [releaseId]), hub('hub', [releaseId])];
      const here = edge();
      pass(3_000, stranger, there, here);
      expect(here.at('web')).toMatchObject({ verdict: 'converged', deliveredBy: { cluster: 'hub' } });
    });

    it('counts on itself', () => {
      const here = bedOf('edge');
      here.open([
        [gitRepository, here.object(gitRepository, 'control', offering(clock.now(), revision('a')))],
        [kustomization, applier(here, true, [releaseId])],
        [helmRelease, release(here)],
      ]);
      pass(3_000, here);
      expect(here.at('web')).toMatchObject({ verdict: 'converged', deliveredBy: { cluster: 'edge' } });
    });
  });

  it('is not that of a namesake which delivers elsewhere and does not list it', () => {
    const here = bedOf('edge');
    here.open([
      [kustomization, applier(here, true, ['apps_other__ConfigMap'])],
      [helmRelease, release(here)],
    ]);
    pass(3_000, here);
    expect(here.at('web')).toMatchObject({ verdict: 'unconfirmed', reason: 'DeliveryUncertain' });
  });

  it.each([
    ['elsewhere', true, ['It reaches over.']],
    ['on its own cluster', false, []],
  ])('an applier that delivers %s is told on the row of its cluster', (_where, remote, cautions) => {
    const told = (reachesOver: boolean): readonly string[] => (reachesOver ? ['It reaches over.'] : []);
    const bed = startBed(null, undefined, { cluster: 'hub', clock, remotes, cautions: told });
    bed.open([[kustomization, applier(bed, remote, [releaseId])]]);
    pass(20_000, bed);
    expect(bed.batches.findLast(({ cluster }) => cluster !== null)?.cluster?.cautions).toEqual(cautions);
  });

  it('is not sought where the Kustomization itself is', () => {
    const bed = bedOf('hub');
    bed.open([[kustomization, applier(bed, true, [releaseId])], [helmRelease]]);
    pass(20 * minute, bed);
    expect(bed.at('apps').reason).not.toBe('Missing');
  });
});
