import type {
  Cadence,
  Condition,
  Fault,
  HistoryEntry,
  ObservedRevisions,
  SettledSummary,
  StatusSummary,
} from '#lib/domain/observation/observation.ts';
import { conditionOf, isTrue } from '../conditions.ts';
import { bad, busy, good } from '../summaries.ts';

/** Fields of a Kustomization that decide its status summary. */
export interface KustomizationFacts {
  readonly conditions: readonly Condition[];
  readonly history: readonly HistoryEntry[];
  readonly revisions: ObservedRevisions;
  readonly cadence: Cadence;
  /** The generation that Ready speaks of is the present one. */
  readonly upToDate: boolean;
}

/** The status summary of a Kustomization (docs/facts/flux.md). */
export function kustomizationSummary(facts: KustomizationFacts): StatusSummary {
  const { conditions } = facts;
  if (conditions.length === 0) return { said: 'nothing' };
  const ready = conditionOf(conditions, 'Ready');
  if (ready === null) return busy(null);
  if (ready.status === 'True') return good(ready);
  if (ready.status === 'Unknown' || ready.reason === 'HealthCheckCanceled')
    return busy(ready, settledBefore(facts, ready));
  return bad(kustomizationFault(ready.reason), ready, isTrue(conditions, 'Stalled'));
}

/** Fault that a reason of Ready=False names; a reason that is not known is taken for a failure to apply. */
function kustomizationFault(reason: string): Fault {
  return kustomizationFaults.get(reason) ?? 'apply';
}

const kustomizationFaults: ReadonlyMap<string, Fault> = new Map([
  ['HealthCheckFailed', 'health'],
  ['DependencyNotReady', 'dependency'],
  ['ArtifactFailed', 'artifact'],
]);

/**
 * The last settled summary, as far as the history tells in the middle of a pass. A failure that the history names is the last
 * summary. A success is believed only where nothing can have failed since without a trace: same generation, the revision that
 * was tried is the one of the entry, and the present pass began no later than one interval after it.
 */
function settledBefore(facts: KustomizationFacts, ready: Condition): SettledSummary | null {
  const newest = facts.history[0];
  if (newest === undefined) return null;
  const { status: reason, revision } = newest;
  if (reason === 'ReconciliationSucceeded') {
    const { applied, attempted } = facts.revisions;
    const unmoved = facts.upToDate && revision !== null && revision === applied && revision === attempted;
    return unmoved && inTime(facts, newest, ready) ? good({ reason, message: `Applied revision: ${revision}` }) : null;
  }
  if (facts.revisions.attempted !== revision || reason === '' || reason === 'HealthCheckCanceled') return null;
  const healthy = conditionOf(facts.conditions, 'Healthy');
  const message = healthy?.status === 'False' && healthy.reason === reason ? healthy.message : '';
  return bad(kustomizationFault(reason), { reason, message });
}

/** A tenth of the interval is left for jitter (--interval-jitter-percentage), 5 s for the pass itself. */
function inTime(facts: KustomizationFacts, newest: HistoryEntry, ready: Condition): boolean {
  const interval = facts.cadence.interval;
  if (interval === null || newest.last === null || ready.lastTransitionTime === null) return false;
  return ready.lastTransitionTime - newest.last <= interval * 1.1 + 5000;
}

/** The status summary of a source (docs/facts/flux.md). */
export function sourceSummary(conditions: readonly Condition[]): StatusSummary {
  if (conditions.length === 0) return { said: 'nothing' };
  const ready = conditionOf(conditions, 'Ready');
  if (ready === null) return busy(null, keptFailure(conditions));
  // An ArtifactGenerator that was switched off from birth says Ready=True of nothing (source-watcher, msgInitSuspended).
  if (ready.reason === 'ReconciliationDisabled') return { said: 'nothing' };
  if (ready.status === 'True') return good(ready);
  if (ready.status === 'Unknown') return busy(ready, keptFailure(conditions));
  return bad(sourceFault(ready.reason), ready, isTrue(conditions, 'Stalled'));
}

/** Conditions that say "bad" by being True. They stay through the next pass until it has gone well. */
const abnormal = ['FetchFailed', 'BuildFailed', 'StorageOperationFailed', 'IncludeUnavailable'];

function keptFailure(conditions: readonly Condition[]): SettledSummary | null {
  const kept = abnormal.map((type) => conditionOf(conditions, type)).find((condition) => condition?.status === 'True');
  return kept ? bad(sourceFault(kept.reason), kept) : null;
}

/** Reasons that mean another fault than a failure to fetch, which most failures of a source are. */
const sourceFaults: { readonly [fault in Fault]?: readonly string[] } = {
  artifact: [
    ...['InvalidChartReference', 'NoSourceArtifact', 'SourceUnavailable'],
    ...['SourceFetchFailed', 'ArtifactFailed', 'IncludeUnavailable'],
  ],
  dependency: ['DependencyNotReady'],
  apply: [
    ...['StorageOperationFailed', 'DirectoryCreationFailed', 'ReadOperationFailed', 'StatOperationFailed'],
    ...['AcquireLockFailed', 'ArchiveOperationFailed', 'SymlinkUpdateFailed', 'PatchOperationFailed'],
    ...['ChartPackageError', 'ValuesFilesError', 'BuildFailed', 'ReconciliationFailed'],
    ...['ValidationFailed', 'AccessDenied', 'FeatureGateDisabled'],
  ],
};

function sourceFault(reason: string): Fault {
  const faults = ['artifact', 'dependency', 'apply'] as const;
  return faults.find((fault) => sourceFaults[fault]?.includes(reason)) ?? 'fetch';
}

/** The status summary of a kind of Flux's family that says everything by Ready, with the kit's usual reasons (fluxcd/pkg apis/meta). */
export function summaryOfReady(conditions: readonly Condition[], otherwise: Fault): StatusSummary {
  if (conditions.length === 0) return { said: 'nothing' };
  const ready = conditionOf(conditions, 'Ready');
  if (ready === null) return busy(null);
  const { reason } = ready;
  // Switched off from birth, flux-operator says Ready=True of nothing.
  if (reason === 'ReconciliationDisabled') return { said: 'nothing' };
  // So says a ResourceSetInputProvider that has never run, and only until its schedule comes for the first time.
  if (reason === 'SkippedDueToSchedule') return bad('approval', ready);
  if (ready.status === 'True') return good(ready);
  if (ready.status === 'Unknown') return busy(ready);
  return bad(kitFaults.get(reason) ?? otherwise, ready, isTrue(conditions, 'Stalled'));
}

const kitFaults: ReadonlyMap<string, Fault> = new Map([
  ...kustomizationFaults,
  ['BuildFailed', 'apply'],
  ['ReconciliationFailed', 'apply'],
  ['AccessDenied', 'apply'],
]);
