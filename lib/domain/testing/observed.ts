import type { KnownObject } from '../alarm/known-object.ts';
import type { CurrentCluster } from '../record/current.ts';
import { emptyObservation, type Observation, type SettledSummary } from '../observation/observation.ts';
import { begin, type Track } from '../observation/track.ts';
import type { Heartbeat } from '../heartbeat/controller-liveness.ts';
import { alone, type RelatedObject, type Surroundings } from '../verdict/subject.ts';
import type { Judgement } from '../verdict/judgement.ts';
import { noUpstreams } from '../record/upstreams.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { minute } from '../time/length.ts';

/** The moment at which the tests' world stands (ms). */
export const noon = Date.UTC(2026, 10, 21, 12, 0, 0);
export const revisionA = `main@sha1:${'a'.repeat(40)}`;
export const revisionB = `main@sha1:${'b'.repeat(40)}`;

export const good: SettledSummary = {
  said: 'good',
  reason: 'ReconciliationSucceeded',
  message: `Applied revision: ${revisionA}`,
};

/** A settled bad summary. */
export function bad(
  fault: Extract<SettledSummary, { said: 'bad' }>['fault'],
  reason: string,
  message = reason,
): SettledSummary {
  return { said: 'bad', fault, reason, message, terminal: false };
}

/** A Kustomization in order, created a day ago, passed a minute ago; override what a test is about. */
export function observed(part: Partial<Observation> = {}): Observation {
  return {
    ...emptyObservation,
    ref: {
      cluster: 'c1',
      group: 'kustomize.toolkit.fluxcd.io',
      kind: 'Kustomization',
      namespace: 'flux-system',
      name: 'checkout',
    },
    reconciler: 'flux',
    role: 'applier',
    version: 'v1',
    uid: 'uid-1',
    resourceVersion: '1',
    createdAt: noon - 24 * 60 * minute,
    generation: 1,
    observedGeneration: 1,
    summary: good,
    cadence: { interval: 10 * minute, retryInterval: null, timeout: 5 * minute },
    passes: { seenBy: 'history', last: noon - minute, total: 3 },
    revisions: { applied: revisionA, attempted: revisionA, artifact: null, origin: null },
    drift: { drift: 'none' },
    path: 'clusters/production/checkout',
    controller: 'kustomize-controller',
    lastWriteAt: noon - minute,
    ...part,
  };
}

/** A GitRepository in order that offers revision A by a branch. */
export function source(part: Partial<Observation> = {}): Observation {
  return observed({
    ref: {
      cluster: 'c1',
      group: 'source.toolkit.fluxcd.io',
      kind: 'GitRepository',
      namespace: 'flux-system',
      name: 'control',
    },
    role: 'source',
    passes: { seenBy: 'none', last: null, total: null },
    cadence: { interval: minute, retryInterval: null, timeout: minute },
    revisions: { applied: null, attempted: null, artifact: revisionA, origin: null },
    target: { url: 'https://git.example.org/acme/control.git', reference: 'branch main', floating: true },
    hasArtifact: true,
    path: null,
    controller: 'source-controller',
    ...part,
  });
}

/** A Crossplane managed resource in order. */
export function managed(part: Partial<Observation> = {}): Observation {
  return observed({
    ref: { cluster: 'c1', group: 'rds.aws.upbound.io', kind: 'Instance', namespace: '', name: 'orders' },
    reconciler: 'crossplane',
    role: 'managed',
    summary: { said: 'good', reason: 'Available', message: '' },
    passes: { seenBy: 'none', last: null, total: null },
    cadence: { interval: null, retryInterval: null, timeout: null },
    revisions: { applied: null, attempted: null, artifact: null, origin: null },
    path: null,
    controller: null,
    lastWriteAt: null,
    ...part,
  });
}

/** The track of an object that was first seen at `seenAt` in a list, and whose passes are known up to noon. */
export function tracked(observation: Observation, seenAt = noon - 30 * minute): Track {
  return { ...begin(observation, seenAt, true), lastPassAt: begin(observation, noon, true).lastPassAt };
}

/** A judgement as the judge would give it, with the one thing that joins read. */
export function judged(verdict: Verdict, rootCause: Judgement['rootCause'] = null): Judgement {
  return {
    verdict,
    was: null,
    reconciling: false,
    rolling: false,
    reason: '',
    message: '',
    sentence: '',
    names: [],
    evidence: [],
    rootCause,
    since: null,
    withoutParts: null,
    drift: 'none',
    confirmation: 'controller',
    running: { revision: null, partly: false },
    offered: null,
    validUntil: null,
    reviewAt: null,
  };
}

/** Something that is depended on, present and judged. */
export function standing(observation: Observation, verdict: Verdict, part: Partial<RelatedObject> = {}): RelatedObject {
  return {
    ref: observation.ref,
    state: 'present',
    observation,
    judgement: judged(verdict),
    awaySince: null,
    artifactSince: noon - 60 * minute,
    lastPassAt: observation.passes.last,
    busySince: null,
    ...part,
  };
}

/** A controller, by its lease. */
export function lease(state: Heartbeat['state'], name = 'kustomize-controller'): Heartbeat {
  return {
    cluster: 'c1',
    namespace: 'flux-system',
    name,
    state,
    sign: ({ alive: 'lease-moves', dead: 'lease-stands', unknown: 'lease-unmoved' } as const)[state],
    lease: `flux-system/${name}-leader-election`,
    deployment: null,
    at: state === 'unknown' ? null : noon - minute,
    awaitedSince: null,
    interval: null,
  };
}

/** Surroundings with a living controller and nothing else. */
export function around(part: Partial<Surroundings> = {}): Surroundings {
  return { ...alone, heartbeat: lease('alive'), ...part };
}

/** A stored record in order; override what a test is about. */
export function recorded(part: Partial<KnownObject> = {}): KnownObject {
  const { ref } = observed();
  return {
    ref,
    uid: 'uid-1',
    reconciler: 'flux',
    role: 'applier',
    verdict: 'converged',
    was: null,
    reconciling: false,
    rolling: false,
    reason: 'ReconciliationSucceeded',
    message: '',
    sentence: '',
    onset: { time: noon - 60 * minute, bound: 'exact', noticedAt: noon - 60 * minute },
    awaySince: null,
    confirmation: 'pass',
    observedAt: noon - minute,
    confirmedAt: noon - minute,
    validUntil: noon + 30 * minute,
    revision: { applied: revisionA, attempted: revisionA, offered: revisionA },
    commit: 'a'.repeat(40),
    commitDiffers: 'no',
    path: null,
    builds: null,
    source: null,
    deliveredBy: null,
    upstreams: noUpstreams,
    repository: null,
    rootCause: null,
    range: null,
    drift: 'none',
    exemptions: [],
    alarm: { state: 'not-due' },
    ...part,
  };
}

/** A cluster that is being read, all its feeds live. */
export function seenCluster(part: Partial<CurrentCluster> = {}): CurrentCluster {
  const { ref } = observed();
  return {
    name: 'c1',
    labels: {},
    state: 'live',
    since: noon - 60 * minute,
    reason: null,
    protocol: 'h2',
    version: 'v1.34.3',
    lastWordAt: noon,
    validUntil: noon + 45_000,
    feeds: [
      {
        group: ref.group,
        kind: ref.kind,
        version: 'v1',
        namespaced: true,
        state: 'live',
        since: noon - 60 * minute,
        reason: null,
        lastWordAt: noon,
        objects: 1,
      },
    ],
    probes: null,
    clockAhead: null,
    unread: [],
    cautions: [],
    controllers: [],
    conflicts: [],
    conflictsTotal: 0,
    alarming: null,
    ...part,
  };
}
