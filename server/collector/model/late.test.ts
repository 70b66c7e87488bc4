// What is heard late: after a silence of the cluster, a sleep of the machine, a restart in the middle of a write.
import { afterEach, describe, expect, it } from 'vitest';
import { kinds, kustomizationSpec, offering, passedWell, ready, revision, startBed, type Bed } from './testing/bed.ts';

const { kustomization, gitRepository } = kinds;
const hour = 3_600_000;
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
    bed.pass(20_000);
    expect(bed.batches.flatMap((batch) => batch.transitions)).toHaveLength(before);
    expect(bed.model.cluster()).toMatchObject({ state: 'live' });
    expect(bed.at('app').verdict).toBe('converged');
  });
});

describe('a clock that is set back', () => {
  it('delays nothing', () => {
    open();
    const told = bed.batches.length;
    bed.clock.set(bed.clock.now() - hour);
    bed.renew();
    bed.write(kustomization, app(bed, true));
    bed.pass(20_000);
    expect(bed.at('app').verdict).toBe('diverged');
    expect(bed.at('app').onset.time).toBeLessThanOrEqual(bed.clock.now());
    // What is vouched for in the store is vouched for on the new clock.
    expect(bed.batches.slice(told).findLast((batch) => batch.cluster)?.cluster?.validUntil ?? Infinity).toBeLessThan(
      bed.clock.now() + 60_000,
    );
    bed.stand(90_000);
    expect(bed.at('control').verdict).toBe('stale');
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
