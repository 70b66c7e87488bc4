import { describe, expect, it } from 'vitest';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { observed } from '../testing.ts';

function source(kind: string, spec: object, status: object = {}, metadata: object = {}): Observation {
  const group = kind === 'ArtifactGenerator' ? 'source.extensions.fluxcd.io/v1beta1' : 'source.toolkit.fluxcd.io/v1';
  return observed({
    apiVersion: group,
    kind,
    metadata: { name: 'x', namespace: 'flux-system', generation: 1, ...metadata },
    spec,
    status,
  });
}

function condition(type: string, status: string, reason: string): object {
  return { type, status, reason, message: 'm', observedGeneration: 1 };
}

const artifact = {
  revision: 'main@sha1:ab00a320eb789dbf2deff7bf3de6752bfc745ba4',
  digest: 'sha256:x',
  url: 'http://sc/x',
};

describe('words of sources', () => {
  it.each([
    ['GitOperationFailed', 'fetch'],
    ['AuthenticationFailed', 'fetch'],
    ['VerificationError', 'fetch'],
    ['OCIArtifactPullFailed', 'fetch'],
    ['IndexationFailed', 'fetch'],
    ['BucketOperationFailed', 'fetch'],
    ['ChartPullError', 'fetch'],
    ['NewReasonOfFlux3', 'fetch'],
    ['InvalidChartReference', 'artifact'],
    ['NoSourceArtifact', 'artifact'],
    ['StorageOperationFailed', 'apply'],
    ['ArchiveOperationFailed', 'apply'],
    ['DirectoryCreationFailed', 'apply'],
    ['ChartPackageError', 'apply'],
  ])('Ready=False %s is a failure of %s', (reason, fault) => {
    expect(source('GitRepository', {}, { conditions: [condition('Ready', 'False', reason)] }).summary).toMatchObject({
      said: 'bad',
      fault,
      reason,
    });
  });

  it.each([
    ['FetchFailed', 'fetch'],
    ['BuildFailed', 'apply'],
    ['StorageOperationFailed', 'apply'],
    ['IncludeUnavailable', 'artifact'],
  ])('%s stays True through the next pass, as a failure of %s', (type, fault) => {
    const conditions = [condition('Ready', 'Unknown', 'Progressing'), condition(type, 'True', type)];
    expect(source('GitRepository', {}, { conditions }).summary).toMatchObject({ before: { said: 'bad', fault } });
  });

  it.each<readonly [string, object, string | null, string | null]>([
    ['Bucket', { endpoint: 's3.example.org', bucketName: 'b' }, 's3.example.org/b', 'prefix /'],
    ['Bucket', { endpoint: 's3.example.org', prefix: 'p' }, 's3.example.org/', 'prefix p'],
    ['Bucket', { bucketName: 'b' }, null, null],
    ['GitRepository', { url: 'u', ref: { commit: '', tag: 'v1' } }, 'u', 'tag v1'],
    ['OCIRepository', { url: 'u', ref: { digest: '', semver: '1.x' } }, 'u', 'semver 1.x'],
    ['OCIRepository', { url: 'u', ref: { digest: '', semver: '', tag: '' } }, 'u', 'tag latest'],
    ['HelmChart', { version: '1.2.3', sourceRef: { kind: 'HelmRepository', name: 'r' } }, null, null],
  ])('%s %j points to %s, %s', (kind, spec, url, reference) => {
    const { target } = source(kind, spec);
    expect(target === null ? [null, null] : [target.url, target.reference]).toEqual([url, reference]);
  });

  it('FetchFailed stays True through the next pass and tells what was before', () => {
    const conditions = [
      condition('Ready', 'Unknown', 'Progressing'),
      condition('FetchFailed', 'True', 'GitOperationFailed'),
    ];
    const observation = source('GitRepository', {}, { conditions, artifact });
    expect(observation.summary).toMatchObject({ said: 'busy', before: { said: 'bad', fault: 'fetch' } });
    expect(observation.passes.seenBy).toBe('writes');
    expect(observation.hasArtifact).toBe(true);
  });

  it('a source in good state is never written: it shows no passes', () => {
    expect(
      source('GitRepository', {}, { conditions: [condition('Ready', 'True', 'Succeeded')], artifact }).passes.seenBy,
    ).toBe('none');
  });

  it('HelmRepository of type oci has no status by design, and nothing to wait for', () => {
    expect(source('HelmRepository', { type: 'oci', url: 'oci://ghcr.io/x' })).toMatchObject({
      summary: { said: 'static' },
      hasArtifact: true,
    });
    expect(source('HelmRepository', { url: 'https://charts.example.org' })).toMatchObject({
      summary: { said: 'nothing' },
      hasArtifact: false,
    });
  });

  it.each([
    [{ artifact }, true],
    [{}, false],
    [{ artifact, conditions: [condition('ArtifactInStorage', 'True', 'Succeeded')] }, true],
    [{ artifact, conditions: [condition('ArtifactInStorage', 'False', 'Gone')] }, false],
  ])('holds an artifact (%#): %s', (status, holds) => {
    expect(source('GitRepository', {}, status).hasArtifact).toBe(holds);
  });
});

describe('rules by which a GitRepository leaves files out', () => {
  it.each<readonly [string, object, string | null]>([
    ['none', {}, ''],
    ['null', { ignore: null }, ''],
    ['an empty text', { ignore: '' }, ''],
    ['some', { ignore: '# docs\n/*\n!/deploy\n' }, '# docs\n/*\n!/deploy\n'],
    ['more than is kept', { ignore: '/a\n'.repeat(1_000) }, null],
    ['what is not kept', { ignore: 'token=ghp_0123456789abcdefghijABCDEFGHIJ012345' }, null],
    ['no text', { ignore: 7 }, null],
  ])('%s', (_, spec, ignore) => {
    expect(source('GitRepository', spec).builds).toEqual({ components: [], ignore, sparse: [] });
  });

  it.each<readonly [string, object, readonly string[] | null]>([
    [
      'the directories alone that it checks out',
      { sparseCheckout: ['./apps/eu', 'base', './.'] },
      ['apps/eu', 'base', '.'],
    ],
    ['all of them', { sparseCheckout: [] }, []],
    ['null', { sparseCheckout: null }, []],
    ['no list', { sparseCheckout: 'apps' }, null],
    ['more than are kept', { sparseCheckout: Array.from({ length: 300 }, (_, n) => `apps/${n}`) }, null],
    ['too long together', { sparseCheckout: Array.from({ length: 5 }, (_, n) => `${n}${'a'.repeat(1_000)}`) }, null],
    ['what is not kept', { sparseCheckout: ['token=ghp_0123456789abcdefghijABCDEFGHIJ012345'] }, null],
  ])('by directories: %s', (_, spec, sparse) => {
    expect(source('GitRepository', spec).builds).toEqual({ components: [], ignore: '', sparse });
  });

  it('are not those of a Bucket, which holds no commits', () => {
    expect(source('Bucket', { ignore: '/*' }).builds).toBeUndefined();
  });
});

describe('targets and floating references', () => {
  it.each<readonly [string, object, string, boolean, boolean]>([
    ['GitRepository', { url: 'https://u:canary@h/r', ref: { branch: 'main' } }, 'branch main', true, false],
    ['GitRepository', { url: 'https://h/r' }, 'branch master', true, false],
    ['GitRepository', { url: 'https://h/r', ref: { branch: 'main', tag: 'v1' } }, 'tag v1', true, true],
    ['GitRepository', { url: 'https://h/r', ref: { semver: '>=1', tag: 'v1' } }, 'semver >=1', true, true],
    ['GitRepository', { url: 'https://h/r', ref: { name: 'refs/heads/main' } }, 'name refs/heads/main', true, false],
    [
      'GitRepository',
      { url: 'https://h/r', ref: { name: 'refs/pull/420/head' } },
      'name refs/pull/420/head',
      true,
      true,
    ],
    ['GitRepository', { url: 'https://h/r', ref: { commit: 'abc', branch: 'main' } }, 'commit abc', false, false],
    ['OCIRepository', { url: 'oci://h/r' }, 'tag latest', true, true],
    ['OCIRepository', { url: 'oci://h/r', ref: { semver: '1.x', tag: 'x' } }, 'semver 1.x', true, true],
    ['OCIRepository', { url: 'oci://h/r', ref: { digest: 'sha256:aa', tag: 'x' } }, 'digest sha256:aa', false, false],
    ['HelmRepository', { url: 'https://h/charts' }, 'index', true, false],
    ['Bucket', { endpoint: 's3.example.org', bucketName: 'b' }, 'prefix /', true, true],
  ])('%s %j is %s', (kind, spec, reference, floating, exempt) => {
    const observation = source(kind, spec);
    expect(observation.target).toMatchObject({ reference, floating });
    expect(observation.exemptions.map((one) => one.kind).includes('floating-reference')).toBe(exempt);
    expect(JSON.stringify(observation)).not.toContain('canary');
  });

  it.each([
    ['*', true],
    [undefined, true],
    ['>=1.0.0 <2.0.0', true],
    ['1.x', true],
    ['6.0.3', false],
    ['6.0.3-rc.1', false],
  ])('a chart of version %j from a repository floats: %s', (version, exempt) => {
    const chart = source('HelmChart', { chart: 'demo', version, sourceRef: { kind: 'HelmRepository', name: 'r' } });
    expect(chart.exemptions.map((one) => one.kind)).toEqual(exempt ? ['floating-reference'] : []);
    expect(chart.source).toMatchObject({ kind: 'HelmRepository', name: 'r' });
  });

  it('a chart from git does not: its directory decides', () => {
    expect(
      source('HelmChart', { chart: './c', version: '*', sourceRef: { kind: 'GitRepository', name: 'g' } }).exemptions,
    ).toEqual([]);
  });
});

describe('what lies behind an artifact', () => {
  it('includes of a GitRepository are sources of a source', () => {
    const include = [{ repository: { name: 'lib' }, fromPath: 'deploy', toPath: 'lib' }, { repository: {} }];
    expect(source('GitRepository', { include }).otherSources).toMatchObject([
      { kind: 'GitRepository', namespace: 'flux-system', name: 'lib' },
    ]);
    expect(source('Bucket', { include }).otherSources).toEqual([]);
  });

  it('11: the repository that an OCI artifact is annotated with is told without user information', () => {
    const metadata = { 'org.opencontainers.image.source': 'https://bot:canary@git.example.org/acme/control.git' };
    const observation = source('OCIRepository', {}, { artifact: { revision: 'latest@sha256:aa', metadata } });
    expect(observation.originUrl).toBe('https://git.example.org/acme/control.git');
  });

  it('11: an OCI artifact is annotated with its git revision', () => {
    const metadata = { 'org.opencontainers.image.revision': '6.1.8/b3b00fe35424a45d373bf4c7214178bc36fd7872' };
    expect(
      source('OCIRepository', {}, { artifact: { revision: 'latest@sha256:aa', metadata } }).revisions,
    ).toMatchObject({
      artifact: 'latest@sha256:aa',
      origin: metadata['org.opencontainers.image.revision'],
    });
  });

  it('a chart from git names the revision that it was packaged from', () => {
    expect(source('HelmChart', {}, { observedSourceArtifactRevision: artifact.revision }).revisions.origin).toBe(
      artifact.revision,
    );
  });

  it('13: an ExternalArtifact has no generation and names its generator', () => {
    const sourceRef = { apiVersion: 'source.extensions.fluxcd.io/v1beta1', kind: 'ArtifactGenerator', name: 'gen' };
    const observation = source(
      'ExternalArtifact',
      { sourceRef },
      {
        artifact: { revision: 'latest@sha256:aa' },
        conditions: [{ type: 'Ready', status: 'True', reason: 'Succeeded' }],
      },
    );
    expect(observation).toMatchObject({
      observedGeneration: null,
      summary: { said: 'good' },
      hasArtifact: true,
      controller: 'source-watcher',
    });
    expect(observation.source).toMatchObject({
      group: 'source.extensions.fluxcd.io',
      kind: 'ArtifactGenerator',
      namespace: 'flux-system',
    });
  });

  it('13: an ArtifactGenerator depends on its sources, and is switched off by annotation', () => {
    const spec = {
      sources: [
        { alias: 'a', kind: 'GitRepository', name: 'one' },
        { alias: 'b', kind: 'OCIRepository', name: 'two', namespace: 'apps' },
      ],
    };
    const inventory = [{ name: 'made', namespace: 'flux-system', digest: 'sha256:aa', filename: 'aa.tar.gz' }];
    const on = source('ArtifactGenerator', spec, { inventory });
    expect(on).toMatchObject({
      suspended: null,
      hasArtifact: true,
      source: { name: 'one' },
      otherSources: [{ kind: 'OCIRepository', name: 'two', namespace: 'apps' }],
      dependsOn: [],
      inventory: ['flux-system_made_source.toolkit.fluxcd.io_ExternalArtifact'],
    });
    const off = source(
      'ArtifactGenerator',
      spec,
      {},
      { annotations: { 'source.extensions.fluxcd.io/reconcile': 'disabled' } },
    );
    expect(off.suspended?.field).toBe('metadata.annotations[source.extensions.fluxcd.io/reconcile]');
    expect(off.exemptions.map((one) => one.kind)).toContain('suspended');
  });

  it('an ExternalArtifact that something else makes has no loop that is known', () => {
    const sourceRef = { apiVersion: 'example.org/v1', kind: 'Publisher', name: 'p' };
    expect(source('ExternalArtifact', { sourceRef }).controller).toBeNull();
    expect(source('ExternalArtifact', {}).controller).toBeNull();
  });

  // source-watcher internal/controller/artifactgenerator_controller.go, artifactgenerator_validation.go, artifactgenerator_status.go.
  it.each<readonly [string, object[], string]>([
    ['made what it should', [condition('Ready', 'True', 'Succeeded')], 'good'],
    [
      'in a pass',
      [condition('Ready', 'Unknown', 'Progressing'), condition('Reconciling', 'True', 'Progressing')],
      'busy',
    ],
    ['a source of it has no artifact', [condition('Ready', 'False', 'SourceFetchFailed')], 'bad artifact'],
    ['the same before 2.7.1', [condition('Ready', 'False', 'ArtifactFailed')], 'bad artifact'],
    ['a copy finds nothing', [condition('Ready', 'False', 'BuildFailed')], 'bad apply'],
    ['its artifact cannot be written', [condition('Ready', 'False', 'ReconciliationFailed')], 'bad apply'],
    [
      'a spec that cannot be',
      [condition('Ready', 'False', 'ValidationFailed'), condition('Stalled', 'True', 'ValidationFailed')],
      'bad apply for good',
    ],
    [
      'a source of another namespace, where that is forbidden',
      [condition('Ready', 'False', 'AccessDenied'), condition('Stalled', 'True', 'AccessDenied')],
      'bad apply for good',
    ],
    [
      'switched off from birth, it says Ready of nothing',
      [condition('Ready', 'True', 'ReconciliationDisabled')],
      'nothing',
    ],
  ])('an ArtifactGenerator: %s', (_case, conditions, words) => {
    const { summary } = source('ArtifactGenerator', { sources: [] }, { conditions });
    const end = summary.said === 'bad' && summary.terminal ? ' for good' : '';
    expect(summary.said === 'bad' ? `bad ${summary.fault}${end}` : summary.said).toBe(words);
  });
});
