import type { Observation, SourceTarget, Suspension } from '#lib/domain/observation/observation.ts';
import { inventoryId } from '#lib/domain/observation/inventory.ts';
import { at, booleanAt, firstAt, isForeignObject, listAt, timeAt } from '#lib/foreign.ts';
import { messageAt, mostReferences, nameAt, reasonAt, unkeptTextAt, urlAt, wordAt } from '#lib/foreign-words.ts';
import type { AdapterContext } from '../adapter.ts';
import { envelope } from '../envelope.ts';
import { cleanPath } from '../flux/shared-fields.ts';
import { setterOf } from '../managers.ts';
import { applicationController } from './controller.ts';
import { applicationExemptions } from './exemptions.ts';
import { isOperationAsked, isOutOfSync, revisionsOf } from './sync.ts';
import { applicationConditions, applicationDrift, applicationSummary } from './status-summary.ts';
import type { Rival } from '#lib/domain/observation/conflict.ts';

const skip = 'argocd.argoproj.io/skip-reconcile';
const ownServer = 'https://kubernetes.default.svc';

/**
 * Interval at which Argo CD compares an Application by default (120 s and up to 60 s of jitter; 180 s before 2.9). The Application does not
 * tell: what the controller is set to comes with its heartbeat (controller.ts), and where that cannot be read, being late by
 * this proves nothing.
 */
const refresh = 180_000;

/**
 * argoproj.io Application. Source: docs/facts/argocd.md, argo-cd pkg/apis/application/v1alpha1/types.go.
 * `reconciledAt` dates its passes: it moves with each comparison to git, and stands still while the repository cannot be read
 * (controller/appcontroller.go). Its CRD has no status subresource, so that its generation counts every write and says nothing.
 */
export function observeApplication(object: unknown, context: AdapterContext): Observation {
  const base = envelope(object, context, 'argocd', 'applier');
  const { before } = context;
  const conditions = applicationConditions(object);
  const suspended = skipped(object);
  const remote = isRemote(object);
  return {
    ...base,
    generation: 0,
    summary: applicationSummary(object, conditions, before),
    reconciling: suspended === null && isOperating(object),
    suspended,
    conditions,
    cadence: { interval: refresh, retryInterval: null, timeout: null, assumed: true },
    passes: { seenBy: 'history', last: timeAt(object, 'status', 'reconciledAt'), total: null },
    revisions: {
      applied: appliedRevision(object),
      attempted: comparedRevision(object),
      artifact: null,
      origin: null,
    },
    drift: applicationDrift(object, before),
    exemptions: [...base.exemptions, ...applicationExemptions(object, suspended, remote)],
    rivals: [...base.rivals, ...sharedResources(object)],
    path: cleanPath(wordAt(firstSource(object), 'path')),
    target: targetOf(object),
    inventory: remote ? [] : resourceIds(object),
    remote,
    controller: applicationController,
  };
}

function isOperating(object: unknown): boolean {
  return reasonAt(object, 'status', 'operationState', 'phase') === 'Running' || isOperationAsked(object);
}

/**
 * Revision in effect: the one that it was found to be like, whether or not that needed a sync; else what was synced last, if
 * that went well, or what the history says was deployed last. Of several sources the first is named.
 */
function appliedRevision(object: unknown): string | null {
  const sync = at(object, 'status', 'sync');
  const alike = reasonAt(sync, 'status') === 'Synced' ? revisionsOf(sync)[0] : undefined;
  if (alike !== undefined) return alike;
  const operation = at(object, 'status', 'operationState');
  const synced = reasonAt(operation, 'phase') === 'Succeeded' ? revisionsOf(at(operation, 'syncResult'))[0] : undefined;
  return synced ?? revisionsOf(listAt(object, 'status', 'history').at(-1))[0] ?? null;
}

/** Revision it is compared with; null where it could not be: then it is what was asked for, a branch and not a commit. */
function comparedRevision(object: unknown): string | null {
  const sync = at(object, 'status', 'sync');
  return reasonAt(sync, 'status') === 'Unknown' ? null : (revisionsOf(sync)[0] ?? null);
}

/** spec.source, or the first of spec.sources. */
function firstSource(object: unknown): unknown {
  const single = at(object, 'spec', 'source');
  return isForeignObject(single) ? single : listAt(object, 'spec', 'sources')[0];
}

function targetOf(object: unknown): SourceTarget | null {
  const source = firstSource(object);
  const url = urlAt(source, 'repoURL');
  if (url === null) return null;
  const reference = wordAt(source, 'targetRevision') ?? 'HEAD';
  return { url, reference, floating: !/^[0-9a-f]{40}$/.test(reference) };
}

function skipped(object: unknown): Suspension | null {
  if (nameAt(object, 'metadata', 'annotations', skip) !== 'true') return null;
  return { field: `metadata.annotations[${skip}]`, ...setterOf(object, ['metadata', 'annotations', skip]) };
}

/** Applications live on the hub, what they apply may live elsewhere (by server, or by name). */
function isRemote(object: unknown): boolean {
  const server = urlAt(object, 'spec', 'destination', 'server');
  const name = nameAt(object, 'spec', 'destination', 'name');
  if (server !== null && server !== '') return server !== ownServer;
  return name !== null && name !== '' && name !== 'in-cluster';
}

function resourceIds(object: unknown): string[] {
  return listAt(object, 'status', 'resources').flatMap((resource) => {
    const kind = nameAt(resource, 'kind');
    const name = nameAt(resource, 'name');
    if (kind === null || name === null || !isThere(resource)) return [];
    const [namespace, group] = [nameAt(resource, 'namespace') ?? '', nameAt(resource, 'group') ?? ''];
    return inventoryId({ namespace, name, group, kind });
  });
}

/** A hook comes and goes; what is out of sync is only known to be there where its health is told and is not Missing. */
function isThere(resource: unknown): boolean {
  if (booleanAt(resource, 'hook') === true) return false;
  const health = unkeptTextAt(resource, 'health', 'status');
  return health === null ? !isOutOfSync(resource) : health !== 'Missing';
}

const shared = /^([^/\s]+)\/(\S+) is part of applications (\S+) and (\S+)$/;

/**
 * Resources that Argo CD found to be another Application's as well: condition SharedResourceWarning, "Deployment/web is part of
 * applications argocd/a and b". Source: argo-cd controller/state.go CompareAppState.
 */
function sharedResources(object: unknown): readonly Rival[] {
  const found: Rival[] = [];
  for (const condition of firstAt(mostReferences, object, 'status', 'conditions')) {
    if (nameAt(condition, 'type') !== 'SharedResourceWarning') continue;
    const [, kind, name, , other] = shared.exec(messageAt(condition, 'message') ?? '') ?? [];
    if (kind !== undefined && name !== undefined && other !== undefined)
      found.push({ type: 'shared', kind, name, others: [other] });
  }
  return found;
}
