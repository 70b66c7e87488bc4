import { expect, describe, it } from 'vitest';
import { defaultPolicy } from '../guarantee/guarantee.ts';
import { judge } from './judge.ts';
import type { Observation } from '../observation/observation.ts';
import { around, good, noon, observed, tracked } from '../testing/observed.ts';
import { begin, receive, type Track } from '../observation/track.ts';
import { minute } from '../time/length.ts';

function verdictOf(observation: Observation, track: Track = tracked(observation)) {
  return judge({ track }, around(), defaultPolicy, noon);
}

describe('what was switched off', () => {
  const off = { field: 'spec.suspend', by: 'flux', at: noon - 60 * minute };
  const unsaid = {
    createdAt: noon - 60 * minute,
    summary: { said: 'nothing' },
    suspended: off,
    passes: { seenBy: 'writes', last: null, total: null },
    revisions: { applied: null, attempted: null, artifact: null, origin: null },
    lastWriteAt: null,
    conditions: [],
  } as const;

  it('at its birth is not diverged beneath for never having settled', () => {
    expect(verdictOf(observed(unsaid))).toMatchObject({ verdict: 'suspended', was: 'progressing', reviewAt: null });
    const passless = { seenBy: 'none', last: null, total: null } as const;
    expect(verdictOf(observed({ ...unsaid, passes: passless, suspended: null }))).toMatchObject({
      verdict: 'diverged',
      reason: 'NeverSettled',
      message: 'It has no condition at all.',
    });
  });

  it('in the middle of a pass is beneath what it was before it', () => {
    const busy = { said: 'busy', reason: 'Progressing', message: '', before: null } as const;
    const began = begin(observed({ summary: good }), noon - 90 * minute, true);
    const started = receive(began, observed({ resourceVersion: '2', summary: busy }), noon - 61 * minute);
    const track = receive(
      started,
      observed({ resourceVersion: '3', summary: busy, suspended: off }),
      noon - 60 * minute,
    );
    expect(verdictOf(track.latest, track)).toMatchObject({ verdict: 'suspended', was: 'converged' });
  });

  it('and has conditions, though none that tells, is not said to have none', () => {
    const conditions = [
      {
        type: 'Ready',
        status: 'True',
        reason: 'ReconciliationDisabled',
        message: 'Reconciliation in disabled',
        lastTransitionTime: noon - 60 * minute,
        observedGeneration: 1,
      },
    ] as const;
    expect(verdictOf(observed({ ...unsaid, conditions })).message).toBe('');
    expect(verdictOf(observed({ ...unsaid, suspended: null, conditions })).message).toBe('');
  });
});
