import type { Running } from '../verdict/judgement.ts';
import type { Observation } from './observation.ts';

/** Reasons after which what was attempted is what runs. See docs/design/verdicts.md. */
const attemptedRuns: ReadonlySet<string> = new Set([
  'HealthCheckFailed',
  'HealthCheckCanceled',
  'PruneFailed',
  'TestFailed',
]);
/** Reasons after which parts of what was attempted may run. */
const partsRun: ReadonlySet<string> = new Set([
  'ReconciliationFailed',
  'UpgradeFailed',
  'InstallFailed',
  'RollbackFailed',
  'UninstallFailed',
  'SyncFailed',
  'SyncError',
]);

/** Revision of an object that runs, by its settled state. Sources run nothing; their artifact is named. */
export function runningOf(settled: Observation | null): Running {
  if (!settled) return { revision: null, partly: false };
  const { applied, attempted, artifact } = settled.revisions;
  if (settled.role === 'source') return { revision: artifact, partly: false };
  if (settled.summary.said === 'bad' && attempted !== null && attempted !== applied) {
    if (attemptedRuns.has(settled.summary.reason)) return { revision: attempted, partly: false };
    if (partsRun.has(settled.summary.reason)) return { revision: applied ?? attempted, partly: true };
  }
  return { revision: applied, partly: false };
}
