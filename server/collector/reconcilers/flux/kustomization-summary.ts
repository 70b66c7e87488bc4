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
