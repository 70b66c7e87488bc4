import { describe, expect, it } from 'vitest';
import { verdicts, type Verdict } from '../verdict/verdict.ts';
import { fateOf, type FateFacts, type FateName, holdsUp } from './fate.ts';

const runsIt: FateFacts = {
  verdict: 'converged',
  was: null,
  held: null,
  reason: '',
  touches: true,
  runs: true,
  tried: true,
  later: null,
  laterKnown: true,
  failing: null,
  unknown: null,
};
const runsOlder: FateFacts = { ...runsIt, runs: false, tried: false };

describe('an object that the commit does not touch', () => {
  it.each(verdicts)('is not concerned, %s or not', (verdict) => {
    expect(fateOf({ ...runsIt, verdict, touches: false }).state).toBe('not-concerned');
  });
});

describe('an object that runs the commit', () => {
  it.each<[Verdict, FateName]>([
    ['diverged', 'stuck'],
    ['drifted', 'stuck'],
    ['unhealthy', 'stuck'],
    ['stale', 'stuck'],
    ['unobserved', 'unknown'],
    ['suspended', 'unknown'],
    ['behind', 'on-its-way'],
    ['waiting', 'on-its-way'],
    ['progressing', 'on-its-way'],
    ['unconfirmed', 'on-its-way'],
    ['converged', 'converged'],
  ])('and is %s: %s', (verdict, state) => {
    expect(fateOf({ ...runsIt, verdict }).state).toBe(state);
  });

  it.each<[Verdict | null, FateName]>([
    ['converged', 'unknown'],
    ['unconfirmed', 'unknown'],
    ['progressing', 'unknown'],
    [null, 'unknown'],
    ['unhealthy', 'stuck'],
    ['diverged', 'stuck'],
    ['stale', 'stuck'],
  ])('and is suspended, %s beneath, is %s', (was, state) => {
    expect(fateOf({ ...runsIt, verdict: 'suspended', was }).state).toBe(state);
  });

  it('and is suspended is not known, for nobody looks at it any more', () => {
    const why = 'suspended, and ran it when last seen';
    expect(fateOf({ ...runsIt, verdict: 'suspended', was: 'converged' })).toEqual({ state: 'unknown', why, by: null });
  });

  it('is superseded where a later commit touches it too, whatever that one came to', () => {
    expect(fateOf({ ...runsIt, later: 'b' })).toEqual({ state: 'superseded', why: '', by: 'b' });
    expect(fateOf({ ...runsIt, verdict: 'unhealthy', reason: 'HealthCheckFailed', later: 'b' })).toEqual({
      state: 'superseded',
      why: 'HealthCheckFailed',
      by: 'b',
    });
  });
});

describe('an object that fails since a later commit', () => {
  const failing: FateFacts['failing'] = { worked: true, later: 'b', laterKnown: true };
  const why = 'fails at a later commit: BuildFailed';
  const fails: FateFacts = { ...runsIt, verdict: 'diverged', reason: 'BuildFailed', failing };

  it('has had the commit, which is superseded, whichever of both it runs', () => {
    const superseded = { state: 'superseded', why, by: 'b' };
    expect(fateOf(fails)).toEqual(superseded);
    expect(fateOf({ ...fails, later: 'b' })).toEqual(superseded);
    expect(fateOf({ ...fails, runs: null })).toEqual(superseded);
    expect(fateOf({ ...fails, runs: false })).toEqual(superseded);
  });

  it.each<Verdict>(['diverged', 'unhealthy', 'drifted', 'stale', 'suspended', 'behind', 'waiting', 'progressing'])(
    'has had it whatever became of it since: %s',
    (verdict) => {
      const told = verdict === 'diverged' || verdict === 'unhealthy' ? why : 'failed at a later commit';
      expect(fateOf({ ...fails, verdict, was: 'diverged' })).toEqual({ state: 'superseded', why: told, by: 'b' });
    },
  );

  it('is not known where it is not seen', () => {
    expect(fateOf({ ...fails, verdict: 'unobserved', was: 'diverged' }).state).toBe('unknown');
  });

  it('is stuck where no later commit touches it: git did not break it', () => {
    expect(fateOf({ ...fails, failing: { ...failing, later: null } }).state).toBe('stuck');
  });

  it('is not known where git does not tell what came after', () => {
    expect(fateOf({ ...fails, failing: { worked: true, later: null, laterKnown: false } })).toEqual({
      state: 'unknown',
      why: 'what came after it is not known',
      by: null,
    });
  });

  it.each<[Verdict, boolean | null, FateName]>([
    ['diverged', false, 'stuck'],
    ['unhealthy', false, 'stuck'],
    ['stale', false, 'stuck'],
    ['progressing', false, 'on-its-way'],
    ['diverged', null, 'unknown'],
    ['unhealthy', null, 'unknown'],
  ])('has not had one at which it never worked, though a later one runs: %s, %s, %s', (verdict, worked, state) => {
    const facts = { ...fails, verdict, later: 'b', failing: { ...failing, worked } };
    expect(fateOf(facts)).toMatchObject({ state, by: null });
  });

  it('is stuck with the commit that it fails at, and with one that was tried with it', () => {
    const never = { worked: false, later: null, laterKnown: true };
    expect(fateOf({ ...fails, runs: false, tried: true, failing: never }).state).toBe('stuck');
    expect(fateOf({ ...fails, runs: true, failing: never }).state).toBe('stuck');
  });
});

describe('an object that runs an older commit', () => {
  it.each<[Verdict, FateName]>([
    ['diverged', 'on-its-way'],
    ['drifted', 'on-its-way'],
    ['unhealthy', 'on-its-way'],
    ['stale', 'stuck'],
    ['unobserved', 'unknown'],
    ['suspended', 'stuck'],
    ['behind', 'stuck'],
    ['waiting', 'on-its-way'],
    ['progressing', 'on-its-way'],
    ['unconfirmed', 'on-its-way'],
    ['converged', 'on-its-way'],
  ])('which was not tried, and is %s: %s', (verdict, state) => {
    expect(fateOf({ ...runsOlder, verdict }).state).toBe(state);
  });

  it.each<Verdict>(['diverged', 'unhealthy'])(
    'and is %s is stuck where the commit was tried, or that is not known',
    (verdict) => {
      for (const tried of [true, null])
        expect(fateOf({ ...runsOlder, verdict, reason: 'BuildFailed', tried })).toEqual({
          state: 'stuck',
          why: 'BuildFailed',
          by: null,
        });
    },
  );

  it('says for what it waits', () => {
    expect(fateOf({ ...runsOlder, verdict: 'waiting', reason: 'DependencyNotReady' }).why).toBe('DependencyNotReady');
  });
});

describe('an object that waits', () => {
  it.each([runsIt, runsOlder])('for what fails is stuck by that, whichever commit it runs', (facts) => {
    const held = 'waits for infra on eu: BuildFailed';
    expect(fateOf({ ...facts, verdict: 'waiting', reason: 'DependencyNotReady', held })).toEqual({
      state: 'stuck',
      why: held,
      by: null,
    });
  });

  it.each<[Verdict, boolean]>(
    verdicts.map((verdict) => [
      verdict,
      ['diverged', 'drifted', 'unhealthy', 'stale', 'suspended', 'behind'].includes(verdict),
    ]),
  )('for one that is %s waits in vain: %s', (verdict, is) => {
    expect(holdsUp({ verdict })).toBe(is);
  });
});

describe('what git does not know', () => {
  it.each([
    [
      { touches: null, unknown: 'The repository does not hold this commit.' },
      'The repository does not hold this commit.',
    ],
    [{ touches: null }, 'what it is built from is not known'],
    [{ runs: null, unknown: 'Its history was rewritten.' }, 'Its history was rewritten.'],
    [{ runs: null }, 'what it runs is not known'],
    [{ laterKnown: false }, 'what came after it is not known'],
  ])('is not known of the object either: %j', (facts, why) => {
    expect(fateOf({ ...runsIt, ...facts })).toEqual({ state: 'unknown', why, by: null });
  });

  it('is that it is stuck where nothing names a reason but the verdict', () => {
    expect(fateOf({ ...runsOlder, verdict: 'suspended' })).toEqual({ state: 'stuck', why: 'suspended', by: null });
  });
});
