import { describe, expect, it } from 'vitest';
import { numberAt, parseForeign, textAt } from '#lib/foreign.ts';
import { commonKinds } from '../api/kinds.ts';
import { createKustomization } from '../objects/kustomization.ts';
import { createSource } from '../objects/source.ts';
import { seededRandom } from '../random.ts';
import type { KustomizationHandle, Outcome } from './kustomization-item.ts';
import { startKustomizeController } from './kustomize-controller.ts';
import { startSourceController } from './source-controller.ts';
import type { Fetched, SourceHandle } from './source-controller.ts';
import { conditionOf, createTestPlane } from './test-plane.ts';
import type { TestPlane } from './test-plane.ts';

const random = seededRandom(3);

function offer(revision: string): Fetched {
  const message = `stored artifact for revision '${revision}'`;
  return {
    is: 'fetched',
    offer: { revision, message, reason: 'Succeeded' },
    news: `stored artifact for commit 'raise to ${revision}'`,
  };
}

interface Flux {
  readonly test: TestPlane;
  readonly source: SourceHandle;
  readonly app: KustomizationHandle;
  readonly web: KustomizationHandle;
  killKustomize(): void;
  reviveKustomize(): void;
}

function startFlux(outcome: Outcome = { is: 'ok' }): Flux {
  const test = createTestPlane();
  const { plane, clock } = test;
  const sources = startSourceController(plane, random);
  const kustomize = startKustomizeController(plane, sources, random);
  const spec = { url: 'https://git.acme.example/control-repo.git', ref: { branch: 'main' } };
  const git = {
    kind: commonKinds.gitRepository,
    name: 'control-repo',
    namespace: 'flux-system',
    deliveredBy: null,
    interval: 60,
    spec,
    createdAt: clock.now(),
  };
  const source = sources.add(createSource(git, random), 60_000, () => offer('main@sha1:aaa'));
  const plan = {
    source: { kind: 'GitRepository', name: 'control-repo' },
    interval: 60,
    retryInterval: 20,
    timeout: 60,
    wait: false,
    prune: true,
    inventory: [],
  } as const;
  const traits = {
    interval: 60_000,
    retryInterval: 20_000,
    timeout: 60_000,
    inventory: ['app_app_apps_Deployment'],
    digestOf: (text: string) => `sha256:${text}`,
  };
  const add = (name: string, dependsOn: string[]): KustomizationHandle => {
    const object = createKustomization({ ...plan, name, path: `./${name}`, dependsOn, createdAt: clock.now() }, random);
    return kustomize.add(object, traits);
  };
  const app = add('app', []);
  app.outcome = outcome;
  const web = add('web', ['app']);
  return { test, source, app, web, killKustomize: kustomize.kill, reviveKustomize: kustomize.revive };
}

describe('kustomize-controller', () => {
  it('makes a quiet pass of five writes within 0.3 s, Ready before the revision', () => {
    const { test, app, source } = startFlux();
    test.clock.advance(150_000);
    source.fetch = () => offer('main@sha1:bbb');
    source.poll();
    const writes = test.record(commonKinds.kustomization);
    test.clock.advance(20_000);
    const pass = writes.filter((write) => textAt(write.object, 'metadata', 'name') === 'app');
    expect(
      pass.map((write) => [conditionOf(write.object, 'Ready'), textAt(write.object, 'status', 'lastAppliedRevision')]),
    ).toEqual([
      ['Unknown/Progressing', 'main@sha1:aaa'],
      ['Unknown/Progressing', 'main@sha1:aaa'],
      ['Unknown/Progressing', 'main@sha1:aaa'],
      ['True/ReconciliationSucceeded', 'main@sha1:aaa'],
      ['True/ReconciliationSucceeded', 'main@sha1:bbb'],
    ]);
    expect(pass.map((write) => textAt(write.object, 'status', 'lastAttemptedRevision')?.slice(-3))).toEqual([
      'aaa',
      'bbb',
      'bbb',
      'bbb',
      'bbb',
    ]);
    const [first, last] = [pass[0], pass.at(-1)];
    expect((last?.at ?? Infinity) - (first?.at ?? 0)).toBeLessThan(300);
    expect((last?.at ?? 0) - (pass.at(-2)?.at ?? Infinity)).toBeLessThanOrEqual(10);
    expect(app.object.status.history?.map((entry) => [entry.metadata.revision, entry.lastReconciledStatus])).toEqual([
      ['main@sha1:bbb', 'ReconciliationSucceeded'],
      ['main@sha1:aaa', 'ReconciliationSucceeded'],
    ]);
  });

  it('alternates Unknown and False on every retry of a broken build, and keeps the last good revision', () => {
    const { test, app } = startFlux();
    test.clock.advance(150_000);
    app.outcome = { is: 'build-failed', message: 'kustomize build failed: no such file' };
    const writes = test.record(commonKinds.kustomization);
    test.clock.advance(130_000);
    const statuses = writes
      .filter((write) => textAt(write.object, 'metadata', 'name') === 'app')
      .map((write) => conditionOf(write.object, 'Ready'));
    const firstFailure = statuses.indexOf('False/BuildFailed');
    const settled = statuses.slice(firstFailure).filter((status, index, all) => status !== all[index - 1]);
    expect(settled.slice(0, 4)).toEqual([
      'False/BuildFailed',
      'Unknown/Progressing',
      'False/BuildFailed',
      'Unknown/Progressing',
    ]);
    expect(app.object.status.lastAppliedRevision).toBe('main@sha1:aaa');
    expect(app.object.status.history?.[0]?.lastReconciledStatus).toBe('ReconciliationSucceeded');
  });

  it('records a failed health check in the history, with the inventory already new', () => {
    const { test, app } = startFlux({
      is: 'health-failed',
      message: "timeout waiting for: [Deployment/app/app status: 'InProgress']",
    });
    test.clock.advance(150_000);
    expect(app.object.status.history?.[0]?.lastReconciledStatus).toBe('HealthCheckFailed');
    expect(app.object.status.lastAppliedRevision).toBeUndefined();
    expect(app.object.status.observedGeneration).toBe(-1);
    expect(app.object.status.inventory?.entries).toHaveLength(1);
  });

  it('lets what depends on a broken one wait, in a single write', () => {
    const { test, web } = startFlux({ is: 'build-failed', message: 'no' });
    const writes = test.record(commonKinds.kustomization);
    test.clock.advance(200_000);
    const said = writes.filter(
      (write) => textAt(write.object, 'metadata', 'name') === 'web' && conditionOf(write.object, 'Ready') !== null,
    );
    expect(said.map((write) => conditionOf(write.object, 'Ready')).at(-1)).toBe('False/DependencyNotReady');
    expect(said.length).toBeLessThanOrEqual(2);
    expect(web.object.status.conditions.find((one) => one.type === 'Ready')?.message).toBe(
      "dependency 'flux-system/app' is not ready",
    );
  });

  it('observes the generation of a suspended one and does nothing else', () => {
    const { test, app } = startFlux();
    test.clock.advance(150_000);
    const last = app.object.status.history?.[0]?.lastReconciled;
    app.setSuspended(true, 'kubectl-edit');
    const writes = test.record(commonKinds.kustomization);
    test.clock.advance(300_000);
    const own = writes.filter((write) => textAt(write.object, 'metadata', 'name') === 'app');
    expect(own.map((write) => numberAt(write.object, 'status', 'observedGeneration'))).toEqual([2]);
    expect(app.object.status.history?.[0]?.lastReconciled).toBe(last);
    expect(app.object.metadata.managedFields?.map((entry) => entry.manager)).toContain('kubectl-edit');
  });

  it('says in an event, at the revision that is applied already, that it undid a drift', () => {
    const { test, app } = startFlux();
    test.clock.advance(150_000);
    app.drift('ConfigMap/apps/x');
    test.clock.advance(70_000);
    const events = (test.plane.store.store('events')?.sorted() ?? []).map((stored) =>
      parseForeign(stored.json().toString()),
    );
    const correction = events.filter((event) => textAt(event, 'message') === 'ConfigMap/apps/x configured');
    expect(
      correction.map((event) => [
        textAt(event, 'reason'),
        textAt(event, 'metadata', 'annotations', 'kustomize.toolkit.fluxcd.io/revision'),
      ]),
    ).toEqual([['Progressing', 'main@sha1:aaa']]);
  });

  it('writes nothing while it is dead, and passes again when it is back', () => {
    const { test, killKustomize, reviveKustomize, app } = startFlux();
    test.clock.advance(150_000);
    killKustomize();
    const writes = test.record(commonKinds.kustomization);
    test.clock.advance(600_000);
    expect(writes).toEqual([]);
    const passes = app.object.status.history?.[0]?.totalReconciliations ?? 0;
    reviveKustomize();
    test.clock.advance(5000);
    expect(app.object.status.history?.[0]?.totalReconciliations).toBe(passes + 1);
  });
});

describe('source-controller', () => {
  it('writes nothing where nothing changed, but says so in events', () => {
    const { test } = startFlux();
    test.clock.advance(90_000);
    const writes = test.record(commonKinds.gitRepository);
    test.clock.advance(180_000);
    expect(writes).toEqual([]);
    expect(test.events().some((text) => text.startsWith('GitOperationSucceeded'))).toBe(true);
  });

  it('stores a new artifact in three writes: Ready before the artifact', () => {
    const { test, source } = startFlux();
    test.clock.advance(90_000);
    const writes = test.record(commonKinds.gitRepository);
    source.fetch = () => offer('main@sha1:bbb');
    source.poll();
    test.clock.advance(1000);
    expect(
      writes.map((write) => [
        conditionOf(write.object, 'Ready'),
        textAt(write.object, 'status', 'artifact', 'revision')?.slice(-3),
      ]),
    ).toEqual([
      ['Unknown/Progressing', 'aaa'],
      ['True/Succeeded', 'aaa'],
      ['True/Succeeded', 'bbb'],
    ]);
  });

  it('keeps the old artifact while it fails, with pauses that double, and leaves the applier Ready', () => {
    const { test, source, app } = startFlux();
    test.clock.advance(150_000);
    source.fetch = () => ({ is: 'failed', reason: 'GitOperationFailed', message: 'repository not found' });
    source.poll();
    const writes = test.record(commonKinds.gitRepository);
    test.clock.advance(100_000);
    const failures = writes.filter((write) => conditionOf(write.object, 'Ready') === 'False/GitOperationFailed');
    const pauses = failures.slice(1).map((write, index) => write.at - (failures[index]?.at ?? 0));
    expect(pauses.slice(0, 4).map((pause) => Math.round(pause / 100) / 10)).toEqual([0.8, 1.5, 3, 6]);
    expect(source.object.status.artifact?.revision).toBe('main@sha1:aaa');
    expect(conditionOf(source.object, 'FetchFailed')).toBe('True/GitOperationFailed');
    expect(conditionOf(app.object, 'Ready')).toBe('True/ReconciliationSucceeded');
  });
});
