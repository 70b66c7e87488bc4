import {
  emptyObservation,
  type Observation,
  type Reconciler,
  type Role,
  type StatusSummary,
} from '#lib/domain/observation/observation.ts';
import { firstAt, listAt, numberAt, timeAt } from '#lib/foreign.ts';
import { mostFinalizers, nameAt } from '#lib/foreign-words.ts';
import type { AdapterContext } from './adapter.ts';
import { lastStatusWrite, specEditor } from './managers.ts';
import { liveOptOuts } from './opt-outs.ts';
import { controllerOf, controllerUidOf, ownersNamed } from './references.ts';
import { fieldRivals } from './rivals.ts';

/**
 * Observation of any object by its metadata, with nothing said of the rest: the ground on which an adapter builds.
 * managedFields are read here and never kept.
 */
export function envelope(object: unknown, context: AdapterContext, reconciler: Reconciler, role: Role): Observation {
  const ref = {
    cluster: context.cluster,
    group: context.kind.group,
    kind: context.kind.kind,
    namespace: nameAt(object, 'metadata', 'namespace') ?? '',
    name: nameAt(object, 'metadata', 'name') ?? '',
  };
  const [named, alsoNamed] = ownersNamed(object, ref);
  const owners = listAt(object, 'metadata', 'ownerReferences');
  const isOwned = named !== undefined && controllerOf(owners, ref.cluster, ref.namespace) !== null;
  const ownerUid = controllerUidOf(owners);
  return {
    ...emptyObservation,
    ref,
    reconciler,
    role,
    version: context.kind.version,
    uid: nameAt(object, 'metadata', 'uid') ?? '',
    resourceVersion: nameAt(object, 'metadata', 'resourceVersion') ?? '',
    createdAt: timeAt(object, 'metadata', 'creationTimestamp') ?? context.receivedAt,
    deletedAt: timeAt(object, 'metadata', 'deletionTimestamp'),
    finalizers: firstAt(mostFinalizers, object, 'metadata', 'finalizers').flatMap((entry) => nameAt(entry) ?? []),
    generation: numberAt(object, 'metadata', 'generation') ?? 0,
    exemptions: liveOptOuts(object),
    rivals: fieldRivals(object),
    deliveredBy: named ?? null,
    ...(alsoNamed ? { alsoNamed } : {}),
    ...(isOwned ? { owned: true } : {}),
    ...(ownerUid === null ? {} : { ownerUid }),
    shard: nameAt(object, 'metadata', 'labels', 'sharding.fluxcd.io/key'),
    specEditedBy: specEditor(object),
    lastWriteAt: lastStatusWrite(object),
  };
}

/** The summary of a shape that is not known. */
export function unrecognised(why: string): StatusSummary {
  return { said: 'unrecognised', why };
}
