// What stands beside Flux and Crossplane, by its writes; shapes: source-watcher api/v1beta1, tofu-controller api/v1alpha2
// terraform_types.go, argo-cd pkg/apis/application/v1alpha1/types.go.
import { expect, it } from 'vitest';
import { listAt, numberAt, textAt } from '#lib/foreign.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import { commonKinds, neighbourKinds } from '../api/kinds.ts';
import { createSource, settleSource } from '../objects/source.ts';
import { seededRandom } from '../random.ts';
import { runApplication, runArgo } from './argo-controller.ts';
import type { SourceController, SourceHandle } from './source-controller.ts';
import { startSourceController } from './source-controller.ts';
import { startSourceWatcher } from './source-watcher.ts';
import type { TestPlane } from './test-plane.ts';
import { conditionOf, createTestPlane } from './test-plane.ts';
import { startTofuController } from './tofu-controller.ts';

const random = seededRandom(5);

interface Bench extends TestPlane {
  readonly sources: SourceController;
  /** The repository offers another revision. */
  push(revision: string): void;
}

function bench(): Bench {
  const test = createTestPlane(Object.values(neighbourKinds));
  const sources = startSourceController(test.plane, random);
  const createdAt = test.clock.now() - 1000;
  const plan = { kind: commonKinds.gitRepository, name: 'control', namespace: 'flux-system', deliveredBy: null };
  const object = createSource({ ...plan, interval: 60, spec: {}, createdAt }, random);
  const offer = (revision: string) => ({ revision, message: 'stored', reason: 'Succeeded' });
  settleSource(object, offer('main@sha1:a'), createdAt, random);
  const handle: SourceHandle = sources.add(object, hour, () => ({
    is: 'fetched',
    offer: offer('main@sha1:a'),
    news: '',
  }));
  return {
    ...test,
    sources,
    push(revision) {
      handle.fetch = () => ({ is: 'fetched', offer: offer(revision), news: '' });
      handle.poll();
      test.clock.advance(5_000);
    },
  };
}

it('an artifact is made anew where what it copies has changed, and only there', () => {
  const test = bench();
  const watcher = startSourceWatcher(test.plane, test.sources, random);
  const writes = test.record(neighbourKinds.externalArtifact);
  const generators = test.record(neighbourKinds.artifactGenerator);
  const news: string[] = [];
  watcher.artifacts.onArtifact((source) => void news.push(source.kind));
  watcher.add({
    name: 'parts',
    makes: 'assets',
    repository: 'control',
    path: 'apps/web',
    createdAt: test.clock.now() - 9_000,
    digestOf: (revision) => (revision === 'main@sha1:c' ? 'sha256:2' : 'sha256:1'),
  });
  test.push('main@sha1:b');
  expect(writes).toHaveLength(1);
  test.push('main@sha1:c');
  expect(writes.map(({ object }) => textAt(object, 'status', 'artifact', 'revision'))).toEqual([
    'latest@sha256:1',
    'latest@sha256:2',
  ]);
  expect(news).toEqual(['ExternalArtifact', 'GitRepository', 'GitRepository', 'ExternalArtifact']);
  const generator = generators.at(-1)?.object;
  expect(conditionOf(generator, 'Ready')).toBe('True/Succeeded');
  expect(listAt(generator, 'status', 'inventory')).toMatchObject([{ name: 'assets', digest: 'sha256:2' }]);
  expect(watcher.artifacts.find('ExternalArtifact', 'flux-system', 'assets')?.status.artifact?.revision).toBe(
    'latest@sha256:2',
  );
});

it('a Terraform object is compared in each pass, and planned for each revision, which leaves what was applied', () => {
  const test = bench();
  const writes = test.record(neighbourKinds.terraform);
  startTofuController(test.plane, test.sources, random).add({
    name: 'zones',
    repository: 'control',
    path: 'zones',
    interval: 60,
    createdAt: test.clock.now() - 9_000,
  });
  writes.length = 0;
  test.clock.advance(40_000);
  expect(writes.map(({ object }) => conditionOf(object, 'Ready'))).toEqual(['Unknown/Progressing', 'True/NoDrift']);
  test.push('main@sha1:b');
  test.clock.advance(15_000);
  const planned = writes.at(-1)?.object;
  expect(conditionOf(planned, 'Ready')).toBe('True/TerraformPlannedNoChanges');
  expect([textAt(planned, 'status', 'lastPlannedRevision'), textAt(planned, 'status', 'lastAppliedRevision')]).toEqual([
    'main@sha1:b',
    'main@sha1:a',
  ]);
});

it('an Application is compared every two to three minutes, and each write counts', () => {
  const test = bench();
  const writes = test.record(neighbourKinds.application);
  const plan = { name: 'play', repository: 'https://git.example.org/x.git', path: 'play', namespace: 'play' };
  runApplication(
    test.plane,
    { ...plan, workloads: ['api'], syncedAt: test.clock.now() - day, head: () => 'b' },
    random,
  );
  test.clock.advance(600_000);
  expect(writes.length).toBeGreaterThan(3);
  expect(writes.length).toBeLessThan(7);
  const [first, second] = writes.slice(-2);
  expect(textAt(first?.object, 'status', 'reconciledAt')).not.toBe(textAt(second?.object, 'status', 'reconciledAt'));
  expect(numberAt(second?.object, 'metadata', 'generation')).toBe(writes.length + 1);
});

it('what runs the application-controller tells the interval at which it compares', () => {
  const test = bench();
  const sets = test.record(neighbourKinds.statefulSet);
  const maps = test.record(commonKinds.configMap);
  runArgo(test.plane, test.clock.now(), random);
  const [set, map] = [sets[0]?.object, maps[0]?.object];
  expect(JSON.stringify(set)).toContain('"name":"argocd-cm","key":"timeout.reconciliation"');
  expect(textAt(map, 'data', 'timeout.reconciliation')).toBe('120s');
  expect(numberAt(set, 'status', 'availableReplicas')).toBe(1);
});
