// The numbered pitfalls of Flux (docs/facts/flux.md), one test each. From the object
// as the API server sends it to the record as every page shows it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { ForeignObject } from '#lib/foreign.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { WatchedKind } from '#server/collector/clusters/cluster-event.ts';
import { startBed, type Bed } from '#server/collector/model/testing/bed.ts';
import {
  deliveredBy,
  listing,
  kinds,
  kustomizationSpec,
  offering,
  passedWell,
  ready,
  revision,
  type ObjectPart,
} from '#server/collector/model/testing/objects.ts';
import { adapterFor } from '#server/collector/reconcilers/registry.ts';

const { kustomization, gitRepository, helmRelease } = kinds;
const a = revision('a');
const b = revision('b');
const commitA = 'a'.repeat(40);
const commitB = 'b'.repeat(40);

function fluxKind(kind: string, group: string = gitRepository.group, version = 'v1'): WatchedKind {
  return { ...gitRepository, group, kind, version, resource: `${kind.toLowerCase()}s` };
}

let bed: Bed;
beforeEach(() => {
  bed = startBed();
});
afterEach(() => bed.model.stop());

/** A Kustomization of control that applied revision a well; `part` is what the pitfall is about. */
function app(part: ObjectPart = {}, spec: object = {}): ForeignObject {
  return bed.object(kustomization, 'app', {
    spec: kustomizationSpec('control', spec),
    status: passedWell(bed.clock.now() - 1_000, a),
    ...part,
  });
}

function control(part: ObjectPart = {}): ForeignObject {
  return bed.object(gitRepository, 'control', { ...offering(bed.clock.now() - minute, a), ...part });
}

/** The statuses of a Kustomization in the middle of a pass, and at the end of one that failed. */
const under = (message = 'Reconciliation in progress') => ({
  ...passedWell(bed.clock.now() - 1_000, a),
  conditions: [
    { ...ready('Unknown', 'Progressing', bed.clock.now()), message },
    { ...ready('True', 'Progressing', bed.clock.now()), type: 'Reconciling', message },
  ],
});
const failed = (reason: string, attempted: string, message = reason) => ({
  ...passedWell(bed.clock.now() - 1_000, a),
  lastAttemptedRevision: attempted,
  conditions: [
    { ...ready('False', reason, bed.clock.now()), message },
    { ...ready('True', 'ProgressingWithRetry', bed.clock.now()), type: 'Reconciling' },
  ],
});

function openUsual(): void {
  bed.open([
    [gitRepository, control()],
    [kustomization, app()],
  ]);
}

function verdictOf(name = 'app'): CurrentObject['verdict'] {
  return bed.at(name).verdict;
}

/** A Helm release of namespace flux-system; `history` newest first. */
function release(part: { readonly spec?: object; readonly status?: object; readonly labels?: ObjectPart['labels'] }) {
  const at = bed.clock.now() - 1_000;
  return bed.object(helmRelease, 'release', {
    labels: part.labels ?? {},
    spec: { interval: '10m', chartRef: { kind: 'OCIRepository', name: 'chart' }, ...part.spec },
    status: {
      observedGeneration: 1,
      conditions: [ready('True', 'InstallSucceeded', at)],
      history: [
        {
          version: 1,
          status: 'deployed',
          chartName: 'app',
          chartVersion: '1.0.0',
          lastDeployed: '2026-11-20T00:00:00Z',
        },
      ],
      ...part.status,
    },
  });
}

describe('Flux', () => {
  describe('1. Ready=Unknown/Progressing on each pass', () => {
    it('keeps the last settled verdict; a pass that takes long is an overlay, one that never ends is not', () => {
      openUsual();
      bed.write(kustomization, app({ status: under() }));
      bed.clock.advance(1_000);
      expect([verdictOf(), bed.at('app').reconciling]).toEqual(['converged', false]);
      bed.pass(10_000);
      expect([verdictOf(), bed.at('app').reconciling, bed.verdicts('app')]).toEqual(['converged', true, ['converged']]);
      bed.pass(31 * minute);
      expect(bed.at('app')).toMatchObject({ verdict: 'stale', reason: 'NoPass', was: 'diverged' });
    });

    it('takes Ready=True with Reconciling=True of a HelmRelease as its usual pass', () => {
      bed.open([[helmRelease, release({})]]);
      const before = bed.verdicts('release');
      const at = bed.clock.now();
      bed.write(
        helmRelease,
        release({
          status: {
            observedGeneration: 1,
            conditions: [
              ready('True', 'InstallSucceeded', at),
              { ...ready('True', 'Progressing', at), type: 'Reconciling', message: 'Fulfilling prerequisites' },
            ],
          },
        }),
      );
      bed.pass(2_000);
      expect(bed.verdicts('release')).toEqual(before);
    });
  });

  it('2. lastTransitionTime is not "since": a failure that is stamped anew with every retry began with the first', () => {
    openUsual();
    const first = bed.clock.now();
    for (let retry = 0; retry < 3; retry += 1) {
      bed.write(kustomization, app({ status: failed('BuildFailed', b, `attempt ${retry}`) }));
      bed.pass(2 * minute);
    }
    expect(bed.at('app')).toMatchObject({
      verdict: 'diverged',
      onset: { time: first, bound: 'exact' },
      awaySince: { time: first, bound: 'exact' },
    });
  });

  it('3. a suspended object keeps Ready=True and observes every generation: it is suspended, never green, with what is beneath', () => {
    openUsual();
    bed.write(
      kustomization,
      app({ generation: 2, status: passedWell(bed.clock.now() - minute, a, 2) }, { suspend: true }),
    );
    bed.pass(minute);
    const suspendedAt = bed.clock.now();
    expect(bed.at('app')).toMatchObject({ verdict: 'suspended', was: 'converged' });
    // A spec edit and a reconcile request look observed and handled though nothing ran.
    const handled = {
      lastHandledReconcileAt: '2026-11-21T09:00:00Z',
      ...passedWell(bed.clock.now() - 2 * minute, a, 3),
    };
    bed.write(kustomization, app({ generation: 3, status: handled }, { suspend: true, path: './other' }));
    bed.pass(60 * minute);
    expect(bed.at('app')).toMatchObject({ verdict: 'suspended', was: 'converged' });
    expect(bed.at('app').confirmedAt).toBeLessThan(suspendedAt);
  });

  describe('4. its source fails, is suspended or is gone, and the Kustomization stays Ready=True', () => {
    it.each([
      ['fails to fetch for longer than max(3 intervals, 5 min)', 'stale'],
      ['is suspended', 'unconfirmed'],
      ['was deleted', 'stale'],
    ] as const)('%s: %s', (what, verdict) => {
      openUsual();
      const at = bed.clock.now();
      const offered = offering(at - minute, a);
      switch (what) {
        case 'is suspended':
          bed.write(gitRepository, control({ generation: 2, spec: { ...offered.spec, suspend: true } }));
          break;
        case 'was deleted':
          bed.remove(gitRepository, control());
          break;
        case 'fails to fetch for longer than max(3 intervals, 5 min)': {
          const fetchFailed = { ...ready('True', 'GitOperationFailed', at), type: 'FetchFailed' };
          const conditions = [ready('False', 'GitOperationFailed', at), fetchFailed];
          bed.write(gitRepository, control({ status: { ...offered.status, conditions } }));
          break;
        }
      }
      for (let passed = 0; passed < 12; passed += 1) {
        bed.write(kustomization, app());
        bed.pass(minute);
      }
      expect(bed.at('app').verdict).toBe(verdict);
      expect(bed.at('app').rootCause).toMatchObject({
        type: 'object',
        ref: { kind: 'GitRepository', name: 'control' },
      });
    });
  });

  it.each([
    ['source-controller', ['control', 'app']],
    ['kustomize-controller', ['app']],
  ] as const)('5. %s is down and everything stays Ready=True for ever: its lease says so', (dead, stale) => {
    openUsual();
    const alive = ['kustomize-controller', 'source-controller', 'helm-controller'].filter((name) => name !== dead);
    const stood = bed.clock.now();
    for (let passed = 0; passed < 12; passed += 1) {
      bed.clock.advance(10_000);
      bed.renew(
        ...[...alive, dead].map((name) => ({
          namespace: 'flux-system',
          name: `${name}-leader-election`,
          holder: 'pod',
          durationSeconds: 35,
          renewTime: name === dead ? stood : bed.clock.now(),
          transitions: 0,
        })),
      );
    }
    bed.clock.advance(50);
    const found = ['control', 'app'].filter((name) => bed.at(name).verdict === 'stale');
    expect(found).toEqual(stale);
    expect(bed.at('app').rootCause).toMatchObject({ type: 'controller', name: dead });
  });

  it('6. lastAppliedRevision lags while health checks fail: what runs is what was attempted', () => {
    openUsual();
    bed.write(gitRepository, control(offering(bed.clock.now(), b)));
    bed.write(kustomization, app({ status: failed('HealthCheckFailed', b) }, { wait: true }));
    bed.pass(2_000);
    expect(bed.at('app')).toMatchObject({
      verdict: 'unhealthy',
      commit: commitB,
      revision: { applied: a, attempted: b },
    });
  });

  describe('7. Kustomizations of one source sit at different revisions during a wave', () => {
    it('which is rolling, within behindAfter, and no verdict of its own', () => {
      bed.open([
        [gitRepository, control()],
        [
          kustomization,
          app({}, { dependsOn: [{ name: 'base' }] }),
          bed.object(kustomization, 'base', {
            spec: kustomizationSpec('control'),
            status: passedWell(bed.clock.now(), a),
          }),
        ],
      ]);
      bed.write(gitRepository, control(offering(bed.clock.now(), b)));
      bed.write(
        kustomization,
        bed.object(kustomization, 'base', {
          spec: kustomizationSpec('control'),
          status: passedWell(bed.clock.now(), b),
        }),
      );
      bed.write(kustomization, app({ status: failed('DependencyNotReady', a) }, { dependsOn: [{ name: 'base' }] }));
      bed.pass(50_000);
      expect(bed.at('app')).toMatchObject({ verdict: 'converged', rolling: true });
      expect(bed.verdicts('app')).toEqual(['converged']);
    });

    it('and a commit that does not touch the path moves the revision with the same digest: nothing was corrected', () => {
      openUsual();
      bed.write(gitRepository, control(offering(bed.clock.now(), b)));
      bed.write(kustomization, app({ status: passedWell(bed.clock.now(), b) }));
      bed.pass(minute);
      expect(bed.at('app')).toMatchObject({ verdict: 'converged', drift: 'none', revision: { applied: b } });
    });
  });

  it.each([
    [{}, undefined, 'converged', 'not-measured'],
    [{ driftDetection: { mode: 'disabled' } }, 'True', 'converged', 'not-measured'],
    [{ driftDetection: { mode: 'warn' } }, 'True', 'drifted', 'found'],
    [{ driftDetection: { mode: 'enabled' } }, 'False', 'converged', 'none'],
  ] as const)('8. a HelmRelease with %j and Drifted=%s is %s, drift %s', (spec, drifted, verdict, drift) => {
    const at = bed.clock.now();
    const conditions = [ready('True', 'InstallSucceeded', at)];
    if (drifted)
      conditions.push({
        ...ready(drifted, drifted === 'True' ? 'DriftDetected' : 'NoDriftDetected', at),
        type: 'Drifted',
      });
    const chart = fluxKind('OCIRepository');
    bed.open([
      [chart, bed.object(chart, 'chart', offering(at, `1.0.0@sha256:${'c'.repeat(64)}`))],
      [
        helmRelease,
        release({
          spec,
          status: {
            observedGeneration: 1,
            conditions,
            history: [{ version: 1, status: 'deployed', chartVersion: '1.0.0' }],
          },
        }),
      ],
    ]);
    expect(bed.at('release')).toMatchObject({ verdict, drift });
  });

  it('9. the commit of a HelmRelease is that of the Kustomization that delivered it', () => {
    const id = 'flux-system_release_helm.toolkit.fluxcd.io_HelmRelease';
    bed.open([
      [gitRepository, control()],
      [kustomization, app({ status: { ...passedWell(bed.clock.now() - 1_000, a), ...listing(id) } })],
      [helmRelease, release({ labels: deliveredBy('app') })],
    ]);
    expect(bed.at('release')).toMatchObject({ commit: commitA, deliveredBy: { name: 'app' } });
  });

  it('10. history[0] of a HelmRelease may be a failed release: what runs is the deployed one', () => {
    const history = [
      { version: 2, status: 'failed', chartName: 'app', chartVersion: '2.0.0' },
      { version: 1, status: 'deployed', chartName: 'app', chartVersion: '1.0.0' },
    ];
    const conditions = [ready('False', 'UpgradeFailed', bed.clock.now())];
    bed.open([
      [
        helmRelease,
        release({ status: { observedGeneration: 1, conditions, history, lastAttemptedRevision: '2.0.0' } }),
      ],
    ]);
    expect(bed.at('release')).toMatchObject({
      verdict: 'diverged',
      revision: { applied: '1.0.0', attempted: '2.0.0' },
    });
  });

  it.each([
    ['no annotation', {}, null],
    ['an annotation', { 'org.opencontainers.image.revision': a }, 'a'.repeat(40)],
    ['a legacy annotation', { 'org.opencontainers.image.revision': `6.1.8/${'d'.repeat(40)}` }, 'd'.repeat(40)],
  ])('11. the revision of an OCI artifact is a digest of the registry: with %s', (_what, metadata, commit) => {
    const digest = `latest@sha256:${'e'.repeat(64)}`;
    const at = bed.clock.now();
    const oci = fluxKind('OCIRepository');
    const offered = offering(at - minute, digest);
    const artifact = { revision: digest, digest: 'sha256:1', lastUpdateTime: '2026-11-20T00:00:00Z', metadata };
    bed.open([
      [
        oci,
        bed.object(oci, 'control', {
          spec: { interval: '1m', url: 'oci://registry.internal/control', ref: { tag: 'latest' } },
          status: { ...offered.status, artifact },
        }),
      ],
      [
        kustomization,
        app({ status: passedWell(at - 1_000, digest) }, { sourceRef: { kind: 'OCIRepository', name: 'control' } }),
      ],
    ]);
    expect(bed.at('app')).toMatchObject({ verdict: 'converged', commit });
  });

  it('12. the inventory of a Kustomization with kubeConfig is on another cluster: nothing here is missing or delivered by it', () => {
    const entries = [{ id: 'flux-system_elsewhere_kustomize.toolkit.fluxcd.io_Kustomization', v: 'v1' }];
    bed.open([
      [gitRepository, control()],
      [
        kustomization,
        app(
          { status: { ...passedWell(bed.clock.now(), a), inventory: { entries } } },
          { kubeConfig: { secretRef: { name: 'other' } } },
        ),
      ],
    ]);
    for (let passed = 0; passed < 12; passed += 1) {
      bed.write(
        kustomization,
        app(
          { status: { ...passedWell(bed.clock.now(), a), inventory: { entries } } },
          { kubeConfig: { secretRef: { name: 'other' } } },
        ),
      );
      bed.pass(minute);
    }
    expect(bed.at('app')).toMatchObject({ verdict: 'converged' });
    expect(bed.at('app').exemptions.map(({ kind }) => kind)).toContain('remote-cluster');
  });

  it('13. a generated chain (ExternalArtifact, ArtifactGenerator, source) is two hops from its commit', () => {
    const at = bed.clock.now();
    const artifact = fluxKind('ExternalArtifact');
    const generator = fluxKind('ArtifactGenerator', 'source.extensions.fluxcd.io', 'v1beta1');
    const digest = `latest@sha256:${'f'.repeat(64)}`;
    const made = {
      conditions: [ready('True', 'Succeeded', at)],
      artifact: {
        revision: digest,
        digest: 'sha256:1',
        lastUpdateTime: '2026-11-20T00:00:00Z',
        metadata: { 'org.opencontainers.image.revision': a },
      },
    };
    bed.open([
      [gitRepository, control()],
      [
        generator,
        bed.object(generator, 'generator', {
          spec: {
            sources: [{ alias: 'control', kind: 'GitRepository', name: 'control' }],
            artifacts: [{ name: 'made', originRevision: '@control' }],
          },
          status: {
            observedGeneration: 1,
            conditions: [ready('True', 'Ready', at)],
            inventory: [{ name: 'made', namespace: 'flux-system', digest: 'sha256:1' }],
          },
        }),
      ],
      [
        artifact,
        bed.object(artifact, 'made', {
          spec: {
            sourceRef: {
              apiVersion: 'source.extensions.fluxcd.io/v1beta1',
              kind: 'ArtifactGenerator',
              name: 'generator',
            },
          },
          status: made,
        }),
      ],
      [
        kustomization,
        app(
          { status: { ...passedWell(at - 1_000, digest), lastAppliedOriginRevision: a } },
          { sourceRef: { kind: 'ExternalArtifact', name: 'made' } },
        ),
      ],
    ]);
    expect(bed.at('app').commit).toBe(commitA);
    bed.remove(gitRepository, control());
    bed.pass(2 * minute);
    expect(bed.at('app').verdict).not.toBe('converged');
    expect(bed.at('app').rootCause).toMatchObject({ type: 'object', ref: { kind: 'GitRepository', name: 'control' } });
  });

  it.each([
    [{ 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' }, {}, 'reconcile-disabled'],
    [{ 'kustomize.toolkit.fluxcd.io/ssa': 'Ignore' }, {}, 'reconcile-disabled'],
    [{ 'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent' }, {}, 'reconcile-disabled'],
    [{ 'kustomize.toolkit.fluxcd.io/ssa': 'Merge' }, {}, 'apply-restricted'],
    [{}, { ignore: [{ paths: ['/spec/replicas'] }] }, 'drift-ignored'],
    [{}, { prune: false }, 'prune-disabled'],
  ])('14. an opt-out, annotations %j and spec %j, is found: %s', (annotations, spec, found) => {
    bed.open([
      [gitRepository, control()],
      [kustomization, app({ annotations }, spec)],
    ]);
    expect(bed.at('app').exemptions.map(({ kind }) => kind)).toContain(found);
  });

  it('14. so is a HelmRelease that ignores paths', () => {
    bed.open([
      [
        helmRelease,
        release({ spec: { driftDetection: { mode: 'enabled', ignore: [{ paths: ['/spec/replicas'] }] } } }),
      ],
    ]);
    expect(bed.at('release').exemptions.map(({ kind }) => kind)).toContain('drift-ignored');
  });

  it('15. a diff needs the right to patch: drift of a Kustomization is told by what its controller did, never asked of the API', () => {
    // That nothing but GET and two reviews can leave is shown by test/integration/only-get.test.ts.
    openUsual();
    expect(bed.at('app').drift).toBe('none');
    expect(bed.at('app').sentence).not.toMatch(/diff/i);
  });

  it('16. messages hold secrets and are long: they are redacted and cut before they are stored', () => {
    openUsual();
    const secret = 'https://robot:hunter2-canary@git.example.org/acme/control.git';
    bed.write(kustomization, app({ status: failed('BuildFailed', b, `cannot clone ${secret} ${'x'.repeat(40_000)}`) }));
    bed.pass(2_000);
    const { message } = bed.at('app');
    expect(message.length).toBeLessThanOrEqual(1_024);
    expect(JSON.stringify(bed.batches)).not.toContain('hunter2-canary');
    expect(message).toContain('cannot clone https://');
  });

  it('17. a FluxReport is five minutes old and counts Unknown as running: it is not read', () => {
    expect(
      adapterFor({ group: 'fluxcd.controlplane.io', kind: 'FluxReport', categories: ['all', 'fluxcd'] }),
    ).toBeNull();
  });

  it('18. forbidden and unreachable are states of their own, never an empty list', () => {
    openUsual();
    bed.feed(kustomization, { state: 'forbidden', fault: { type: 'forbidden', message: 'cannot list' } });
    bed.pass(minute);
    expect(bed.stored().objects.map(({ object }) => object.ref.name)).toContain('app');
    const feed = bed.model.cluster().feeds.find(({ kind }) => kind === 'Kustomization');
    expect(feed).toMatchObject({ state: 'forbidden' });
    bed.model.take({ type: 'disconnected', at: bed.clock.now(), fault: { type: 'unreachable', message: 'no route' } });
    bed.clock.advance(minute);
    expect(bed.model.cluster().state).toBe('unreachable');
    expect(bed.stored().objects.map(({ object }) => object.ref.name)).toContain('app');
  });

  it('19. a kind that is not served is not a kind without objects', () => {
    const chart = fluxKind('HelmChart');
    bed.open([[gitRepository, control()], [kustomization, app()], [chart]]);
    bed.model.take({
      type: 'kinds',
      at: bed.clock.now(),
      kinds: [gitRepository, kustomization, chart],
      absent: [fluxKind('Bucket')],
    });
    bed.feed(chart, { state: 'idle' });
    bed.clock.advance(200);
    const states = Object.fromEntries(bed.model.cluster().feeds.map(({ kind, state }) => [kind, state]));
    expect(states).toMatchObject({ HelmChart: 'idle', Bucket: 'absent', Kustomization: 'live' });
  });

  // Behind the name stands a hash of the label selector: sharding.fluxcd.io/key=shard1, and !sharding.fluxcd.io/key
  // (fluxcd/pkg runtime/leaderelection, GenerateID).
  it.each([
    ['its shard has died', 'kustomize-controller-leader-election-73fdc1be', 'shard1', 'stale'],
    ['another shard has died', 'kustomize-controller-leader-election-73fdc1be', null, 'converged'],
    ['the controller of no shard has died', 'kustomize-controller-leader-election-42da7484', 'shard1', 'converged'],
    ['its controller of no shard has died', 'kustomize-controller-leader-election-42da7484', null, 'stale'],
  ] as const)('20. sharded controllers: %s', (_what, dead, shard, verdict) => {
    const names = [
      'source-controller-leader-election',
      'kustomize-controller-leader-election-42da7484',
      'kustomize-controller-leader-election-73fdc1be',
    ];
    const at = bed.clock.now();
    const renew = (stands: string | null): void =>
      bed.renew(
        ...names.map((name) => ({
          namespace: 'flux-system',
          name,
          holder: 'pod',
          durationSeconds: 35,
          renewTime: name === stands ? at : bed.clock.now(),
          transitions: 0,
        })),
      );
    bed.model.take({ type: 'connected', at, protocol: 'h2', version: 'v1.34.3' });
    bed.model.take({ type: 'kinds', at, kinds: [gitRepository, kustomization], absent: [] });
    bed.list(gitRepository, control());
    bed.list(kustomization, app({ labels: shard === null ? {} : { 'sharding.fluxcd.io/key': shard } }));
    for (let round = 0; round < 14; round += 1) {
      renew(round > 2 ? dead : null);
      bed.clock.advance(10_000);
    }
    expect(bed.at('app').verdict).toBe(verdict);
  });
});
