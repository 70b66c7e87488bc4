import type { CurrentCluster, CurrentController, CurrentObject, ObjectDetail } from '#lib/domain/record/current.ts';
import type { Exemption } from '#lib/domain/exemption/exemption.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import { emptyObservation, type Observation } from '#lib/domain/observation/observation.ts';
import { at, isForeignObject, listAt, parseForeign } from '#lib/foreign.ts';
import type { WriteBatch } from '../port/port.ts';
import { decodeAlarming } from './alarm/decode-alarming.ts';
import { hasShape, type Sort } from './shape.ts';

/** A batch without the details of its objects and without the cluster's own record. */
export interface RecordBatch extends Omit<WriteBatch, 'cluster' | 'objects'> {
  readonly objects: readonly CurrentObject[];
}

type Shape<T> = { readonly [K in keyof Required<T>]: Sort };

const observationShape: Shape<Observation> = {
  ref: 'record',
  reconciler: 'text',
  role: 'text',
  version: 'text',
  uid: 'text',
  resourceVersion: 'text',
  createdAt: 'number',
  deletedAt: 'number?',
  finalizers: 'list',
  generation: 'number',
  observedGeneration: 'number?',
  summary: 'record',
  reconciling: 'yes-no',
  suspended: 'record?',
  conditions: 'list',
  cadence: 'record',
  passes: 'record',
  revisions: 'record',
  drift: 'record',
  exemptions: 'list',
  rivals: 'list',
  externalId: 'number?',
  path: 'text?',
  builds: 'anything',
  target: 'record?',
  originUrl: 'text?',
  hasArtifact: 'yes-no',
  source: 'record?',
  otherSources: 'list',
  dependsOn: 'list',
  deliveredBy: 'record?',
  alsoNamed: 'anything',
  owned: 'anything',
  ownerUid: 'anything',
  parent: 'record?',
  children: 'list',
  providerConfig: 'record?',
  provides: 'list',
  inventory: 'list',
  remote: 'yes-no',
  history: 'list',
  controller: 'text?',
  shard: 'text?',
  specEditedBy: 'record?',
  lastWriteAt: 'number?',
};

const detailShape: Shape<ObjectDetail> = {
  observation: 'record',
  evidence: 'list',
  message: 'text',
  target: 'record?',
  corrections: 'list',
  memory: 'anything',
};

const clusterShape: Shape<CurrentCluster> = {
  name: 'text',
  labels: 'record',
  state: 'text',
  since: 'number',
  reason: 'text?',
  protocol: 'text?',
  version: 'text?',
  lastWordAt: 'number?',
  validUntil: 'number',
  feeds: 'list',
  probes: 'record?',
  clockAhead: 'number?',
  unread: 'list',
  cautions: 'list',
  controllers: 'list',
  conflicts: 'list',
  conflictsTotal: 'number',
  alarming: 'record?',
};

const controllerShape: Shape<CurrentController> = {
  namespace: 'text',
  name: 'text',
  lease: 'text?',
  state: 'text',
  lastMovedAt: 'number?',
  durationSeconds: 'number?',
  holder: 'text?',
  transitions: 'number?',
  version: 'text?',
  deployment: 'text',
  ownReferencesOnly: 'anything',
  sendsEvents: 'anything',
  objects: 'number',
};

const recordBatchShape: Shape<RecordBatch> = {
  at: 'number',
  setBackTo: 'anything',
  planned: 'anything',
  objects: 'list',
  removed: 'list',
  transitions: 'list',
  changes: 'list',
  corrections: 'list',
  earlier: 'list',
  arrivals: 'list',
  confirmations: 'list',
  coverage: 'list',
  resume: 'list',
};

function isDetail(value: unknown): value is ObjectDetail {
  return isForeignObject(value) && hasShape(value, detailShape) && hasShape(value['observation'], observationShape);
}

function isCluster(value: unknown): value is CurrentCluster {
  return (
    hasShape(value, clusterShape) &&
    listAt(value, 'controllers').every((controller) => hasShape(controller, controllerShape))
  );
}

function isRecordBatch(value: unknown): value is RecordBatch {
  return hasShape(value, recordBatchShape);
}

/** The batch of a text that another thread of this program made; null where it is none. */
export function decodeRecordBatch(text: string): RecordBatch | null {
  const value = parseForeign(text);
  return isRecordBatch(value) ? value : null;
}

/** Contents of the extras column: the fields of a current record that few objects have. */
export interface Extras {
  readonly rootCause: Cause | null;
  readonly exemptions: readonly Exemption[];
  readonly names?: readonly ObjectRef[];
}

function isExtras(value: unknown): value is Extras {
  const names = at(value, 'names');
  return (names === undefined || Array.isArray(names)) && hasShape(value, { rootCause: 'record?', exemptions: 'list' });
}

function isCause(value: unknown): value is Cause {
  return hasShape(value, { type: 'text' });
}

function isTexts(value: unknown): value is readonly (string | null)[] {
  return Array.isArray(value) && value.every((item) => item === null || typeof item === 'string');
}

/** The cluster record of a stored text; null where it is none of this version. */
export function decodeCluster(text: string): CurrentCluster | null {
  // What an earlier version did not know yet.
  const value = { probes: null, clockAhead: null, unread: [], cautions: [], ...parseForeign(text) };
  const read = { ...value, alarming: decodeAlarming(at(value, 'alarming')) };
  return isCluster(read) ? read : null;
}

/** The seldom fields of a stored text; none of them where it is not of this version. */
export function decodeExtras(text: string): Extras {
  const value = parseForeign(text);
  return isExtras(value) ? value : { rootCause: null, exemptions: [] };
}

/** The cause of a stored text; null where it is none of this version. */
export function decodeCause(text: string): Cause | null {
  const value = parseForeign(text);
  return isCause(value) ? value : null;
}

/** A stored list of texts; empty where it is none. */
export function decodeTexts(text: string): readonly (string | null)[] {
  try {
    const value: unknown = JSON.parse(text);
    return isTexts(value) ? value : [];
  } catch {
    return [];
  }
}

/** The detail of a stored text, or, where another version wrote it, one that knows nothing but the object's name. */
export function decodeDetail(
  object: CurrentObject,
  text: string,
): { readonly type: 'own' | 'foreign'; readonly detail: ObjectDetail } {
  const value = decodeOwnDetail(parseForeign(text));
  return value ? { type: 'own', detail: value } : { type: 'foreign', detail: unreadableDetail(object) };
}

/** A detail as it was read, without joins of an earlier version, which do not say what they name; null where another version wrote it. */
export function decodeOwnDetail(value: unknown): ObjectDetail | null {
  if (!isDetail(value)) return null;
  const evidence = value.evidence.filter(({ from, names }) => from !== 'join' || Array.isArray(names));
  return evidence.length === value.evidence.length ? value : { ...value, evidence };
}

function unreadableDetail(object: CurrentObject): ObjectDetail {
  const observation: Observation = {
    ...emptyObservation,
    ref: object.ref,
    reconciler: object.reconciler,
    role: object.role,
    uid: object.uid,
    createdAt: object.observedAt,
    summary: { said: 'unrecognised', why: 'recorded by another version of Plumbline' },
    drift: { drift: 'not-measured', why: 'recorded by another version of Plumbline' },
    exemptions: object.exemptions,
    path: object.path,
    source: object.source,
    otherSources: object.upstreams.sources,
    dependsOn: object.upstreams.dependsOn,
    deliveredBy: object.deliveredBy,
    parent: object.upstreams.parent,
    providerConfig: object.upstreams.providerConfig,
  };
  return { observation, evidence: [], message: object.message, target: null, corrections: [], memory: null };
}
