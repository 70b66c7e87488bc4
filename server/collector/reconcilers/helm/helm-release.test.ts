import { describe, expect, it } from 'vitest';
import type { Observation } from '#lib/domain/observation/observation.ts';
import type { CorrectionMemory } from '../correction-run.ts';
import { corrections } from '../registry.ts';
import { observedEvent, observed } from '../testing.ts';

interface Parts {
  readonly spec?: object;
  readonly status?: object;
}

function release({ spec, status }: Parts = {}): Observation {
  return observed({
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name: 'web', namespace: 'apps', generation: 3 },
    spec: { interval: '5m', driftDetection: { mode: 'enabled' }, ...spec },
    status,
  });
}

function condition(type: string, status: string, reason: string, observedGeneration = 3): object {
  return { type, status, reason, message: `${reason}.`, observedGeneration };
}

const good = condition('Ready', 'True', 'UpgradeSucceeded');
const drifted = condition('Drifted', 'True', 'DriftDetected');

describe('words of a HelmRelease', () => {
  it.each([
    ['ArtifactFailed', 'artifact'],
    ['SourceNotReady', 'artifact'],
    ['DependencyNotReady', 'dependency'],
    ['TestFailed', 'health'],
    ['InstallFailed', 'apply'],
    ['UpgradeFailed', 'apply'],
    ['RollbackFailed', 'apply'],
    ['RollbackSucceeded', 'apply'],
    ['UninstallSucceeded', 'apply'],
    ['ValuesError', 'apply'],
    ['NewReasonOfFlux3', 'apply'],
  ])('Ready=False %s is a failure of %s (remediated is still bad)', (reason, fault) => {
    expect(release({ status: { conditions: [condition('Ready', 'False', reason)] } }).summary).toMatchObject({
      said: 'bad',
      fault,
      reason,
    });
  });

  it('without Ready a good release before tells nothing, a failed one what failed', () => {
    const summaryOf = (status: string, reason: string) =>
      release({ status: { conditions: [condition('Released', status, reason), drifted] } }).summary;
    expect(summaryOf('True', 'UpgradeSucceeded')).toMatchObject({ said: 'busy', before: null });
    expect(summaryOf('False', 'UpgradeFailed')).toMatchObject({ said: 'busy', before: { said: 'bad' } });
  });

  it('retries exceeded is terminal', () => {
    const conditions = [condition('Ready', 'False', 'UpgradeFailed'), condition('Stalled', 'True', 'RetriesExceeded')];
    expect(release({ status: { conditions } }).summary).toMatchObject({ terminal: true });
  });

  it('1: Ready=True with Reconciling=True is a quiet pass', () => {
    const conditions = [good, condition('Reconciling', 'True', 'Progressing')];
    expect(release({ status: { conditions } })).toMatchObject({
      summary: { said: 'good' },
      reconciling: true,
      passes: { seenBy: 'writes' },
    });
  });

  it('Ready=Unknown after a failed release still tells of the failure; after a good one it tells nothing', () => {
    const unknown = condition('Ready', 'Unknown', 'Progressing');
    const failed = [unknown, condition('Released', 'False', 'UpgradeFailed')];
    expect(release({ status: { conditions: failed } }).summary).toMatchObject({
      said: 'busy',
      before: { said: 'bad', reason: 'UpgradeFailed' },
    });
    const fine = [unknown, condition('Released', 'True', 'UpgradeSucceeded')];
    expect(release({ status: { conditions: fine } }).summary).toMatchObject({ said: 'busy', before: null });
  });
});

describe('drift of a HelmRelease (8: three states)', () => {
  it.each<readonly [string, object, object[], string]>([
    ['disabled by default', { driftDetection: undefined }, [good], 'not-measured'],
    [
      'a Drifted of before it was disabled is stale',
      { driftDetection: { mode: 'disabled' } },
      [good, drifted],
      'not-measured',
    ],
    ['warn: what is found stays, with Ready=True', { driftDetection: { mode: 'warn' } }, [good, drifted], 'found'],
    ['enabled: what is found is being undone', {}, [good, drifted], 'found'],
    ['none found', {}, [good, condition('Drifted', 'False', 'NoDriftDetected')], 'none'],
    [
      'judged for an earlier generation',
      { driftDetection: { mode: 'warn' } },
      [good, condition('Drifted', 'True', 'DriftDetected', 2)],
      'not-measured',
    ],
    [
      'not looked for while the release is not in place',
      { driftDetection: { mode: 'warn' } },
      [condition('Ready', 'False', 'UpgradeFailed'), drifted],
      'not-measured',
    ],
    ['helm-controller before 1.6 does not say', {}, [good], 'not-measured'],
    [
      'suspended keeps its word',
      { driftDetection: { mode: 'warn' }, suspend: true },
      [good, condition('Drifted', 'True', 'DriftDetected', 2)],
      'found',
    ],
    ['suspended in enabled mode: nobody undoes it', { suspend: true }, [good, drifted], 'found'],
  ])('%s', (_case, spec, conditions, drift) => {
    expect(release({ spec, status: { conditions } }).drift.drift).toBe(drift);
  });

  it.each([
    [{}, false],
    [{ suspend: true }, true],
    [{ driftDetection: { mode: 'warn' } }, true],
  ])('what is found with %j is left in place: %s', (spec, left) => {
    expect(release({ spec, status: { conditions: [good, drifted] } }).drift).toMatchObject({ drift: 'found', left });
  });

  it.each<readonly [string, object, object[], string]>([
    ['switched off', { driftDetection: undefined }, [good], 'spec.driftDetection.mode is disabled'],
    ['not said', {}, [good], 'helm-controller has not said whether it drifted (it does since Flux 2.9)'],
    [
      'of a former spec',
      {},
      [good, condition('Drifted', 'False', 'NoDriftDetected', 2)],
      'drift was last looked for before the spec changed',
    ],
    [
      'of a failed release',
      {},
      [condition('Ready', 'False', 'UpgradeFailed'), drifted],
      'drift is looked for only once the release is in place',
    ],
    ['not known', {}, [good, condition('Drifted', 'Unknown', 'DriftDetectionFailed')], 'DriftDetectionFailed.'],
  ])('why it is not measured: %s', (_case, spec, conditions, why) => {
    expect(release({ spec, status: { conditions } }).drift).toEqual({ drift: 'not-measured', why });
  });

  it('a correction under way is an overlay', () => {
    expect(release({ status: { conditions: [good, drifted] } })).toMatchObject({
      reconciling: true,
      summary: { said: 'good' },
    });
  });
});

describe('what a HelmRelease runs and depends on', () => {
  it.each([
    [{}, false],
    [{ kubeConfig: { secretRef: { name: 'k' } } }, true],
  ])('with %j its objects live elsewhere: %s', (spec, remote) => {
    expect(release({ spec }).remote).toBe(remote);
  });

  it.each([
    ['web/app', 'web', 'app'],
    ['/app', 'apps', 'apps-web'],
    ['a/app', 'a', 'app'],
    ['app', 'apps', 'apps-web'],
    [undefined, 'apps', 'apps-web'],
  ])('its chart is the one that was made (%s), else the one that is to be', (helmChart, namespace, name) => {
    const spec = { chart: { spec: { chart: 'web', sourceRef: { kind: 'HelmRepository', name: 'r' } } } };
    expect(release({ spec, status: { helmChart } }).source).toEqual({
      cluster: 'test',
      group: 'source.toolkit.fluxcd.io',
      kind: 'HelmChart',
      namespace,
      name,
    });
  });

  it('reads the dates and the digest of each release', () => {
    const entry = { firstDeployed: '2026-11-21T08:00:00Z', lastDeployed: '2026-11-21T09:00:00Z', digest: 'sha256:a' };
    expect(
      release({ status: { history: [{ ...entry, status: 'failed', chartVersion: '1.0.0' }, {}] } }).history,
    ).toEqual([
      {
        status: 'failed',
        revision: '1.0.0',
        digest: 'sha256:a',
        first: Date.parse(entry.firstDeployed),
        last: Date.parse(entry.lastDeployed),
        total: null,
      },
      { status: '', revision: null, digest: null, first: null, last: null, total: null },
    ]);
  });

  it('10: the newest release may be a failed one; what runs is the deployed one', () => {
    const history = [
      { chartVersion: '2.0.0', status: 'failed', version: 3 },
      { chartVersion: '1.0.0', status: 'deployed', version: 2 },
      { chartVersion: '0.9.0', status: 'superseded', version: 1 },
    ];
    expect(release({ status: { history, lastAttemptedRevision: '2.0.0' } }).revisions).toMatchObject({
      applied: '1.0.0',
      attempted: '2.0.0',
    });
    expect(release({ status: { history: history.slice(0, 1) } }).revisions.applied).toBeNull();
  });

  it.each<readonly [string, object, object, string | null]>([
    ['status.helmChart', {}, { helmChart: 'flux-system/apps-web' }, 'HelmChart flux-system/apps-web'],
    [
      'chartRef to an OCIRepository',
      { chartRef: { kind: 'OCIRepository', name: 'oci' } },
      {},
      'OCIRepository apps/oci',
    ],
    [
      'chartRef to an ExternalArtifact',
      { chartRef: { kind: 'ExternalArtifact', name: 'ea', namespace: 'x' } },
      {},
      'ExternalArtifact x/ea',
    ],
    [
      'chart that is not made yet',
      { chart: { spec: { chart: 'c', sourceRef: { kind: 'HelmRepository', name: 'r', namespace: 'repos' } } } },
      {},
      'HelmChart repos/apps-web',
    ],
    ['nothing', {}, {}, null],
  ])('its source by %s', (_case, spec, status, expected) => {
    const { source } = release({ spec, status });
    expect(source === null ? null : `${source.kind} ${source.namespace}/${source.name}`).toBe(expected);
  });
});

describe('corrections of a HelmRelease', () => {
  const event = (
    count: number,
    second: number,
    message = 'Cluster state of release apps/web.v3 has been corrected:\nDeployment/apps/web configured',
  ): Parameters<typeof corrections>[2] =>
    observedEvent({ uid: 'e', reason: 'DriftCorrected', message, count, lastAt: second * 1000 });

  it('DriftCorrected is confirmed; seen again it is not counted again; in a row it is contested', () => {
    const steps: string[] = [];
    let memory: CorrectionMemory | null = null;
    for (const summary of [
      event(1, 300),
      event(1, 300),
      event(2, 600),
      event(5, 1500),
      observedEvent({ reason: 'DriftDetected' }),
    ]) {
      const step = corrections('helm', memory, summary, release(), 2_000_000);
      memory = step?.memory ?? null;
      steps.push(step?.correction ? `${step.correction.certainty} ${step.correction.count}` : 'none');
    }
    expect(steps).toEqual(['confirmed 1', 'none', 'confirmed 1', 'contested 3', 'none']);
  });

  it('a combined event stands for one at least, and says what happened', () => {
    const first = corrections(
      'helm',
      null,
      event(3, 300, '(combined from similar events): Cluster state corrected'),
      release(),
      0,
    );
    expect(first?.correction).toMatchObject({ count: 1, said: 'Cluster state corrected' });
    const next = corrections(
      'helm',
      first?.memory ?? null,
      event(9, 900, '(combined from similar events): Cluster state corrected'),
      release(),
      0,
    );
    expect(next?.correction?.count).toBe(1);
  });
});

it.each([
  [5_000, 5_000],
  [null, 9_000],
])('a correction whose event is of %s is one of %i', (lastAt, at) => {
  const event = observedEvent({
    reason: 'DriftCorrected',
    message: 'Cluster state of release apps/web has been corrected',
    lastAt,
  });
  const step = corrections('helm', null, event, release(), 9_000);
  expect(step?.correction).toEqual({
    at,
    certainty: 'confirmed',
    said: 'Cluster state of release apps/web has been corrected',
    count: 1,
  });
});
