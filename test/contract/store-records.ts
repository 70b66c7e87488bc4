import { emptyObservation } from '#lib/domain/observation/observation.ts';
import type { CurrentCluster, CurrentObject, ObjectDetail, Transition } from '#lib/domain/record/current.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { noUpstreams } from '#lib/domain/record/upstreams.ts';
import { day } from '#lib/domain/time/length.ts';
import type { WriteBatch } from '#server/store/port/port.ts';

/** A time that every record is counted from (ms since the epoch). */
export const noon = Date.UTC(2026, 10, 21, 12, 0, 0);
const commit = '9f31c07d9f31c07d9f31c07d9f31c07d9f31c07d';
const revision = `main@sha1:${commit}`;

/** The name of the `number`th Kustomization of a cluster. */
export function refOf(cluster: string, number: number): ObjectRef {
  return {
    cluster,
    group: 'kustomize.toolkit.fluxcd.io',
    kind: 'Kustomization',
    namespace: `team-${number % 20}`,
    name: `app-${number}`,
  };
}

/** A converged record. */
export function objectOf(ref: ObjectRef, change: Partial<CurrentObject> = {}): CurrentObject {
  return {
    ref,
    uid: `0b1c2d3e-0000-4000-8000-${ref.name.padStart(12, '0')}`,
    reconciler: 'flux',
    role: 'applier',
    verdict: 'converged',
    was: null,
    reconciling: false,
    rolling: false,
    reason: 'ReconciliationSucceeded',
    message: `Applied revision: ${revision}`,
    sentence: 'Runs what is in git at 9f31c07.',
    onset: { time: noon, bound: 'exact', noticedAt: noon + 20 },
    awaySince: null,
    confirmation: 'pass',
    observedAt: noon + 1000,
    confirmedAt: noon + 900,
    validUntil: noon + 1_800_000,
    revision: { applied: revision, attempted: revision, offered: revision },
    commit,
    commitDiffers: 'no',
    path: `clusters/production/${ref.name}`,
    builds: null,
    source: {
      cluster: ref.cluster,
      group: 'source.toolkit.fluxcd.io',
      kind: 'GitRepository',
      namespace: 'flux-system',
      name: 'control',
    },
    deliveredBy: null,
    upstreams: noUpstreams,
    repository: 'https://git.example.org/acme/control.git',
    rootCause: null,
    range: null,
    drift: 'none',
    exemptions: [],
    ...change,
  };
}

/** A record with every seldom field filled. */
export function brokenObjectOf(ref: ObjectRef): CurrentObject {
  return objectOf(ref, {
    verdict: 'stale',
    was: 'diverged',
    reconciling: true,
    rolling: true,
    reason: 'BuildFailed',
    names: [refOf(ref.cluster, 7)],
    message: 'kustomize build failed: "quoted", ünïcode \u{1f9ea}, line\nbreak',
    onset: { time: noon - 5000, bound: 'at-least', noticedAt: noon },
    awaySince: { time: noon - 9000, bound: 'at-least', noticedAt: noon - 8000, sinceMade: true },
    confirmation: 'none',
    confirmedAt: null,
    validUntil: null,
    revision: { applied: null, attempted: revision, offered: 'main@sha1:2d81' },
    commit: null,
    commitDiffers: 'yes',
    path: null,
    builds: { components: ['../tls'], ignore: '/*\n!/deploy\n', sparse: ['apps/eu'] },
    source: null,
    deliveredBy: refOf(ref.cluster, 0),
    upstreams: {
      sources: [refOf(ref.cluster, 1)],
      dependsOn: [refOf(ref.cluster, 2), refOf(ref.cluster, 3)],
      parent: refOf(ref.cluster, 4),
      provider: refOf(ref.cluster, 5),
      providerConfig: refOf(ref.cluster, 6),
    },
    repository: null,
    rootCause: { type: 'controller', cluster: ref.cluster, namespace: 'flux-system', name: 'kustomize-controller' },
    range: { lastGood: 'main@sha1:2d81', firstBad: revision, seenBetween: 3, watched: true },
    drift: 'found',
    driftedLater: true,
    exemptions: [
      {
        kind: 'prune-disabled',
        field: 'spec.prune',
        meaning: 'what is removed from git stays',
        by: 'kubectl-edit',
        at: noon,
        reach: 12,
      },
    ],
  });
}

/** The detail of a record, about as large as a real one. */
export function detailOf(object: CurrentObject, memory: unknown = { passes: [noon], settled: true }): ObjectDetail {
  const { ref } = object;
  return {
    observation: {
      ...emptyObservation,
      ref,
      reconciler: object.reconciler,
      role: object.role,
      version: 'v1',
      uid: object.uid,
      ownerUid: `${object.uid}-owner`,
      resourceVersion: '48151623',
      createdAt: noon - day,
      finalizers: ['finalizers.fluxcd.io'],
      generation: 3,
      observedGeneration: 3,
      summary: { said: 'good', reason: object.reason, message: object.message },
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: object.reason,
          message: object.message,
          lastTransitionTime: noon,
          observedGeneration: 3,
        },
      ],
      cadence: { interval: 600_000, retryInterval: 120_000, timeout: 300_000 },
      passes: { seenBy: 'history', last: noon, total: 44 },
      revisions: { applied: revision, attempted: revision, artifact: null, origin: null },
      drift: { drift: 'none' },
      path: object.path,
      source: object.source,
      dependsOn: [refOf(ref.cluster, 0)],
      inventory: [`${ref.namespace}_${ref.name}_apps_Deployment`, `${ref.namespace}_${ref.name}__Service`],
      history: [{ status: object.reason, revision, digest: `sha256:${commit}`, first: noon, last: noon, total: 44 }],
      controller: 'kustomize-controller',
      specEditedBy: { manager: 'kustomize-controller', at: noon },
      lastWriteAt: noon,
    },
    evidence: [{ from: 'condition', text: 'Ready=True ReconciliationSucceeded', at: noon }],
    message: object.message,
    target: null,
    corrections: [],
    memory,
  };
}

/** All that objects of a cluster say of who is called: one of each type. */
function alarmingOf(createdAt: number): CurrentCluster['alarming'] {
  return {
    facts: [
      {
        type: 'notification-alert',
        namespace: 'flux-system',
        name: 'on-call',
        suspended: false,
        ready: null,
        severity: 'error',
        sources: [{ kind: 'Kustomization', namespace: 'apps', name: '*', labels: ['app=orders'] }],
        more: false,
        including: [],
        excluding: null,
        provider: 'slack',
      },
      {
        type: 'notification-provider',
        namespace: 'flux-system',
        name: 'slack',
        suspended: true,
        ready: true,
        calls: 'slack',
      },
      {
        ...{ type: 'prometheus-rule', namespace: 'monitoring', name: 'flux', uid: 'u-1', labels: { release: 'old' } },
        ...{ writtenAt: createdAt, lost: 0 },
        rules: [{ group: 'flux', name: 'NotReady', expression: 7, holds: 300_000 }],
      },
      {
        ...{ type: 'alertmanager-config', namespace: 'monitoring', name: 'flux', uid: 'u-2', labels: {} },
        ...{ writtenAt: null, lost: 1 },
        route: { receiver: 'oncall', matchers: [], continues: false, isWhole: true, routes: [] },
        receivers: [{ name: 'oncall', loadedAs: ['monitoring/flux/oncall'], calls: ['pagerduty'] }],
      },
    ],
    cut: ['notification-alert'],
  };
}

/** The record of a living cluster. */
export function clusterOf(name: string, change: Partial<CurrentCluster> = {}): CurrentCluster {
  return {
    name,
    labels: { environment: 'production', region: 'eu' },
    state: 'live',
    since: noon,
    reason: null,
    protocol: 'h2',
    version: 'v1.34.3',
    lastWordAt: noon,
    validUntil: noon + 60_000,
    feeds: [
      {
        group: 'kustomize.toolkit.fluxcd.io',
        kind: 'Kustomization',
        version: 'v1',
        namespaced: true,
        state: 'live',
        since: noon,
        reason: null,
        lastWordAt: noon,
        objects: 3,
      },
    ],
    unread: [{ group: 'fluxcd.controlplane.io', kind: 'FluxReport', why: 'it only reports on others' }],
    probes: { kinds: 12, longest: 58_000 },
    clockAhead: -600_000,
    cautions: ['Its certificate is not verified.'],
    controllers: [
      {
        namespace: 'flux-system',
        name: 'kustomize-controller',
        lease: 'kustomize-controller-leader-election',
        state: 'alive',
        lastMovedAt: noon,
        durationSeconds: 35,
        holder: 'kustomize-controller-6f5b7c9d4-x2x9z',
        transitions: 3,
        version: 'v1.9.4',
        deployment: 'available',
        objects: 3,
      },
    ],
    conflicts: [
      {
        kind: 'two-inventories',
        resource: { group: '', kind: 'ConfigMap', namespace: 'apps', name: 'shared' },
        owners: [
          { ref: refOf(name, 0), name: 'base' },
          { ref: refOf(name, 1), name: 'on-other' },
        ],
        why: 'both have applied it',
        since: noon,
      },
    ],
    conflictsTotal: 1,
    alarming: alarmingOf(noon),
    ...change,
  };
}

/** A change of verdict of an object. */
export function transitionOf(ref: ObjectRef, at: number, change: Partial<Transition> = {}): Transition {
  return {
    ref,
    uid: 'uid',
    at,
    bound: 'exact',
    noticedAt: at + 100,
    from: 'converged',
    to: 'diverged',
    reason: 'BuildFailed',
    message: 'kustomize build failed',
    commit,
    attempted: revision,
    rootCause: null,
    ...change,
  };
}

/** Records with their details. */
export function withDetails(objects: readonly CurrentObject[]): WriteBatch['objects'] {
  return objects.map((object) => ({ object, detail: detailOf(object) }));
}

/** A batch with nothing in it but what is given. */
export function batchOf(change: Partial<WriteBatch> = {}): WriteBatch {
  return {
    at: noon,
    cluster: null,
    objects: [],
    removed: [],
    transitions: [],
    changes: [],
    corrections: [],
    earlier: [],
    arrivals: [],
    confirmations: [],
    coverage: [],
    resume: [],
    ...change,
  };
}
