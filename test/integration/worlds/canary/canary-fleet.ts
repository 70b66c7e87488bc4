import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { Alarming } from '#lib/domain/alarm/alarming/fact.ts';
import type { CurrentCluster } from '#lib/domain/record/current.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { noUpstreams } from '#lib/domain/record/upstreams.ts';
import { day, hour, minute } from '#lib/domain/time/length.ts';
import { fakeSha } from '#server/web/testing/fake-git.ts';
import type { MemoryStore } from '#server/web/testing/memory-reader.ts';
import {
  sampleCluster,
  sampleDetail,
  sampleDiverged,
  sampleNow,
  sampleObject,
  sampleRef,
  sourceGroup,
} from '#server/web/testing/sample.ts';
import { apps, canaries, digitsOf, here, ops, repositoryOf, there, type Canary } from './canary-words.ts';

const { elsewhere, beside, home } = canaries;

/** Words that an object of a part of the fleet says, and that are said of it. */
function words(canary: Canary): Partial<Omit<KnownObject, 'ref'>> {
  const [good, bad] = digitsOf[canary].map((digit) => `main@sha1:${fakeSha(digit)}`);
  const revisions = { applied: good ?? null, attempted: bad ?? null, offered: bad ?? null };
  return {
    message: `message ${canary}`,
    sentence: `Sentence ${canary}.`,
    reason: `Reason${canary}`,
    path: `clusters/${canary}`,
    repository: repositoryOf(canary),
    commit: fakeSha(digitsOf[canary][0]),
    revision: revisions,
    commitDiffers: 'yes',
    exemptions: [
      { kind: 'suspended', field: `spec.${canary}`, meaning: `means ${canary}`, by: canary, at: null, reach: null },
    ],
  };
}

/** The same of one whose build fails: a commit has broken it. */
function broken(canary: Canary): Partial<Omit<KnownObject, 'ref'>> {
  const [lastGood, , firstBad] = digitsOf[canary].map((digit) => `main@sha1:${fakeSha(digit)}`);
  const range = { lastGood: lastGood ?? null, firstBad: firstBad ?? null, seenBetween: 0, watched: true };
  return { ...words(canary), verdict: 'diverged', range };
}

const far: ObjectRef = sampleRef({ cluster: there, namespace: apps, name: `root-${elsewhere}` });
const near: ObjectRef = sampleRef({ cluster: here, namespace: ops, name: `root-${beside}` });
/** One that fails by itself in the namespace that most viewers see. */
export const own: ObjectRef = sampleRef({ cluster: here, namespace: apps, name: `broken-${home}` });
/** One that waits for what lies in another namespace. */
export const waiting: ObjectRef = sampleRef({ cluster: here, namespace: apps, name: `by-near-${home}` });
/** The object that each of the parts waits for, or fails by. */
export const roots: Readonly<Record<Canary, ObjectRef>> = { [elsewhere]: far, [beside]: near, [home]: own };

const source: ObjectRef = {
  ...{ cluster: here, group: sourceGroup, kind: 'GitRepository' },
  ...{ namespace: ops, name: `control-${beside}` },
};

/** The source that proves that something of a view is built from its repository. */
const fetched: ObjectRef = { ...source, namespace: apps, name: `control-${home}` };

function waitsFor(canary: Canary, ref: ObjectRef): Partial<Omit<KnownObject, 'ref'>> {
  return {
    ...words(canary),
    verdict: 'waiting',
    reason: 'DependencyNotReady',
    sentence: `It waits for Kustomization ${ref.name} on ${ref.cluster}.`,
    names: [ref],
    message: 'dependency is not ready',
    rootCause: { type: 'object', ref },
    deliveredBy: ref,
    upstreams: { ...noUpstreams, dependsOn: [ref] },
  };
}

/** Objects of the fleet, in every part of it. */
export const canaryObjects: readonly KnownObject[] = [
  sampleObject({ cluster: here, namespace: apps, name: `good-${home}` }, { ...words(home), source: fetched }),
  sampleDiverged(own, { ...broken(home), source }),
  sampleObject({ cluster: here, namespace: apps, name: `by-far-${home}` }, { ...waitsFor(home, far), source }),
  sampleObject(waiting, {
    ...waitsFor(home, near),
    source: { ...near, kind: 'GitRepository', group: sourceGroup },
  }),
  sampleObject(source, { ...words(beside), verdict: 'converged', role: 'source', source: null, path: null }),
  sampleObject(fetched, { ...words(home), verdict: 'converged', role: 'source', source: null, path: null }),
  sampleDiverged(near, broken(beside)),
  sampleObject({ cluster: here, namespace: ops, name: `by-home-${beside}` }, waitsFor(beside, own)),
  sampleDiverged(far, broken(elsewhere)),
  sampleObject({ cluster: there, namespace: apps, name: `other-${elsewhere}` }, words(elsewhere)),
  sampleDiverged({ cluster: there, namespace: ops, name: `deep-${beside}` }, broken(beside)),
];

/** Objects of a namespace that say who is called. */
function alarmingOf(namespace: string, canary: Canary): Alarming['facts'] {
  const object = { namespace, name: `declared-${canary}` };
  const kept = { ...object, uid: `uid-${canary}`, labels: { team: canary }, writtenAt: sampleNow - day, lost: 0 };
  const rule = { group: `group-${canary}`, name: `Declared-${canary}`, expression: 1, holds: 5 * minute };
  return [
    { type: 'notification-provider', ...object, suspended: false, ready: true, calls: 'slack' },
    {
      type: 'notification-alert',
      ...object,
      suspended: true,
      ready: false,
      severity: 'error',
      sources: [{ kind: 'Kustomization', namespace, name: '*', labels: [] }],
      more: false,
      including: [],
      excluding: [],
      provider: `missing-${canary}`,
    },
    { type: 'prometheus-rule', ...kept, rules: [rule] },
    {
      type: 'alertmanager-config',
      ...kept,
      route: { receiver: `receiver-${canary}`, matchers: [], continues: false, routes: [], isWhole: true },
      receivers: [{ name: `receiver-${canary}`, loadedAs: [`${namespace}/receiver-${canary}`], calls: ['slack'] }],
    },
  ];
}

function conflictOf(resource: ObjectRef, owners: readonly ObjectRef[]): CurrentCluster['conflicts'][number] {
  const { group, kind, namespace, name } = resource;
  return {
    kind: 'external-resource',
    resource: { group, kind, namespace, name },
    owners: owners.map((ref) => ({ ref, name: ref.name })),
    why: `both manage one external resource, say ${owners.map(({ name: owner }) => owner).join(' and ')}`,
    since: sampleNow - hour,
  };
}

/** The clusters. */
export const canaryClusters: readonly CurrentCluster[] = [
  sampleCluster(here, {
    labels: { environment: 'production' },
    conflicts: [conflictOf(near, [near, far]), conflictOf(own, [own, near]), conflictOf(far, [far, own])],
    conflictsTotal: 3,
    cautions: [`Its name is wanted by ${there} too.`],
    alarming: { facts: [...alarmingOf(ops, beside), ...alarmingOf(apps, home)], cut: [] },
  }),
  sampleCluster(there, {
    labels: { environment: elsewhere },
    reason: elsewhere,
    conflicts: [conflictOf(far, [far, near])],
    conflictsTotal: 1,
    alarming: { facts: alarmingOf(apps, elsewhere), cut: [] },
  }),
];

/** The part of the fleet in which an object lies. */
export function canaryOf({ cluster, namespace }: ObjectRef): Canary {
  if (namespace === ops) return beside;
  return cluster === there ? elsewhere : home;
}

/** Fills a store with it, and with a record of all of it. */
export function fillWithCanaries(store: MemoryStore): void {
  for (const cluster of canaryClusters) store.cluster(cluster);
  for (const object of canaryObjects) {
    const detail = sampleDetail(object, { children: object.ref.cluster === here ? [near, far, own] : [near] });
    const joined = `depends on ${near.name}, ${far.name} and ${own.name}`;
    const names = [near, far, own] as const;
    const evidence = [...detail.evidence, { from: 'join', text: joined, names, at: sampleNow } as const];
    store.object(object, { ...detail, evidence });
    record(store, object);
  }
  for (const name of [here, there]) {
    store.covered({ cluster: name, kind: null, at: sampleNow - 20 * day, observed: true, state: 'live', reason: null });
    recordOfCluster(store, name);
  }
}

/** Records of a cluster that something was changed and arrived there. */
function recordOfCluster(store: MemoryStore, cluster: string): void {
  const canary = cluster === here ? beside : elsewhere;
  const [at, from, to] = [sampleNow - hour, 'v1', 'v2'];
  const revision = { package: `registry/${canary}`, kind: 'ProviderRevision', name: `provider-${canary}`, from, to };
  const times = { cluster, ref: null, at, notBefore: at, noticedAt: at };
  store.changed({ ...times, fact: { type: 'package-revision', ...revision } });
  const arrived = { offeredAt: at - minute, firstAt: at, lastAt: at + minute, objects: 2 };
  const [commit] = digitsOf[cluster === here ? home : elsewhere];
  store.keep({ arrivals: [{ cluster, commit: fakeSha(commit), ...arrived }] });
}

function record(store: MemoryStore, object: KnownObject): void {
  const { ref, uid, verdict, reason, message, rootCause, commit, revision, range } = object;
  const canary = canaryOf(ref);
  const said = { reason, message, commit, attempted: revision.attempted };
  const at = sampleNow - 10 * day;
  const first = { at, noticedAt: at, bound: 'exact', from: null, to: 'converged' } as const;
  store.transition({ ref, uid, ...first, ...said, rootCause: null });
  if (verdict !== 'converged') {
    const opened = sampleNow - 3 * hour;
    const times = { at: opened, noticedAt: opened + minute, bound: 'exact' } as const;
    store.transition({ ref, uid, ...times, from: 'converged', to: verdict, ...said, rootCause });
    const lasting = {
      openedAt: opened,
      noticedAt: opened + minute,
      bound: 'exact',
      closedAt: null,
      ended: null,
    } as const;
    store.absence({ ref, uid, ...lasting, worst: verdict, reason, rootCause, range });
  }
  const when = sampleNow - 2 * hour;
  const times = { at: when, notBefore: when, noticedAt: when };
  store.changed({
    cluster: ref.cluster,
    ref,
    ...times,
    fact: { type: 'suspended', by: `by-${canary}`, field: 'spec.suspend' },
  });
  const correction = { at: when, certainty: 'confirmed', said: `ConfigMap/${canary} configured`, count: 1 } as const;
  store.keep({ corrections: [{ ref, correction }] });
}
