// One thread judges the objects of all clusters: none of them may hold it, however many objects it has and however they depend on each other.
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeClock, type FakeClock } from '#server/runtime/fake-clock.ts';
import { createUnpackedCache } from '../objects/unpacked-cache.ts';
import { createRemoteApplierIndex } from '../remote/remote-applier-index.ts';
import { startBed, type Bed } from '../testing/bed.ts';
import {
  deliveredBy,
  kinds,
  kustomizationSpec,
  listing,
  offering,
  passedWell,
  ready,
  revision,
} from '../testing/objects.ts';

const { kustomization, gitRepository } = kinds;
let clock: FakeClock;
let bed: Bed;

beforeEach(() => {
  clock = fakeClock(Date.UTC(2026, 10, 21, 12, 0, 0));
  const shared = { cluster: 'c1', clock, remotes: createRemoteApplierIndex(() => true) };
  bed = startBed(null, undefined, shared, createUnpackedCache());
});

function control(digit: string) {
  return bed.object(gitRepository, 'control', offering(clock.now(), revision(digit)));
}

describe('a cluster all of whose objects change at once', () => {
  const size = 2_500;
  const app = (index: number) =>
    bed.object(kustomization, `app-${index}`, {
      spec: kustomizationSpec('control'),
      status: passedWell(clock.now(), revision('a')),
    });

  /** Opens it, changes what all apply from, and lets all of that be judged; gives the batches that this made. */
  function change() {
    bed.open([
      [gitRepository, control('a')],
      [kustomization, ...Array.from({ length: size }, (_, index) => app(index))],
    ]);
    const before = bed.batches.length;
    bed.write(gitRepository, control('b'));
    clock.advance(150);
    return bed.batches.slice(before);
  }

  /** Changes what all apply from, and lets time pass until some of them are judged by that. */
  function begin(digit: string): void {
    bed.write(gitRepository, control(digit));
    const before = bed.batches.length;
    for (let ms = 0; ms < 500; ms += 1) {
      if (bed.batches.slice(before).some((batch) => batch.objects.length > 500)) return;
      clock.advance(1);
    }
    throw new Error('nothing is judged');
  }

  it('is judged in turns, between which others have theirs', () => {
    const at = new Set<number>();
    const judged = change().flatMap((batch) => {
      if (batch.objects.length > 0) at.add(batch.at);
      return batch.objects.length > 0 ? [batch.objects.length] : [];
    });
    expect(Math.max(...judged)).toBeLessThan(1_500);
    expect(judged.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(size);
    expect(at.size).toBe(judged.length);
  });

  it('is vouched for, and its watches go on from there, only once all is judged', () => {
    bed.open([
      [gitRepository, control('a')],
      [kustomization, ...Array.from({ length: size }, (_, index) => app(index))],
    ]);
    begin('b');
    const before = bed.batches.length;
    bed.model.renew();
    clock.advance(50);
    const made = bed.batches.slice(before);
    expect(made.findIndex((batch) => batch.cluster !== null)).toBe(
      made.findLastIndex((batch) => batch.objects.length > 0),
    );
    expect(made.findIndex((batch) => batch.cluster !== null)).toBeGreaterThan(0);
  });

  it('loses nothing of what comes and goes while it is judged', () => {
    change();
    begin('c');
    expect(bed.model.inStep()).toBe(false);
    bed.remove(kustomization, app(7));
    bed.write(kustomization, failing('app-8'));
    clock.advance(400);
    expect(() => bed.at('app-7')).toThrow('not recorded');
    expect(bed.at('app-8').verdict).toBe('diverged');
    expect(bed.model.inStep()).toBe(true);
  });

  it('is left without being judged to its end, and nothing is vouched for: whoever reads it next does so anew', () => {
    change();
    begin('c');
    expect(bed.model.inStep()).toBe(false);
    const before = bed.batches.length;
    bed.model.stop();
    const left = bed.batches.slice(before);
    expect(left.reduce((sum, { objects }) => sum + objects.length, 0)).toBeLessThan(1_500);
    expect(left.flatMap(({ resume, cluster }) => [...resume, ...(cluster === null ? [] : [cluster])])).toEqual([]);
    expect(bed.at(`app-${size - 1}`).revision.offered).toBe(revision('b'));
  });

  it('is judged to its end when it is left and little is left to judge', () => {
    change();
    bed.write(kustomization, failing('app-8'));
    bed.model.stop();
    expect(bed.at('app-8').verdict).toBe('diverged');
    expect(bed.batches.at(-1)?.cluster).not.toBe(null);
  });
});

function failing(name: string, labels = {}, inventory = {}) {
  return bed.object(kustomization, name, {
    labels,
    spec: kustomizationSpec('control'),
    status: {
      ...passedWell(clock.now(), revision('a')),
      ...inventory,
      conditions: [ready('False', 'BuildFailed', clock.now())],
    },
  });
}

describe('a long circle', () => {
  const size = 400;
  const nameOf = (index: number): string => `link-${(index + size) % size}`;
  const part = (index: number) => ({
    labels: deliveredBy(nameOf(index - 1)),
    inventory: {
      inventory: {
        entries: [{ id: `flux-system_${nameOf(index + 1)}_kustomize.toolkit.fluxcd.io_Kustomization`, v: 'v1' }],
      },
    },
  });
  // Depends on the one and is delivered by the other: what is wrong goes against the order in which they are judged.
  const link = (index: number) =>
    bed.object(kustomization, nameOf(index), {
      labels: part(index).labels,
      spec: kustomizationSpec('control', { dependsOn: [{ name: nameOf(index + 1) }] }),
      status: { ...passedWell(clock.now(), revision('a')), ...part(index).inventory },
    });

  it('costs as much as it has members, not as much as that times itself', () => {
    bed.open([
      [gitRepository, control('a')],
      [kustomization, ...Array.from({ length: size }, (_, index) => link(index))],
    ]);
    expect(bed.at(nameOf(0)).verdict).toBe('converged');
    const { labels, inventory } = part(5);
    bed.write(kustomization, failing(nameOf(5), labels, inventory));
    clock.advance(115 + 10);
    expect(new Set(Array.from({ length: size }, (_, index) => bed.at(nameOf(index)).verdict))).toEqual(
      new Set(['diverged', 'unconfirmed']),
    );
    expect(bed.model.inStep()).toBe(true);
  });
});

it('a source that is made anew again and again, and that thousands name, is looked up once for all of that', () => {
  const count = 20_000;
  const app = (index: number) =>
    bed.object(kustomization, `app-${index}`, {
      spec: kustomizationSpec('control'),
      status: passedWell(clock.now(), revision('a')),
    });
  bed.open([
    [gitRepository, control('a')],
    [kustomization, ...Array.from({ length: count }, (_, index) => app(index))],
  ]);
  clock.advance(5_000);
  const began = process.cpuUsage().user;
  for (let turn = 0; turn < 500; turn += 1) {
    const source = bed.object(gitRepository, 'control', {
      ...offering(clock.now(), revision('a')),
      uid: `uid-${turn}`,
    });
    bed.write(gitRepository, source);
  }
  expect((process.cpuUsage().user - began) / 1e6).toBeLessThan(0.5);
});

it('a long chain, each delivered by the one before, is judged in time that grows with its length', () => {
  const count = 3_000;
  const link = (index: number, conditions: object = {}) =>
    bed.object(kustomization, `k${index}`, {
      labels: index === 0 ? {} : deliveredBy(`k${index - 1}`),
      spec: kustomizationSpec('control'),
      status: {
        ...passedWell(clock.now(), revision('a')),
        ...listing(`flux-system_k${index + 1}_kustomize.toolkit.fluxcd.io_Kustomization`),
        ...conditions,
      },
    });
  bed.open([
    [gitRepository, control('a')],
    [kustomization, ...Array.from({ length: count }, (_, index) => link(index))],
  ]);
  clock.advance(5_000);
  const began = process.cpuUsage().user;
  bed.write(kustomization, link(0, { conditions: [ready('False', 'BuildFailed', clock.now())] }));
  for (let ms = 0; ms < 3_000; ms += 10) clock.advance(10);
  expect(bed.verdicts(`k${count - 1}`)).toEqual(['converged', 'unconfirmed']);
  expect((process.cpuUsage().user - began) / 1e6).toBeLessThan(1);
});

describe('objects that list tens of thousands that are not there', () => {
  const size = 15;
  const app = (index: number) =>
    bed.object(kustomization, `app-${index}`, {
      spec: kustomizationSpec('control'),
      status: {
        ...passedWell(clock.now(), revision('a')),
        ...listing(...Array.from({ length: 10_000 }, (_, id) => `_${index}-${id}_helm.toolkit.fluxcd.io_HelmRelease`)),
      },
    });

  /** Moments at which any of them was judged since so many batches. */
  const momentsSince = (before: number) =>
    new Set(
      bed.batches
        .slice(before)
        .filter(({ objects }) => objects.some(({ object }) => object.ref.name.startsWith('app')))
        .map(({ at }) => at),
    );

  it('are taken up, and judged, in turns', () => {
    bed.open([[gitRepository, control('a')], [kustomization], [kinds.helmRelease]]);
    let before = bed.batches.length;
    for (let index = 0; index < size; index += 1) bed.write(kustomization, app(index));
    clock.advance(5_000);
    expect(momentsSince(before).size).toBeGreaterThan(1);
    expect(bed.at('app-14').verdict).toBe('converged');
    before = bed.batches.length;
    bed.write(gitRepository, control('b'));
    clock.advance(5_000);
    expect(momentsSince(before).size).toBeGreaterThan(1);
  });
});
