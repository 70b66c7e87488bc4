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

/** Fields of a Kustomization that decide its status summary. */
export interface KustomizationTold {
  readonly conditions: readonly Condition[];
  readonly history: readonly HistoryEntry[];
  readonly revisions: ObservedRevisions;
  readonly cadence: Cadence;
  /** The generation that Ready speaks of is the present one. */
  readonly upToDate: boolean;
}

/** The status summary of a Kustomization (docs/facts/flux.md). */
export function kustomizationSummary(told: KustomizationTold): StatusSummary {
  const { conditions } = told;
  if (conditions.length === 0) return { said: 'nothing' };
  const ready = conditionOf(conditions, 'Ready');
  if (ready === null) return { said: 'busy', reason: '', message: '', before: null };
  const { reason, message } = ready;
  if (ready.status === 'True') return { said: 'good', reason, message };
  if (ready.status === 'Unknown' || reason === 'HealthCheckCanceled') {
    return { said: 'busy', reason, message, before: settledBefore(told, ready) };
  }
  return { said: 'bad', fault: kustomizationFault(reason), reason, message, terminal: isTrue(conditions, 'Stalled') };
}

/** Fault that a reason of Ready=False names; a reason that is not known is taken for a failure to apply. */
function kustomizationFault(reason: string): Fault {
  switch (reason) {
    case 'HealthCheckFailed':
      return 'health';
    case 'DependencyNotReady':
      return 'dependency';
    case 'ArtifactFailed':
      return 'artifact';
    default:
      return 'apply';
  }
}

/**
 * The last settled summary, as far as the history tells in the middle of a pass. A failure that the history names is the last
 * summary. A success is believed only where nothing can have failed since without a trace: same generation, the revision that
 * was tried is the one of the entry, and the present pass began no later than one interval after it.
 */
function settledBefore(told: KustomizationTold, ready: Condition): SettledSummary | null {
  const newest = told.history[0];
  if (newest === undefined) return null;
  const { status: reason, revision } = newest;
  if (reason === 'ReconciliationSucceeded') {
    const { applied, attempted } = told.revisions;
    const unmoved = told.upToDate && revision !== null && revision === applied && revision === attempted;
    return unmoved && inTime(told, newest, ready)
      ? { said: 'good', reason, message: `Applied revision: ${revision}` }
      : null;
  }
  if (told.revisions.attempted !== revision || reason === '' || reason === 'HealthCheckCanceled') return null;
  const healthy = conditionOf(told.conditions, 'Healthy');
  const message = healthy?.status === 'False' && healthy.reason === reason ? healthy.message : '';
  return { said: 'bad', fault: kustomizationFault(reason), reason, message, terminal: false };
}

/** A tenth of the interval is left for jitter (--interval-jitter-percentage), 5 s for the pass itself. */
function inTime(told: KustomizationTold, newest: HistoryEntry, ready: Condition): boolean {
  const interval = told.cadence.interval;
  if (interval === null || newest.last === null || ready.lastTransitionTime === null) return false;
  return ready.lastTransitionTime - newest.last <= interval * 1.1 + 5000;
}

/** The status summary of a source (docs/facts/flux.md). */
export function sourceSummary(conditions: readonly Condition[]): StatusSummary {
  if (conditions.length === 0) return { said: 'nothing' };
  const ready = conditionOf(conditions, 'Ready');
  if (ready === null) return { said: 'busy', reason: '', message: '', before: keptFailure(conditions) };
  const { reason, message } = ready;
  // An ArtifactGenerator that was switched off from birth says Ready=True of nothing (source-watcher, msgInitSuspended).
  if (reason === 'ReconciliationDisabled') return { said: 'nothing' };
  if (ready.status === 'True') return { said: 'good', reason, message };
  if (ready.status === 'Unknown') return { said: 'busy', reason, message, before: keptFailure(conditions) };
  return { said: 'bad', fault: sourceFault(reason), reason, message, terminal: isTrue(conditions, 'Stalled') };
}

/** Conditions that say "bad" by being True. They stay through the next pass until it has gone well. */
const abnormal = ['FetchFailed', 'BuildFailed', 'StorageOperationFailed', 'IncludeUnavailable'];

function keptFailure(conditions: readonly Condition[]): SettledSummary | null {
  for (const type of abnormal) {
    const condition = conditionOf(conditions, type);
    if (condition?.status !== 'True') continue;
    const { reason, message } = condition;
    return { said: 'bad', fault: sourceFault(reason), reason, message, terminal: false };
  }
  return null;
}

/** Fault that a reason names. Most failures of a source are failures to fetch. */
function sourceFault(reason: string): Fault {
  switch (reason) {
    case 'InvalidChartReference':
    case 'NoSourceArtifact':
    case 'SourceUnavailable':
    case 'SourceFetchFailed':
    case 'ArtifactFailed':
    case 'IncludeUnavailable':
      return 'artifact';
    case 'DependencyNotReady':
      return 'dependency';
    case 'StorageOperationFailed':
    case 'DirectoryCreationFailed':
    case 'ReadOperationFailed':
    case 'StatOperationFailed':
    case 'AcquireLockFailed':
    case 'ArchiveOperationFailed':
    case 'SymlinkUpdateFailed':
    case 'PatchOperationFailed':
    case 'ChartPackageError':
    case 'ValuesFilesError':
    case 'BuildFailed':
    case 'ReconciliationFailed':
    case 'ValidationFailed':
    case 'AccessDenied':
    case 'FeatureGateDisabled':
      return 'apply';
    default:
      return 'fetch';
  }
}

/** The status summary of a kind of Flux's family that says everything by Ready, with the kit's usual reasons (fluxcd/pkg apis/meta). */
export function summaryOfReady(conditions: readonly Condition[], otherwise: Fault): StatusSummary {
  if (conditions.length === 0) return { said: 'nothing' };
  const ready = conditionOf(conditions, 'Ready');
  if (ready === null) return { said: 'busy', reason: '', message: '', before: null };
  const { reason, message } = ready;
  // Switched off from birth, flux-operator says Ready=True of nothing.
  if (reason === 'ReconciliationDisabled') return { said: 'nothing' };
  // So says a ResourceSetInputProvider that has never run, and only until its schedule comes for the first time.
  if (reason === 'SkippedDueToSchedule') return { said: 'bad', fault: 'approval', reason, message, terminal: false };
  if (ready.status === 'True') return { said: 'good', reason, message };
  if (ready.status === 'Unknown') return { said: 'busy', reason, message, before: null };
  const fault = faultOf(reason, otherwise);
  return { said: 'bad', fault, reason, message, terminal: isTrue(conditions, 'Stalled') };
}

function faultOf(reason: string, otherwise: Fault): Fault {
  switch (reason) {
    case 'DependencyNotReady':
      return 'dependency';
    case 'HealthCheckFailed':
      return 'health';
    case 'ArtifactFailed':
      return 'artifact';
    case 'BuildFailed':
    case 'ReconciliationFailed':
    case 'AccessDenied':
      return 'apply';
    default:
      return otherwise;
  }
}
