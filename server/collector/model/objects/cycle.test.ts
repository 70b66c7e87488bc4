// What depends on each other in a circle, as Flux's own bootstrap does: its Kustomization delivers the GitRepository that it applies from.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
let bed: Bed;

/** Everything that the Kustomization has applied, as its inventory tells it. */
const applied = listing(
  'flux-system_control_source.toolkit.fluxcd.io_GitRepository',
  ...['web', 'api'].map((name) => `flux-system_${name}_kustomize.toolkit.fluxcd.io_Kustomization`),
);

function base(part: { readonly status?: object; readonly spec?: object; readonly generation?: number } = {}) {
  return bed.object(kustomization, 'base', {
    labels: deliveredBy('base'),
    spec: kustomizationSpec('control'),
    ...part,
    status: { ...passedWell(bed.clock.now() - 1_000, revision('a')), ...applied, ...part.status },
  });
}

function control() {
  return bed.object(gitRepository, 'control', {
    labels: deliveredBy('base'),
    ...offering(bed.clock.now() - 60_000, revision('a')),
  });
}

function app(name: string) {
  return bed.object(kustomization, name, {
    labels: deliveredBy('base'),
    spec: kustomizationSpec('control'),
    status: passedWell(bed.clock.now() - 1_000, revision('a')),
  });
}

beforeEach(() => {
  bed = startBed();
});
afterEach(() => bed.model.stop());

function all(): readonly string[] {
  return ['base', 'control', 'web'].map((name) => bed.at(name).verdict);
}

describe('the circle of the bootstrap', () => {
  beforeEach(() =>
    bed.open([
      [gitRepository, control()],
      [kustomization, base(), app('web')],
    ]),
  );

  it('is converged where nothing is wrong', () => {
    expect(all()).toEqual(['converged', 'converged', 'converged']);
  });

  it('comes back from a failure of its Kustomization', () => {
    const at = bed.clock.now();
    bed.write(
      kustomization,
      base({ status: { ...passedWell(at - 1_000, revision('a')), conditions: [ready('False', 'BuildFailed', at)] } }),
    );
    bed.pass(1_000);
    expect(all()).toEqual(['diverged', 'unconfirmed', 'unconfirmed']);
    bed.write(kustomization, base());
    bed.pass(1_000);
    expect(all()).toEqual(['converged', 'converged', 'converged']);
  });

  it('comes back from a dead controller', () => {
    bed.stand(80_000);
    expect(all()).toEqual(['stale', 'stale', 'stale']);
    bed.pass(20_000);
    expect(all()).toEqual(['converged', 'converged', 'converged']);
  });

  it('comes back from a suspension', () => {
    bed.write(kustomization, base({ generation: 2, spec: kustomizationSpec('control', { suspend: true }) }));
    bed.pass(1_000);
    expect(all()).toEqual(['suspended', 'unconfirmed', 'unconfirmed']);
    bed.write(kustomization, base({ generation: 3, status: passedWell(bed.clock.now(), revision('a'), 3) }));
    bed.pass(1_000);
    expect(all()).toEqual(['converged', 'converged', 'converged']);
  });
});

describe('two that wait for each other', () => {
  it('wait, neither for itself', () => {
    const waits = (name: string, other: string) =>
      bed.object(kustomization, name, {
        spec: kustomizationSpec('control', { dependsOn: [{ name: other }] }),
        status: { conditions: [ready('False', 'DependencyNotReady', bed.clock.now())], observedGeneration: 1 },
      });
    bed.open([
      [gitRepository, control()],
      [kustomization, base(), waits('left', 'right'), waits('right', 'left')],
    ]);
    for (const [name, other] of [
      ['left', 'right'],
      ['right', 'left'],
    ] as const) {
      expect(bed.at(name)).toMatchObject({ verdict: 'waiting', rootCause: { ref: { name: other } } });
      expect(bed.verdicts(name)).toEqual(['waiting']);
    }
  });
});

describe('what a Kustomization delivers is judged after it', () => {
  it('at first sight, though its inventory names it', () => {
    const failing = base({
      status: {
        ...passedWell(bed.clock.now() - 1_000, revision('a')),
        conditions: [ready('False', 'BuildFailed', bed.clock.now())],
      },
    });
    bed.open([
      [gitRepository, control()],
      [kustomization, app('api'), failing, app('web')],
    ]);
    for (const name of ['web', 'api', 'control']) {
      expect(bed.verdicts(name)).toEqual(['unconfirmed']);
      expect(bed.at(name).onset.bound).toBe('at-least');
    }
  });
});
