import type { Observation, SourceTarget, Suspension } from '#lib/domain/observation.ts';
import { redactUrl } from '#lib/domain/redact.ts';
import { inventoryId } from '#lib/domain/inventory.ts';
import { at, isForeignObject, listAt, textAt, timeAt } from '#lib/foreign.ts';
import type { AdapterContext } from '../adapter.ts';
import { envelope } from '../envelope.ts';
import { cleanPath } from '../flux/targets.ts';
import { setterOf } from '../managers.ts';
import { applicationExemptions } from './exemptions.ts';
import { sharedResources } from './shared-resources.ts';
import { applicationConditions, applicationDrift, applicationWord } from './word.ts';

const skip = 'argocd.argoproj.io/skip-reconcile';
const ownServer = 'https://kubernetes.default.svc';

/** argoproj.io Application. Source: facts/crossplane.md "D. Other adapters". `reconciledAt` dates its passes. */
export function observeApplication(object: unknown, context: AdapterContext): Observation {
  const base = envelope(object, context, 'argocd', 'applier');
  const conditions = applicationConditions(object);
  const suspended = skipped(object);
  const remote = isRemote(object);
  return {
    ...base,
    word: applicationWord(object, conditions),
    reconciling: suspended === null && textAt(object, 'status', 'operationState', 'phase') === 'Running',
    suspended,
    conditions,
    passes: { seenBy: 'history', last: timeAt(object, 'status', 'reconciledAt'), total: null },
    revisions: {
      applied: appliedRevision(object),
      attempted: textAt(object, 'status', 'sync', 'revision'),
      artifact: null,
      origin: null,
    },
    drift: applicationDrift(object),
    exemptions: [...base.exemptions, ...applicationExemptions(object, suspended, remote)],
    rivals: [...base.rivals, ...sharedResources(object)],
    path: cleanPath(textAt(firstSource(object), 'path')),
    target: targetOf(object),
    inventory: remote ? [] : resourceIds(object),
    remote,
    controller: 'argocd-application-controller',
  };
}

/** What was synced last, if that went well; else what the history says was deployed last. */
function appliedRevision(object: unknown): string | null {
  const operation = at(object, 'status', 'operationState');
  const synced = textAt(operation, 'phase') === 'Succeeded' ? textAt(operation, 'syncResult', 'revision') : null;
  return synced ?? textAt(listAt(object, 'status', 'history').at(-1), 'revision');
}

/** spec.source, or the first of spec.sources. */
export function firstSource(object: unknown): unknown {
  const single = at(object, 'spec', 'source');
  return isForeignObject(single) ? single : listAt(object, 'spec', 'sources')[0];
}

function targetOf(object: unknown): SourceTarget | null {
  const source = firstSource(object);
  const url = textAt(source, 'repoURL');
  if (url === null) return null;
  const reference = textAt(source, 'targetRevision') ?? 'HEAD';
  return { url: redactUrl(url), reference, floating: !/^[0-9a-f]{40}$/.test(reference) };
}

function skipped(object: unknown): Suspension | null {
  if (textAt(object, 'metadata', 'annotations', skip) !== 'true') return null;
  return { field: `metadata.annotations[${skip}]`, ...setterOf(object, ['metadata', 'annotations', skip]) };
}

/** Applications live on the hub, what they apply may live elsewhere (by server, or by name). */
function isRemote(object: unknown): boolean {
  const server = textAt(object, 'spec', 'destination', 'server');
  const name = textAt(object, 'spec', 'destination', 'name');
  if (server !== null && server !== '') return server !== ownServer;
  return name !== null && name !== '' && name !== 'in-cluster';
}

function resourceIds(object: unknown): string[] {
  const ids: string[] = [];
  for (const resource of listAt(object, 'status', 'resources')) {
    const kind = textAt(resource, 'kind');
    const name = textAt(resource, 'name');
    if (kind === null || name === null) continue;
    ids.push(
      inventoryId({
        namespace: textAt(resource, 'namespace') ?? '',
        name,
        group: textAt(resource, 'group') ?? '',
        kind,
      }),
    );
  }
  return ids;
}
