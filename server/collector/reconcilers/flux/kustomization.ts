import type {
  Condition,
  DriftStatus,
  Observation,
  Passes,
  StatusSummary,
  HistoryEntry,
} from '#lib/domain/observation/observation.ts';
import { at, firstAt, numberAt, timeAt } from '#lib/foreign.ts';
import { mostTold, reasonAt, wholeWordsAt, wordAt } from '#lib/foreign-words.ts';
import type { AdapterContext } from '../adapter.ts';
import { conditionOf, readConditions } from '../conditions.ts';
import { envelope, unrecognised } from '../envelope.ts';
import {
  fluxCadence,
  generationOf,
  passUnderWay,
  fluxSuspension,
  fluxInventory,
  cleanPath,
  dependencies,
  sourceReference,
} from './shared-fields.ts';
import { kustomizationExemptions } from './exemptions.ts';
import { kustomizationSummary } from './status-summary.ts';

/** kustomize.toolkit.fluxcd.io Kustomization. Source: kustomize-controller api/v1/kustomization_types.go, docs/facts/flux.md. */
export function observeKustomization(object: unknown, context: AdapterContext): Observation {
  const base = envelope(object, context, 'flux', 'applier');
  const { list: conditions, odd } = readConditions(object);
  const ready = conditionOf(conditions, 'Ready');
  const history = kustomizationHistory(object);
  const suspended = fluxSuspension(object);
  const remote = at(object, 'spec', 'kubeConfig') !== undefined;
  const revisions = {
    applied: wordAt(object, 'status', 'lastAppliedRevision'),
    attempted: wordAt(object, 'status', 'lastAttemptedRevision'),
    artifact: null,
    origin: wordAt(object, 'status', 'lastAppliedOriginRevision'),
  };
  const cadence = fluxCadence(object);
  const observedGeneration = generationOf(ready, object);
  const facts = { conditions, history, revisions, cadence, upToDate: observedGeneration === base.generation };
  const summary = odd === null ? kustomizationSummary(facts) : unrecognised(odd);
  return {
    ...base,
    observedGeneration,
    summary,
    reconciling: suspended === null && passUnderWay(conditions),
    suspended,
    conditions,
    cadence,
    passes: kustomizationPasses(ready, history),
    revisions,
    drift: kustomizationDrift(summary, suspended !== null),
    exemptions: [...base.exemptions, ...kustomizationExemptions(object, suspended, cadence)],
    path: cleanPath(wordAt(object, 'spec', 'path')),
    builds: { components: wholeWordsAt(object, 'spec', 'components'), ignore: null, sparse: [] },
    source: sourceReference(at(object, 'spec', 'sourceRef'), base.ref),
    dependsOn: dependencies(object, base.ref),
    inventory: fluxInventory(object),
    remote,
    history,
    controller: 'kustomize-controller',
  };
}

/**
 * Passes that end before the build (BuildFailed, ArtifactFailed, DependencyNotReady) leave no trace in the history, yet
 * write Ready twice: their time is Ready's own stamp, which on a Kustomization is the end of its last pass.
 */
function kustomizationPasses(ready: Condition | null, history: Observation['history']): Passes {
  const newest = history[0];
  const settled = ready !== null && ready.status !== 'Unknown';
  if (newest === undefined || (ready?.status === 'False' && ready.reason !== newest.status))
    return { seenBy: 'writes', last: settled ? ready.lastTransitionTime : null, total: null };
  return { seenBy: 'history', last: newest.last, total: newest.total };
}

/** A pass compares and undoes: what it ended well on has no drift left. What did not pass was not compared. */
function kustomizationDrift(summary: StatusSummary, suspended: boolean): DriftStatus {
  if (suspended) return { drift: 'not-measured', why: 'a suspended Kustomization is not compared' };
  const settled = summary.said === 'busy' ? summary.before : summary;
  if (settled?.said === 'good') return { drift: 'none' };
  return { drift: 'not-measured', why: 'its last pass did not end well' };
}

/** status.history of a Kustomization (Flux 2.7 or newer), newest first, as the API orders it. */
function kustomizationHistory(object: unknown): HistoryEntry[] {
  return firstAt(mostTold, object, 'status', 'history').map((entry) => ({
    status: reasonAt(entry, 'lastReconciledStatus') ?? '',
    revision: wordAt(entry, 'metadata', 'revision'),
    digest: wordAt(entry, 'digest'),
    first: timeAt(entry, 'firstReconciled'),
    last: timeAt(entry, 'lastReconciled'),
    total: numberAt(entry, 'totalReconciliations'),
  }));
}
