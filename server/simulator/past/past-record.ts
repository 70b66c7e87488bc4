import type { CommitMemory, CommitRange } from '#lib/domain/record/commit-range.ts';
import type { CurrentCluster, CurrentObject, ObjectDetail, Onset } from '#lib/domain/record/current.ts';
import { emptyObservation, type Fault, type Observation } from '#lib/domain/observation/observation.ts';
import { noUpstreams } from '#lib/domain/record/upstreams.ts';
import { day } from '#lib/domain/time/length.ts';
import { kindKey } from '#lib/domain/observation/ref.ts';
import { goodSummary } from './inventory.ts';
import type { Inventory } from './inventory.ts';
import type { ObjectPast, Stage } from './script.ts';

const correctionsKept = 20;

function revisionAt({ object }: ObjectPast, { attempted, commit }: Stage): CurrentObject['revision'] {
  const ofGit =
    object.commit !== null && (object.ref.kind === 'GitRepository' || object.source?.kind === 'GitRepository');
  const ran = ofGit ? (commit === null ? null : `main@sha1:${commit}`) : object.revision;
  if (object.role === 'source') return { applied: ran, attempted: null, offered: ran };
  return { applied: ran, attempted: attempted ?? ran, offered: ran };
}

/** It was watched all the time: it broke where the plot says, after what ran of it. */
function rangeAt(past: ObjectPast, stage: Stage): CommitRange | null {
  const fails = stage.verdict === 'diverged' || stage.verdict === 'unhealthy';
  if (past.object.role !== 'applier' || !fails || stage.rootCause !== null) return null;
  const { applied, attempted } = revisionAt(past, stage);
  if (applied === null && attempted === null) return null;
  return { lastGood: applied, firstBad: attempted, seenBetween: null, watched: true };
}

/** The record of an object in one word of its past. `away` is when it left well, null where it is. */
export function pastRecord(
  past: ObjectPast,
  uid: string,
  stage: Stage,
  away: Onset | null,
  repository: string,
): CurrentObject {
  const { object } = past;
  const { ref } = object;
  const { commit } = stage;
  const sentences = { converged: 'is as declared', suspended: 'is switched off' } as const;
  const stateText =
    stage.verdict === 'converged' || stage.verdict === 'suspended'
      ? sentences[stage.verdict]
      : `is ${stage.verdict} (${stage.reason})`;
  return {
    ref,
    uid,
    reconciler: object.reconciler,
    role: object.role,
    verdict: stage.verdict,
    was: stage.verdict === 'suspended' ? 'converged' : null,
    reconciling: false,
    rolling: false,
    reason: stage.reason,
    message: stage.message,
    sentence: `${ref.kind} ${ref.name} ${stateText}.`,
    onset: { time: stage.at, bound: stage.bound, noticedAt: stage.noticedAt },
    awaySince: stage.verdict === 'converged' ? null : away,
    confirmation: stage.verdict === 'converged' ? 'controller' : 'none',
    observedAt: stage.noticedAt,
    confirmedAt: stage.noticedAt,
    validUntil: null,
    revision: revisionAt(past, stage),
    commit,
    commitDiffers: 'no',
    path: object.path,
    builds: null,
    source: object.source,
    deliveredBy: object.deliveredBy,
    upstreams: noUpstreams,
    repository: commit === null ? null : repository,
    rootCause: stage.rootCause,
    range: rangeAt(past, stage),
    drift: stage.verdict === 'drifted' ? 'found' : 'none',
    exemptions: [],
  };
}

/** Somebody has opted an object out on the live cluster. */
export const optOut = {
  kind: 'reconcile-disabled',
  field: 'metadata.annotations[kustomize.toolkit.fluxcd.io/reconcile]',
  meaning: 'what is in git is not applied',
  by: 'kubectl-annotate',
  reach: null,
} as const;

const faults: Partial<Readonly<Record<CurrentObject['verdict'], Fault>>> = {
  diverged: 'apply',
  unhealthy: 'health',
  waiting: 'dependency',
};

function observationOf(past: ObjectPast, record: CurrentObject): Observation {
  const { object } = past;
  const { reason, message } = record;
  const fault = faults[record.verdict];
  const suspended = record.verdict === 'suspended' && object.suspended;
  return {
    ...emptyObservation,
    ref: object.ref,
    reconciler: object.reconciler,
    role: object.role,
    uid: record.uid,
    // The past of a cluster has none, so whatever is listed is newer.
    resourceVersion: '',
    createdAt: object.createdAt,
    generation: object.generation,
    observedGeneration: object.generation,
    summary: fault
      ? { said: 'bad', fault, reason, message, terminal: false }
      : { said: 'good', ...goodSummary(object) },
    suspended: suspended ? { ...suspended, at: record.onset.time } : null,
    passes: { seenBy: object.role === 'applier' ? 'writes' : 'none', last: record.confirmedAt, total: null },
    revisions: {
      applied: object.role === 'source' ? null : record.revision.applied,
      attempted: record.revision.attempted,
      artifact: object.role === 'source' ? object.revision : null,
      origin: null,
    },
    drift: { drift: 'none' },
    exemptions: record.reason === 'OptedOut' ? [{ ...optOut, at: record.onset.time }] : [],
    path: object.path,
    hasArtifact: object.role === 'source' && object.revision !== null,
    source: object.source,
    deliveredBy: object.deliveredBy,
    controller: object.role === 'managed' ? null : object.controller,
  };
}

function commitsOf({ object }: ObjectPast, { range, revision }: CurrentObject): CommitMemory | null {
  const lastGood = range === null ? revision.applied : range.lastGood;
  return object.role === 'applier' ? { lastGood, offered: [], newerSince: null, watched: true, range } : null;
}

/**
 * Detail kept beside a record, with the memory by which a collector goes on from it as after a restart of its own
 * (`server/collector/model/objects/entry-memory.ts`; test/integration/demo-past.test.ts holds it to be understood).
 */
export function pastDetail(past: ObjectPast, record: CurrentObject): ObjectDetail {
  const { onset, awaySince: away, verdict } = record;
  const since = onset.noticedAt;
  const trulyAway = away !== null && verdict !== 'unobserved' && verdict !== 'unconfirmed' && verdict !== 'suspended';
  const home = away === null ? { since, passesAt: 0 } : null;
  return {
    observation: observationOf(past, record),
    evidence: [],
    message: record.message,
    target: null,
    corrections: past.corrections
      .filter(({ at }) => at <= record.observedAt && at > record.observedAt - day)
      .slice(-correctionsKept),
    memory: {
      shownAt: since,
      busySince: null,
      unobservedSpecSince: null,
      specSince: null,
      lastPassAt: record.observedAt,
      passesSeen: 0,
      firstSeenAt: since,
      artifactSince: null,
      awakeSince: null,
      undoingSince: null,
      settled: true,
      beforeWait: null,
      missing: null,
      clocks: { verdict, onset, away, trulyAway, home },
      commits: commitsOf(past, record),
      correctionMemory: null,
      noted: null,
      arrived: record.commit,
    },
  };
}

/** The record of a cluster as it was last seen, at `at` (ms since the epoch), since it was first, at `since`. */
export function pastCluster(inventory: Inventory, name: string, since: number, at: number): CurrentCluster | null {
  const cluster = inventory.clusters.find((one) => one.name === name);
  if (!cluster) return null;
  const kinds = new Map<string, CurrentCluster['feeds'][number]>();
  for (const { ref } of inventory.objects) {
    if (ref.cluster !== name) continue;
    const { group, kind } = ref;
    const objects = (kinds.get(kindKey({ group, kind }))?.objects ?? 0) + 1;
    const namespaced = ref.namespace !== '';
    const state = { state: 'live', since, reason: null, lastWordAt: at } as const;
    kinds.set(kindKey({ group, kind }), { group, kind, version: null, namespaced, ...state, objects });
  }
  return {
    name,
    labels: cluster.labels,
    state: 'live',
    since,
    reason: null,
    protocol: 'h2',
    version: cluster.version,
    lastWordAt: at,
    validUntil: at,
    feeds: [...kinds.values()],
    probes: null,
    clockAhead: null,
    cautions: [],
    unread: [],
    controllers: [],
    conflicts: [],
    conflictsTotal: 0,
    alarming: null,
  };
}
