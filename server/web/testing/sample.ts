import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { emptyObservation } from '#lib/domain/observation/observation.ts';
import type { CommitRange } from '#lib/domain/record/commit-range.ts';
import type { CurrentCluster, CurrentFeed, ObjectDetail } from '#lib/domain/record/current.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { noUpstreams } from '#lib/domain/record/upstreams.ts';
import { day, hour } from '#lib/domain/time/length.ts';

export const kustomizeGroup = 'kustomize.toolkit.fluxcd.io';
export const sourceGroup = 'source.toolkit.fluxcd.io';
export const helmGroup = 'helm.toolkit.fluxcd.io';

/** The moment at which samples were last received (ms). */
export const sampleNow = Date.UTC(2026, 10, 21, 2, 0, 0);
export const goodCommit = '2d81a0c4a0c42d81a0c4a0c42d81a0c4a0c42d81';
export const badCommit = '9f31c07d9f31c07d9f31c07d9f31c07d9f31c07d';
const [good, bad] = [`main@sha1:${goodCommit}`, `main@sha1:${badCommit}`];

export type SampleRef = Partial<ObjectRef> & { readonly name: string };

/** A reference to a Kustomization in flux-system on eu-west-3, where nothing else is said. */
export function sampleRef(ref: SampleRef): ObjectRef {
  return { cluster: 'eu-west-3', group: kustomizeGroup, kind: 'Kustomization', namespace: 'flux-system', ...ref };
}

/** A converged Kustomization, confirmed for the next 10 min, where nothing else is said. */
export function sampleObject(ref: SampleRef, rest: Partial<Omit<KnownObject, 'ref'>> = {}): KnownObject {
  const onset = { time: sampleNow - hour, bound: 'exact' as const, noticedAt: sampleNow - hour };
  const full = sampleRef(ref);
  const away = rest.verdict !== undefined && rest.verdict !== 'converged';
  return {
    ref: full,
    uid: `uid-${full.cluster}-${full.kind}-${full.name}`,
    reconciler: 'flux',
    role: 'applier',
    verdict: 'converged',
    was: null,
    reconciling: false,
    rolling: false,
    reason: 'ReconciliationSucceeded',
    message: 'Applied revision',
    sentence: 'What is in git is what runs.',
    onset,
    awaySince: away ? onset : null,
    confirmation: 'pass',
    observedAt: sampleNow,
    confirmedAt: sampleNow,
    validUntil: sampleNow + 600_000,
    revision: { applied: good, attempted: good, offered: good },
    commit: goodCommit,
    commitDiffers: 'no',
    path: `clusters/production/${full.cluster}/apps/${full.name}`,
    builds: { components: [], ignore: null, sparse: [] },
    source: sampleRef({ cluster: full.cluster, group: sourceGroup, kind: 'GitRepository', name: 'control' }),
    deliveredBy: null,
    upstreams: noUpstreams,
    repository: 'https://github.com/acme/control-repo',
    rootCause: null,
    range: null,
    drift: 'none',
    exemptions: [],
    alarm: { state: 'not-due' },
    ...rest,
  };
}

/** A GitRepository named control. */
export function sampleSource(cluster: string, rest: Partial<Omit<KnownObject, 'ref'>> = {}): KnownObject {
  const ref = { cluster, group: sourceGroup, kind: 'GitRepository', name: 'control' };
  return sampleObject(ref, { role: 'source', source: null, path: null, ...rest });
}

/** An applier of which it is known that it builds from components, by its exemption; `builds` may tell which. */
export const hasComponents: Partial<Omit<KnownObject, 'ref'>> = {
  exemptions: [{ kind: 'overridden', field: 'spec.components', meaning: '', by: null, at: null, reach: null }],
};

/** A source that includes another one (spec.include). */
export function includesOther(cluster: string): Partial<Omit<KnownObject, 'ref'>> {
  const other = sampleRef({ cluster, group: sourceGroup, kind: 'GitRepository', name: 'lib' });
  return { upstreams: { ...noUpstreams, sources: [other] } };
}

/** It worked at the good commit and was seen to fail first at the bad one. */
export const sampleRange: CommitRange = { lastGood: good, firstBad: bad, seenBetween: 0, watched: true };

/** A Kustomization whose build fails, away for an hour with nobody called. */
export function sampleDiverged(ref: SampleRef, rest: Partial<Omit<KnownObject, 'ref'>> = {}): KnownObject {
  return sampleObject(ref, {
    verdict: 'diverged',
    reason: 'BuildFailed',
    message: 'kustomize build failed: missing file',
    sentence: 'The build fails.',
    revision: { applied: good, attempted: bad, offered: bad },
    commitDiffers: 'yes',
    range: sampleRange,
    alarm: { state: 'silent', broken: 'rule' },
    ...rest,
  });
}

function feed(group: string, kind: string): CurrentFeed {
  return {
    group,
    kind,
    version: 'v1',
    namespaced: true,
    state: 'live',
    since: sampleNow - 7_200_000,
    reason: null,
    lastWordAt: sampleNow,
    objects: 1,
  };
}

/** A live cluster that is vouched for during the next 60 s and reads Flux's kinds, where nothing else is said. */
export function sampleCluster(name: string, rest: Partial<CurrentCluster> = {}): CurrentCluster {
  return {
    name,
    labels: { environment: 'production' },
    state: 'live',
    since: sampleNow - 7_200_000,
    reason: null,
    protocol: 'h2',
    version: 'v1.34.3',
    lastWordAt: sampleNow,
    validUntil: sampleNow + 60_000,
    feeds: [
      feed(kustomizeGroup, 'Kustomization'),
      feed(sourceGroup, 'GitRepository'),
      feed(sourceGroup, 'HelmRepository'),
      feed(helmGroup, 'HelmRelease'),
    ],
    probes: null,
    clockAhead: null,
    cautions: [],
    unread: [],
    controllers: [],
    conflicts: [],
    conflictsTotal: 0,
    alarming: null,
    ...rest,
  };
}

/** The detail behind an object: its conditions, cadence and history as the adapter gave them. */
export function sampleDetail(object: KnownObject, rest: Partial<ObjectDetail['observation']> = {}): ObjectDetail {
  const bad = object.verdict === 'diverged';
  const summary = bad
    ? { said: 'bad' as const, fault: 'apply' as const, reason: object.reason, message: object.message, terminal: false }
    : { said: 'good' as const, reason: object.reason, message: object.message };
  return {
    message: `${object.message}, in full`,
    evidence: [{ from: 'condition', text: `Ready=${bad ? 'False' : 'True'} ${object.reason}`, at: sampleNow }],
    target: null,
    corrections: [],
    memory: null,
    observation: {
      ...emptyObservation,
      ref: object.ref,
      uid: object.uid,
      reconciler: object.reconciler,
      role: object.role,
      version: 'v1',
      resourceVersion: '1',
      createdAt: sampleNow - day,
      generation: 1,
      observedGeneration: 1,
      summary,
      conditions: [
        {
          type: 'Ready',
          status: bad ? 'False' : 'True',
          reason: object.reason,
          message: object.message,
          lastTransitionTime: sampleNow,
          observedGeneration: 1,
        },
      ],
      cadence: { interval: 600_000, retryInterval: 60_000, timeout: 300_000 },
      passes: { seenBy: 'history', last: sampleNow - 30_000, total: 12 },
      revisions: {
        ...emptyObservation.revisions,
        applied: object.revision.applied,
        attempted: object.revision.attempted,
      },
      drift: { drift: 'none' },
      path: object.path,
      source: object.source,
      deliveredBy: object.deliveredBy,
      controller: 'kustomize-controller',
      ...rest,
    },
  };
}
