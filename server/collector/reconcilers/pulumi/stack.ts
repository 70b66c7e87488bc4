import type { Observation, ObservedRevisions, Passes, SourceTarget } from '#lib/domain/observation/observation.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { at, firstAt, isForeignObject, timeAt } from '#lib/foreign.ts';
import { mostReferences, nameAt, urlAt, wordAt } from '#lib/foreign-words.ts';
import type { AdapterContext } from '../adapter.ts';
import { conditionOf, readConditions } from '../conditions.ts';
import { envelope, unrecognised } from '../envelope.ts';
import { cleanPath, sourceReference } from '../flux/shared-fields.ts';
import { stackDrift, resyncOf } from './drift.ts';
import { stackExemptions } from './exemptions.ts';
import { stackSummary } from './status-summary.ts';

/** The program that turns the loop, and the namespace in which it is installed by default. */
export const operator = 'pulumi-kubernetes-operator';

/**
 * pulumi.com/v1 Stack. Configuration, secrets, environment and outputs are never read.
 * Source: pulumi-kubernetes-operator operator/api/pulumi/v1/stack_types.go and shared/stack_types.go.
 */
export function observeStack(object: unknown, context: AdapterContext): Observation {
  const base = envelope(object, context, 'pulumi', 'applier');
  const { list: conditions, odd } = readConditions(object);
  const ready = conditionOf(conditions, 'Ready');
  const resync = resyncOf(object);
  const summary = odd === null ? stackSummary(object, conditions) : unrecognised(odd);
  return {
    ...base,
    observedGeneration: ready?.observedGeneration ?? null,
    summary,
    reconciling: summary.said === 'busy',
    conditions,
    cadence: { interval: resync, retryInterval: null, timeout: null },
    passes: passesOf(object, resync),
    revisions: revisionsOf(object),
    drift: stackDrift(object, summary),
    exemptions: [...base.exemptions, ...stackExemptions(object)],
    path: cleanPath(wordAt(object, 'spec', 'fluxSource', 'dir') ?? wordAt(object, 'spec', 'repoDir')),
    target: targetOf(object),
    source: sourceReference(at(object, 'spec', 'fluxSource', 'sourceRef'), base.ref),
    dependsOn: prerequisites(object, base.ref),
    controller: operator,
  };
}

/** Each update stamps lastResyncTime; without resyncs there is none between two commits, and a quiet pass writes nothing. */
function passesOf(object: unknown, resync: number | null): Passes {
  if (resync === null) return { seenBy: 'none', last: null, total: null };
  return { seenBy: 'history', last: timeAt(object, 'status', 'lastUpdate', 'lastResyncTime'), total: null };
}

/** From git they are commits. From a Flux source they are digests of its tarball, which no revision can be told from (flux.go). */
function revisionsOf(object: unknown): ObservedRevisions {
  const last = at(object, 'status', 'lastUpdate');
  return {
    applied: wordAt(last, 'lastSuccessfulCommit'),
    attempted: wordAt(last, 'lastAttemptedCommit'),
    artifact: null,
    origin: null,
    ...(isForeignObject(at(object, 'spec', 'fluxSource')) ? { incomparable: true } : {}),
  };
}

function targetOf(object: unknown): SourceTarget | null {
  const url = urlAt(object, 'spec', 'projectRepo');
  if (url === null || url === '') return null;
  const commit = wordAt(object, 'spec', 'commit') ?? '';
  const branch = wordAt(object, 'spec', 'branch') ?? '';
  return {
    url,
    reference: commit === '' ? `branch ${branch}` : `commit ${commit}`,
    floating: commit === '',
  };
}

/** spec.prerequisites: other Stacks of its namespace. */
function prerequisites(object: unknown, own: ObjectRef): ObjectRef[] {
  return firstAt(mostReferences, object, 'spec', 'prerequisites').flatMap((entry) => {
    const name = nameAt(entry, 'name');
    return name === null ? [] : { ...own, name };
  });
}
