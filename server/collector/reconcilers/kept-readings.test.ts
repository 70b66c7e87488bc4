import { describe, expect, it } from 'vitest';
import { emptyObservation, type Observation } from '#lib/domain/observation/observation.ts';
import { recordedObjects } from '#test/fixtures/recorded.ts';
import { madeObjects } from '#test/made-objects.ts';
import { outline } from '#test/outline.ts';
import type { NamedKind } from './adapter.ts';
import { adapters, namedKinds } from './registry.ts';
import { observed } from './testing.ts';

const categories: { readonly [folder: string]: readonly string[] } = {
  clusternopresource: ['crossplane', 'managed', 'nop'],
  nopresource: ['crossplane', 'managed', 'nop'],
  bucket: ['composite'],
};

/** All that an object says of itself: what is as `usual` is left out, and its conditions, which stand there verbatim. */
function said({ conditions: _verbatim, ...observation }: Observation, usual: object = emptyObservation): object {
  const nothing = new Map(Object.entries(usual).map(([field, value]) => [field, JSON.stringify(value)]));
  return Object.fromEntries(
    Object.entries(observation).filter(([field, value]) => JSON.stringify(value) !== nothing.get(field)),
  );
}

// A change that is meant is written with `vitest run -u` and read in the diff.
describe('what is read of objects that real controllers wrote is what is kept', () => {
  const folders = Map.groupBy(recordedObjects(), ({ file }) => file.split('/')[0] ?? '');

  it.each([...folders])('%s', async (folder, files) => {
    const read = files.map(({ file, object, receivedAt }) => [
      file.slice(folder.length + 1),
      said(observed(object, categories[folder], receivedAt)),
    ]);
    const kept = `../../../test/fixtures/kept/readings/${folder}.txt`;
    await expect(outline(Object.fromEntries(read), { once: true })).toMatchFileSnapshot(kept);
  });
});

it('what is read of objects as the sources of their controllers write them is what is kept', async () => {
  const read = Object.entries(madeObjects).map(([kind, rows]) => {
    const all = rows.map(([name, { object, categories: by }]) => ({ name, observation: observed(object, by) }));
    const plain = all[0]?.observation;
    return [
      kind,
      Object.fromEntries(all.map(({ name, observation }, n) => [name, said(observation, n === 0 ? undefined : plain)])),
    ];
  });
  const kept = '../../../test/fixtures/kept/readings/made.txt';
  await expect(outline(Object.fromEntries(read), { once: true })).toMatchFileSnapshot(kept);
});

/** An object of a kind that is watched by name, of which nothing is known but this. */
function bare({ group, kind }: NamedKind, rest: object): Observation {
  return observed({ apiVersion: `${group}/v1`, kind, metadata: { name: 'x', namespace: 'y', generation: 2 }, ...rest });
}

it('what is read of an object that says next to nothing, and of one that is switched off, is what is kept', async () => {
  const read = namedKinds.flatMap((kind) => [
    [`${kind.kind}.${kind.group}`, said(bare(kind, {}))],
    [`${kind.kind}.${kind.group} off`, said(bare(kind, { spec: { suspend: true, paused: true, interval: '1m' } }))],
  ]);
  const kept = '../../../test/fixtures/kept/readings/bare.txt';
  await expect(outline(Object.fromEntries(read), { once: true })).toMatchFileSnapshot(kept);
});

/** Reasons that controllers write into Ready, by the source of each (docs/facts), and one that is not known. */
const reasons = [
  ...['ReconciliationSucceeded', 'Progressing', 'ProgressingWithRetry', 'ReconciliationFailed', 'HealthCheckFailed'],
  ...['HealthCheckCanceled', 'DependencyNotReady', 'ArtifactFailed', 'BuildFailed', 'PruneFailed', 'SourceNotReady'],
  ...['HelmChartSyncErr', 'TestFailed', 'InstallFailed', 'UpgradeFailed', 'InvalidChartReference', 'NoSourceArtifact'],
  ...['SourceUnavailable', 'SourceFetchFailed', 'IncludeUnavailable', 'StorageOperationFailed', 'PatchOperationFailed'],
  ...['DirectoryCreationFailed', 'ReadOperationFailed', 'StatOperationFailed', 'AcquireLockFailed', 'AccessDenied'],
  ...['ArchiveOperationFailed', 'SymlinkUpdateFailed', 'ChartPackageError', 'ValuesFilesError', 'ValidationFailed'],
  ...['FeatureGateDisabled', 'ReconciliationDisabled', 'SkippedDueToSchedule', 'GitOperationFailed', 'Healthy'],
  ...['TerraformPlannedWithChanges', 'TFExecPlanFailed', 'TFExecApplyFailed', 'DriftDetected', 'NoDrift', 'Unknown'],
];

it('what a controller means by a reason is what is kept', async () => {
  const lines = namedKinds.flatMap((kind) =>
    (['True', 'False', 'Unknown'] as const).flatMap((status) => {
      const found = Map.groupBy(reasons, (reason) => {
        const ready = { type: 'Ready', status, reason, message: 'm', observedGeneration: 2 };
        const { summary } = bare(kind, { status: { observedGeneration: 2, conditions: [ready] } });
        return 'fault' in summary ? `${summary.said} ${summary.fault}` : summary.said;
      });
      return [...found].map(([said, of]) => `${kind.kind} Ready=${status} ${said}: ${of.join(', ')}`);
    }),
  );
  const kept = '../../../test/fixtures/kept/readings/reasons.txt';
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(kept);
});

it('the register is what is kept: kinds with their plurals, categories, controllers with their Leases, and why a kind is not judged', async () => {
  const register = adapters.map(({ reconciler, kinds, unjudged, unjudgedBy, categories: by, controllers }) => [
    reconciler,
    { kinds, unjudged, unjudgedBy, categories: by, controllers },
  ]);
  const kept = '../../../test/fixtures/kept/readings/register.txt';
  await expect(outline(Object.fromEntries(register), { once: false })).toMatchFileSnapshot(kept);
});
