import { expect, it } from 'vitest';
import { bad, observed, revisionA, revisionB, source } from '../testing/observed.ts';
import { runningOf } from './running.ts';

const revisions = { applied: revisionA, attempted: revisionB, artifact: null, origin: null };

it.each([
  ['HealthCheckFailed', revisionB, false],
  ['HealthCheckCanceled', revisionB, false],
  ['PruneFailed', revisionB, false],
  ['TestFailed', revisionB, false],
  ['ReconciliationFailed', revisionA, true],
  ['UpgradeFailed', revisionA, true],
  ['InstallFailed', revisionA, true],
  ['RollbackFailed', revisionA, true],
  ['UninstallFailed', revisionA, true],
  ['SyncFailed', revisionA, true],
  ['SyncError', revisionA, true],
  ['BuildFailed', revisionA, false],
])('after %s runs %s, in parts: %s', (reason, revision, partly) => {
  expect(runningOf(observed({ summary: bad('apply', reason), revisions }))).toEqual({ revision, partly });
});

it('of what was tried first parts run, and of a source its artifact is named', () => {
  const first = observed({ summary: bad('apply', 'InstallFailed'), revisions: { ...revisions, applied: null } });
  expect(runningOf(first)).toEqual({ revision: revisionB, partly: true });
  expect(runningOf(source())).toEqual({ revision: revisionA, partly: false });
  expect(runningOf(null)).toEqual({ revision: null, partly: false });
});
