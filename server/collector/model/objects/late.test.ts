// What is heard late: after a silence of the cluster, a sleep of the machine, a restart in the middle of a write.
import { afterEach, describe, expect, it } from 'vitest';
import { asKnownAt } from '#lib/domain/verdict/as-known-at.ts';
import { hour } from '#lib/domain/time/length.ts';
import type { ObservedLease } from '../../clusters/cluster-event.ts';
import { startBed, type Bed } from '../testing/bed.ts';
import { kinds, kustomizationSpec, offering, passedWell, ready, revision } from '../testing/objects.ts';

const { kustomization, gitRepository } = kinds;
let bed: Bed;

afterEach(() => bed.model.stop());

function control(of: Bed) {
  return of.object(gitRepository, 'control', offering(of.clock.now() - 60_000, revision('a')));
}

function app(of: Bed, fails = false) {
  const at = of.clock.now();
  const good = passedWell(at - 1_000, revision('a'));
  return of.object(kustomization, 'app', {
    spec: kustomizationSpec('control'),
    status: fails ? { ...good, conditions: [ready('False', 'BuildFailed', at)] } : good,
  });
}

/** The leases of controllers that renewed them last at `renewTime` (ms). */
function leasesOf(renewTime: number): readonly ObservedLease[] {
  const summary = { holder: 'pod', durationSeconds: 35, renewTime, transitions: 3 };
  return [
    { ...summary, namespace: 'crossplane-system', name: 'crossplane-leader-election-core' },
    ...['kustomize', 'source', 'helm'].map((name) => ({
      ...summary,
      namespace: 'flux-system',
      name: `${name}-controller-leader-election`,
    })),
  ];
}

function open(restored: Parameters<typeof startBed>[0] = null, start?: number): void {
  bed = startBed(restored, start);
  bed.open([
    [gitRepository, control(bed)],
    [kustomization, app(bed)],
  ]);
}

describe('a machine that slept', () => {
  it('says nothing of what it did not see meanwhile, and is in step again after a look', () => {
    open();
    const before = bed.batches.flatMap((batch) => batch.transitions).length;
    bed.clock.advance(2 * hour);
    expect(bed.batches.flatMap((batch) => batch.transitions)).toHaveLength(before);
    expect(bed.model.cluster().validUntil).toBeLessThan(bed.clock.now());
    bed.write(kustomization, app(bed));
    bed.renew();
    bed.pass(6_000);
    bed.pass(20_000);
    expect(bed.batches.flatMap((batch) => batch.transitions)).toHaveLength(before);
    expect(bed.model.cluster()).toMatchObject({ state: 'live' });
    expect(bed.at('app').verdict).toBe('converged');
  });
});

describe('a clock that is set back', () => {
  it('delays nothing', () => {
    open();
    const written = bed.batches.length;
    bed.clock.set(bed.clock.now() - hour);
    bed.renew();
    bed.write(kustomization, app(bed, true));
    bed.pass(20_000);
    expect(bed.at('app').verdict).toBe('diverged');
    expect(bed.at('app').onset.time).toBeLessThanOrEqual(bed.clock.now());
    // What is vouched for in the store is vouched for on the new clock.
    expect(bed.batches.slice(written).findLast((batch) => batch.cluster)?.cluster?.validUntil ?? Infinity).toBeLessThan(
      bed.clock.now() + 60_000,
    );
    bed.stand(90_000);
    expect(bed.at('control').verdict).toBe('stale');
  });
});

describe('a cluster that was out of sight', () => {
  const unreachable = { type: 'unreachable', message: 'refused' } as const;

  function lose(ms: number): void {
    bed.model.take({ type: 'disconnected', at: bed.clock.now(), fault: unreachable });
    bed.clock.advance(ms);
    bed.model.take({ type: 'connected', at: bed.clock.now(), protocol: 'h2', version: null });
  }

  /** Sentences that may be said of the two at the end of each second, without repetition. */
  function said(seconds: number, each: (second: number) => void): readonly string[] {
    const found: string[] = [];
    for (let second = 0; second < seconds; second += 1) {
      bed.clock.advance(1_000);
      each(second);
      const cluster = bed.model.cluster();
      const both = ['control', 'app'].map((name) => asKnownAt(bed.at(name), cluster, bed.clock.now()).verdict);
      if (found.at(-1) !== both.join()) found.push(both.join());
    }
    return found;
  }

  it.each([20_000, 59_000])('for %i ms is green on no dead controller, though its leases moved meanwhile', (gap) => {
    open();
    const died = bed.clock.now() + 4_000;
    lose(gap);
    const probe = (): void => bed.renew(...leasesOf(died));
    probe();
    const written = said(70, (second) => (second === 5 || second % 15 === 14 ? probe() : undefined));
    expect(written).toEqual(['unobserved,unobserved', 'unconfirmed,unconfirmed', 'stale,stale']);
  });

  it('says why, and is confirmed by a pass that ends since, before any lease is seen moving', () => {
    open();
    const died = bed.clock.now() + 4_000;
    lose(59_000);
    bed.renew(...leasesOf(died));
    bed.clock.advance(6_000);
    bed.renew(...leasesOf(died));
    bed.clock.advance(1_000);
    expect(bed.at('control').sentence).toBe(
      'Its last word is good, but nothing proves that this is still so: the lease of source-controller has not been seen moving since the cluster is seen again.',
    );
    expect(bed.at('app').confirmation).toBe('none');
    bed.clock.advance(3_000);
    bed.write(kustomization, app(bed));
    bed.clock.advance(1_000);
    expect(bed.at('app')).toMatchObject({ verdict: 'unconfirmed', confirmation: 'pass' });
  });

  it('is green again with the second look at leases that move', () => {
    open();
    lose(59_000);
    bed.renew();
    expect(said(20, (second) => (second === 5 ? bed.renew() : undefined))).toEqual([
      'unobserved,unobserved',
      'converged,converged',
    ]);
  });

  it('by an earlier collector is green on no controller that died meanwhile', () => {
    open();
    const died = bed.clock.now() + 4_000;
    const stored = bed.stored();
    bed.model.stop();
    bed = startBed(stored, bed.clock.now() + 20_000);
    bed.model.take({ type: 'connected', at: bed.clock.now(), protocol: 'h2', version: null });
    bed.model.take({ type: 'kinds', at: bed.clock.now(), kinds: [gitRepository, kustomization], absent: [] });
    bed.renew(...leasesOf(died));
    bed.list(gitRepository, control(bed));
    bed.list(kustomization, app(bed));
    bed.clock.advance(6_000);
    bed.renew(...leasesOf(died));
    bed.clock.advance(1_000);
    expect([bed.model.cluster().state, bed.at('control').verdict, bed.at('app').verdict]).toEqual([
      'live',
      'unconfirmed',
      'unconfirmed',
    ]);
  });

  it('as to its leases alone is confirmed by what moves again, not by what moved meanwhile', () => {
    open();
    const died = bed.clock.now() + 4_000;
    for (let second = 0; second < 60; second += 10) {
      bed.clock.advance(10_000);
      bed.model.take({ type: 'alive', at: bed.clock.now() });
    }
    bed.renew(...leasesOf(died));
    bed.clock.advance(1_000);
    expect([bed.at('control').verdict, bed.at('app').verdict]).toEqual(['unconfirmed', 'unconfirmed']);
    bed.pass(6_000);
    expect([bed.at('control').verdict, bed.at('app').verdict]).toEqual(['converged', 'converged']);
  });
});

describe('what changed while nobody looked', () => {
  it('began at the latest when it was found', () => {
    open();
    bed.model.take({ type: 'disconnected', at: bed.clock.now(), fault: { type: 'unreachable', message: 'no route' } });
    bed.clock.advance(hour);
    bed.model.take({ type: 'connected', at: bed.clock.now(), protocol: 'h2', version: null });
    bed.list(gitRepository, control(bed));
    bed.list(kustomization, app(bed, true));
    bed.pass(20_000);
    expect(bed.at('app')).toMatchObject({
      verdict: 'diverged',
      onset: { bound: 'at-least' },
      awaySince: { bound: 'at-least' },
    });
  });

  it('and what changes before our eyes began then', () => {
    open();
    bed.write(kustomization, app(bed, true));
    const at = bed.clock.now();
    bed.pass(1_000);
    expect(bed.at('app')).toMatchObject({ verdict: 'diverged', onset: { time: at, bound: 'exact' } });
  });
});

describe('an end in the middle of a write', () => {
  it('takes what was written last along', () => {
    open();
    bed.write(kustomization, app(bed, true));
    bed.model.stop();
    const last = bed.batches.flatMap((batch) => batch.objects).findLast(({ object }) => object.ref.name === 'app');
    expect(last?.object.verdict).toBe('diverged');
  });

  it('is believed though the clock was set back meanwhile', () => {
    open();
    bed.write(kustomization, app(bed, true));
    bed.clock.set(bed.clock.now() - hour);
    bed.pass(1_000);
    expect(bed.at('app').verdict).toBe('diverged');
  });

  it('that kills it does not lose what the point of return has passed by', () => {
    open();
    bed.pass(10_000);
    const points = () =>
      bed.batches
        .flatMap((batch) => batch.resume)
        .filter((point) => point.kind === 'Kustomization')
        .map((point) => point.resourceVersion);
    bed.write(kustomization, app(bed, true));
    bed.model.take({ type: 'bookmark', at: bed.clock.now(), kind: kustomization, resourceVersion: '999' });
    bed.model.take({ type: 'bookmark', at: bed.clock.now(), kind: gitRepository, resourceVersion: '999' });
    bed.clock.advance(50);
    expect(points()).not.toContain('999');
    bed.pass(10_000);
    expect(points()).toContain('999');
  });
});
