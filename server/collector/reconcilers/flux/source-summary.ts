import type { Condition, Fault, SettledSummary, StatusSummary } from '#lib/domain/observation/observation.ts';
import { conditionOf, isTrue } from '../conditions.ts';

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
export function sourceFault(reason: string): Fault {
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
