import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { CurrentCluster } from '#lib/domain/record/current.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { noUpstreams } from '#lib/domain/record/upstreams.ts';
import { day, hour, minute } from '#lib/domain/time/length.ts';
import type { MemoryStore } from '../../testing/memory-reader.ts';
import {
  goodCommit,
  sampleCluster,
  sampleDetail,
  sampleDiverged,
  sampleNow,
  sampleObject,
  sampleRef,
  sampleSource,
} from '../../testing/sample.ts';

/** Words that stand in every word that lies outside of a view: on another cluster, and in another namespace. */
export const canaries = { elsewhere: 'canary-far', beside: 'canary-near' } as const;
/** A cluster of which one viewer sees all, another one namespace. */
export const here = 'eu-west-3';
export const there = `us-${canaries.elsewhere}`;
/** The namespace that the other sees. */
export const apps = 'apps';
const ops = `ops-${canaries.beside}`;

const words = (canary: string): Partial<Omit<KnownObject, 'ref'>> => ({
  message: `message ${canary}`,
  sentence: `Sentence ${canary}.`,
  reason: `Reason${canary}`,
  path: `clusters/${canary}`,
  repository: `https://github.com/acme/${canary}`,
});

const far: ObjectRef = sampleRef({ cluster: there, namespace: apps, name: `root-${canaries.elsewhere}` });
const near: ObjectRef = sampleRef({ cluster: here, namespace: ops, name: `root-${canaries.beside}` });

/** Objects of the fleet; those in `apps` on `here` are seen by both viewers. */
export const canaryObjects: readonly KnownObject[] = [
  sampleObject({ cluster: here, namespace: apps, name: 'good' }),
  sampleDiverged({ cluster: here, namespace: apps, name: 'broken' }),
  sampleObject(
    { cluster: here, namespace: apps, name: 'by-far' },
    {
      verdict: 'waiting',
      reason: 'DependencyNotReady',
      sentence: `It waits for Kustomization ${far.name} on ${far.cluster}.`,
      rootCause: { type: 'object', ref: far },
      deliveredBy: far,
      upstreams: { ...noUpstreams, dependsOn: [far] },
    },
  ),
  sampleObject(
    { cluster: here, namespace: apps, name: 'by-near' },
    {
      verdict: 'waiting',
      reason: 'DependencyNotReady',
      sentence: `It waits for Kustomization ${near.name}.`,
      rootCause: { type: 'object', ref: near },
      source: { ...near, kind: 'GitRepository', group: 'source.toolkit.fluxcd.io' },
      deliveredBy: near,
      upstreams: { ...noUpstreams, dependsOn: [near] },
    },
  ),
  sampleSource(here, { ...words(canaries.beside), verdict: 'converged' }),
  sampleObject(near, { ...words(canaries.beside), verdict: 'diverged' }),
  sampleObject(far, { ...words(canaries.elsewhere), verdict: 'diverged' }),
  sampleObject({ cluster: there, namespace: apps, name: `other-${canaries.elsewhere}` }, words(canaries.elsewhere)),
].map(placed);

/** Sources stand in a namespace that one of the viewers does not see. */
function placed(object: KnownObject): KnownObject {
  const place = (ref: ObjectRef): ObjectRef =>
    ref.cluster === here && ref.namespace === 'flux-system' ? { ...ref, namespace: ops } : ref;
  return { ...object, ref: place(object.ref), source: object.source && place(object.source) };
}

/** The clusters, with the objects among `objects` counted. */
export const canaryClusters: readonly CurrentCluster[] = [
  sampleCluster(here, {
    labels: { environment: 'production' },
    conflicts: [
      {
        kind: 'external-resource',
        resource: { group: near.group, kind: near.kind, namespace: near.namespace, name: near.name },
        owners: [
          { ref: near, name: near.name },
          { ref: far, name: far.name },
        ],
        why: `both manage one external resource, says ${canaries.elsewhere}`,
        since: sampleNow - hour,
      },
    ],
    conflictsTotal: 1,
    cautions: [`Its name is wanted by ${there} too.`],
    alarming: {
      facts: [
        {
          type: 'notification-provider',
          namespace: ops,
          name: `provider-${canaries.beside}`,
          suspended: false,
          ready: true,
          calls: 'slack',
        },
      ],
      cut: [],
    },
  }),
  sampleCluster(there, { labels: { environment: canaries.elsewhere }, reason: canaries.elsewhere }),
];

/** Fills a store with it, and with a record of all of it. */
export function fillWithCanaries(store: MemoryStore): void {
  for (const cluster of canaryClusters) store.cluster(cluster);
  for (const object of canaryObjects) {
    const children = object.ref.cluster === here ? [near, far] : [];
    const detail = sampleDetail(object, { children });
    store.object(object, {
      ...detail,
      evidence: [...detail.evidence, { from: 'join', text: `depends on ${near.name} and ${far.name}`, at: sampleNow }],
    });
    record(store, object);
  }
  for (const name of [here, there])
    store.covered({ cluster: name, kind: null, at: sampleNow - 20 * day, observed: true, state: 'live', reason: null });
}

function record(store: MemoryStore, { ref, uid, verdict, reason, message, rootCause, path }: KnownObject): void {
  const canary = [canaries.elsewhere, canaries.beside].find((word) => ref.name.includes(word) || path?.includes(word));
  const said = { reason, message, commit: goodCommit, attempted: `main@sha1:${goodCommit}` };
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
    store.absence({ ref, uid, ...lasting, worst: verdict, reason, rootCause, range: null });
  }
  const when = sampleNow - 2 * hour;
  const times = { at: when, notBefore: when, noticedAt: when };
  store.changed({
    cluster: ref.cluster,
    ref,
    ...times,
    fact: { type: 'suspended', by: canary ?? 'm.ito', field: 'spec.suspend' },
  });
}
