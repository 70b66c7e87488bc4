import type { HistoryEntry, Observation, Condition, DriftStatus } from '#lib/domain/observation/observation.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { at, firstAt, numberAt, timeAt } from '#lib/foreign.ts';
import { mostTold, nameAt, reasonAt, wordAt } from '#lib/foreign-words.ts';
import type { AdapterContext } from '../adapter.ts';
import { conditionOf, readConditions } from '../conditions.ts';
import {
  fluxObservation,
  fluxSuspension,
  fluxInventory,
  dependencies,
  sourceGroup,
  sourceReference,
} from '../flux/shared-fields.ts';
import { helmExemptions } from './exemptions.ts';
import { helmReleaseSummary } from './status-summary.ts';

/** helm.toolkit.fluxcd.io HelmRelease v2. Source: helm-controller api/v2, docs/facts/flux.md. */
export function observeHelmRelease(object: unknown, context: AdapterContext): Observation {
  const suspended = fluxSuspension(object);
  const history = releaseHistory(object);
  const remote = at(object, 'spec', 'kubeConfig') !== undefined;
  const { drift, correcting } = helmDrift(object, readConditions(object).list, suspended !== null);
  const base = fluxObservation(object, context, ['helm', 'applier'], suspended, (conditions) =>
    helmReleaseSummary(conditions, correcting),
  );
  return {
    ...base,
    reconciling: base.reconciling || (suspended === null && correcting),
    passes: { seenBy: 'writes', last: null, total: null },
    revisions: {
      applied: history.find((entry) => entry.status === 'deployed')?.revision ?? null,
      attempted: wordAt(object, 'status', 'lastAttemptedRevision'),
      artifact: null,
      origin: null,
    },
    drift,
    exemptions: [...base.exemptions, ...helmExemptions(object, suspended, base.cadence)],
    source: chartOf(object, base.ref),
    dependsOn: dependencies(object, base.ref),
    inventory: fluxInventory(object),
    remote,
    history,
    controller: 'helm-controller',
  };
}

/** Releases, newest first. `history[0]` may be a failed one: only `deployed` is what runs. */
function releaseHistory(object: unknown): HistoryEntry[] {
  return firstAt(mostTold, object, 'status', 'history').map((entry) => ({
    status: reasonAt(entry, 'status') ?? '',
    revision: wordAt(entry, 'chartVersion'),
    digest: wordAt(entry, 'digest'),
    first: timeAt(entry, 'firstDeployed'),
    last: timeAt(entry, 'lastDeployed'),
    total: null,
  }));
}

/** Chart of the release: spec.chartRef, else the HelmChart that helm-controller made ("namespace/name"). */
function chartOf(object: unknown, own: ObjectRef): ObjectRef | null {
  const chartRef = sourceReference(at(object, 'spec', 'chartRef'), own);
  if (chartRef !== null) return chartRef;
  const [, madeIn, made] = /^([^/]+)\/(.*)$/s.exec(wordAt(object, 'status', 'helmChart') ?? '') ?? [];
  const chart = { cluster: own.cluster, group: sourceGroup, kind: 'HelmChart' };
  if (madeIn !== undefined && made !== undefined) return { ...chart, namespace: madeIn, name: made };
  if (at(object, 'spec', 'chart', 'spec') === undefined) return null;
  const namespace = nameAt(object, 'spec', 'chart', 'spec', 'sourceRef', 'namespace') ?? own.namespace;
  return { ...chart, namespace, name: `${own.namespace}-${own.name}` };
}

/** Drift of a HelmRelease, and whether a correction is under way. */
export interface HelmDrift {
  readonly drift: DriftStatus;
  readonly correcting: boolean;
}

/**
 * Drifted=True|False is trusted only where detection is on and it speaks of the present generation: helm-controller never
 * removes the condition, so it outlives mode: disabled and any change of the spec (docs/facts/flux.md). In mode enabled
 * what is found is being undone; in mode warn it stays. Suspended, the last status stands as it was.
 */
function helmDrift(object: unknown, conditions: readonly Condition[], suspended: boolean): HelmDrift {
  const mode = nameAt(object, 'spec', 'driftDetection', 'mode');
  if (mode !== 'enabled' && mode !== 'warn') return notMeasured('spec.driftDetection.mode is disabled');
  const drifted = conditionOf(conditions, 'Drifted');
  if (drifted === null) return notMeasured('helm-controller has not said whether it drifted (it does since Flux 2.9)');
  const generation = numberAt(object, 'metadata', 'generation');
  if (!suspended && drifted.observedGeneration !== generation)
    return notMeasured('drift was last looked for before the spec changed');
  if (!suspended && conditionOf(conditions, 'Ready')?.status === 'False')
    return notMeasured('drift is looked for only once the release is in place');
  if (drifted.status === 'Unknown') return notMeasured(drifted.message);
  if (drifted.status === 'False') return { drift: { drift: 'none' }, correcting: false };
  const undone = mode === 'enabled' && !suspended;
  return { drift: { drift: 'found', message: drifted.message, left: !undone }, correcting: undone };
}

function notMeasured(why: string): HelmDrift {
  return { drift: { drift: 'not-measured', why }, correcting: false };
}
