import { expect, it } from 'vitest';
import type { Transition } from '#lib/domain/current.ts';
import type { HistoryEntry } from '#lib/domain/observation.ts';
import type { Verdict } from '#lib/domain/verdict.ts';
import { badCommit, goodCommit, sampleDetail, sampleDiverged, sampleNow } from '../testing/sample.ts';
import { firstBadCommit } from './first-bad.ts';

const later = 'c'.repeat(40);
const broken = sampleDiverged(
  { name: 'checkout' },
  { revision: { applied: `main@sha1:${goodCommit}`, attempted: `main@sha1:${later}`, offered: `main@sha1:${later}` } },
);

type Step = readonly [to: Verdict | null, attempted: string | null, bound?: 'at-least'];

/** Changes of verdict, oldest first as they happened; given newest first as the store gives them. */
function record(...steps: readonly Step[]): readonly Transition[] {
  return steps
    .map(([to, attempted, bound], index): Transition => ({
      ref: broken.ref,
      uid: broken.uid,
      at: sampleNow - 3_600_000 + index,
      bound: bound ?? 'exact',
      noticedAt: sampleNow,
      from: steps[index - 1]?.[0] ?? null,
      to,
      reason: '',
      message: '',
      commit: null,
      attempted: attempted === null ? null : `main@sha1:${attempted}`,
      rootCause: null,
    }))
    .toReversed();
}

function failedAt(commit: string, total: number, status = 'HealthCheckFailed'): HistoryEntry {
  return { status, revision: `main@sha1:${commit}`, digest: `sha256:${commit}`, first: null, last: null, total };
}

it.each<readonly [string, readonly Step[], readonly HistoryEntry[], string | null]>([
  [
    'what was tried when it began, not what is tried now',
    [
      ['converged', goodCommit],
      ['diverged', badCommit],
    ],
    [],
    badCommit,
  ],
  [
    'through another way of failing and a blind spot',
    [
      ['converged', goodCommit],
      ['unhealthy', badCommit],
      ['unobserved', badCommit],
      ['diverged', later],
    ],
    [],
    badCommit,
  ],
  [
    'of this time, not of the one before',
    [
      ['diverged', 'd'.repeat(40)],
      ['converged', goodCommit],
      ['diverged', badCommit],
    ],
    [],
    badCommit,
  ],
  [
    'of an object that was deleted between, its own',
    [
      ['diverged', 'd'.repeat(40)],
      [null, null],
      ['diverged', badCommit],
    ],
    [],
    badCommit,
  ],
  ['unknown where it began before anybody looked', [['diverged', badCommit, 'at-least']], [], null],
  ['unknown without a record', [], [], null],
  [
    'unknown where nothing was tried',
    [
      ['converged', goodCommit],
      ['diverged', null],
    ],
    [],
    null,
  ],
  [
    'none where the commit that runs is the same: it is not what is bad',
    [
      ['converged', goodCommit],
      ['diverged', goodCommit],
    ],
    [],
    null,
  ],
  [
    'by its own history where that was met once',
    [['diverged', later, 'at-least']],
    [failedAt(later, 4), failedAt(badCommit, 1), failedAt(goodCommit, 9, 'ReconciliationSucceeded')],
    badCommit,
  ],
  [
    'not by a history entry that later commits of the same content have overwritten',
    [['diverged', later, 'at-least']],
    [failedAt(badCommit, 7), failedAt(goodCommit, 9, 'ReconciliationSucceeded')],
    null,
  ],
  ['not by a history that does not reach back to a success', [], [failedAt(badCommit, 1)], null],
])('%s', (_name, steps, history, commit) => {
  expect(firstBadCommit(broken, sampleDetail(broken, { history }), record(...steps))).toBe(commit);
});

it('is told of what is stale by now and failed beneath, and of nothing that does not fail', () => {
  const steps = record(['converged', goodCommit], ['diverged', badCommit], ['stale', badCommit]);
  expect(firstBadCommit({ ...broken, verdict: 'stale', was: 'diverged' }, null, steps)).toBe(badCommit);
  expect(firstBadCommit({ ...broken, verdict: 'stale', was: 'converged' }, null, steps)).toBeNull();
  expect(firstBadCommit({ ...broken, verdict: 'converged', was: null }, null, steps)).toBeNull();
});
