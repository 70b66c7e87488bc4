import { describe, expect, it } from 'vitest';
import { verdicts, type Verdict } from '../verdict/verdict.ts';
import { fateOf, type FateFacts, type FateName, holdsUp } from './fate.ts';

const runsIt: FateFacts = {
  verdict: 'converged',
  was: null,
  held: null,
  driftedLater: false,
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
    ['stale', 'unknown'],
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
    ['waiting', 'unknown'],
    ['stale', 'unknown'],
    ['unhealthy', 'stuck'],
    ['diverged', 'stuck'],
    ['drifted', 'stuck'],
  ])('and is suspended or stale, %s beneath, is %s', (was, state) => {
    expect(fateOf({ ...runsIt, verdict: 'suspended', was }).state).toBe(state);
    expect(fateOf({ ...runsIt, verdict: 'stale', was }).state).toBe(state);
  });

  it('and is suspended is not known, for nobody looks at it any more', () => {
    const why = 'suspended, and ran it when last seen';
    expect(fateOf({ ...runsIt, verdict: 'suspended', was: 'converged' })).toEqual({ state: 'unknown', why, by: null });
  });

  it.each<[Verdict | null, string, string]>([
    ['converged', 'ControllerDead', 'ran it when last confirmed; ControllerDead'],
    [null, '', 'ran it when last confirmed'],
  ])('and is stale, %s beneath, is not known, for nobody looks at it any more: %s', (was, reason, why) => {
    expect(fateOf({ ...runsIt, verdict: 'stale', was, reason })).toEqual({ state: 'unknown', why, by: null });
  });

  it.each<[Verdict, string, string]>([
    ['stale', 'ControllerDead', 'ControllerDead (unhealthy when last confirmed)'],
    ['suspended', 'Suspended', 'Suspended (unhealthy when last seen)'],
    ['stale', '', 'unhealthy when last confirmed'],
  ])('and failed before nobody looked at it any more tells both: %s %s', (verdict, reason, why) => {
    expect(fateOf({ ...runsIt, verdict, was: 'unhealthy', reason })).toEqual({ state: 'stuck', why, by: null });
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
    const was = verdict === 'stale' ? ('diverged' as const) : null;
    const facts = { ...fails, verdict, was, later: 'b', failing: { ...failing, worked } };
    expect(fateOf(facts)).toMatchObject({ state, by: null });
  });

  it('is stuck with the commit that it fails at, and with one that was tried with it', () => {
    const never = { worked: false, later: null, laterKnown: true };
    expect(fateOf({ ...fails, runs: false, tried: true, failing: never }).state).toBe('stuck');
    expect(fateOf({ ...fails, runs: true, failing: never }).state).toBe('stuck');
  });
});

describe('an object that has worked at the commit, and is not in order though no later one touches it', () => {
  const failing: FateFacts['failing'] = { worked: true, later: null, laterKnown: true };
  const fails: FateFacts = { ...runsIt, verdict: 'unhealthy', reason: 'HealthCheckFailed', failing };

  it.each<[Verdict, Verdict | null, FateName, string]>([
    ['diverged', null, 'failed-later', 'HealthCheckFailed'],
    ['unhealthy', null, 'failed-later', 'HealthCheckFailed'],
    ['drifted', null, 'failed-later', 'HealthCheckFailed'],
    ['stale', 'unhealthy', 'failed-later', 'HealthCheckFailed (unhealthy when last confirmed)'],
    ['suspended', 'diverged', 'failed-later', 'HealthCheckFailed (diverged when last seen)'],
    ['stale', 'waiting', 'unknown', 'ran it when last confirmed; HealthCheckFailed'],
    ['suspended', 'converged', 'unknown', 'suspended, and ran it when last seen'],
    ['waiting', null, 'on-its-way', 'HealthCheckFailed'],
    ['progressing', null, 'on-its-way', 'HealthCheckFailed'],
    ['behind', null, 'on-its-way', 'HealthCheckFailed'],
    ['unobserved', 'unhealthy', 'unknown', 'HealthCheckFailed'],
    ['converged', null, 'converged', ''],
  ])('and is %s, %s beneath: %s', (verdict, was, state, why) => {
    expect(fateOf({ ...fails, verdict, was })).toEqual({ state, why, by: null });
  });

  it('failed later, too, where it waits in vain by now', () => {
    const held = 'waits for infra on eu: BuildFailed';
    expect(fateOf({ ...fails, verdict: 'waiting', held })).toEqual({ state: 'failed-later', why: held, by: null });
  });

  it('failed later by its verdict where nothing names a reason', () => {
    expect(fateOf({ ...fails, reason: '' }).why).toBe('unhealthy');
  });

  it.each<[boolean | null, FateName]>([
    [false, 'stuck'],
    [null, 'stuck'],
  ])('is stuck where it is not known to have worked: %s', (worked, state) => {
    expect(fateOf({ ...fails, failing: { ...failing, worked } }).state).toBe(state);
    expect(fateOf({ ...fails, verdict: 'stale', was: 'unhealthy', failing: { ...failing, worked } }).state).toBe(state);
  });

  it('is not known where git does not tell what lies between', () => {
    expect(fateOf({ ...fails, laterKnown: false }).state).toBe('unknown');
    expect(fateOf({ ...fails, failing: { ...failing, laterKnown: false } }).state).toBe('unknown');
  });

  it('is told of nothing where it does not run the commit any more', () => {
    expect(fateOf({ ...fails, runs: false, tried: false }).state).toBe('on-its-way');
    expect(fateOf({ ...fails, runs: null }).state).toBe('unknown');
  });
});

describe('an object that has drifted from the commit that it runs', () => {
  const drifted: FateFacts = { ...runsIt, verdict: 'drifted', reason: 'DriftDetected', driftedLater: true };

  it.each<[string, Partial<FateFacts>, FateName]>([
    ['which can only have come later', {}, 'failed-later'],
    ['which may be since it was applied', { driftedLater: false }, 'stuck'],
    ['where a later one touches it', { later: 'b' }, 'superseded'],
    ['and is stale by now', { verdict: 'stale', was: 'drifted' }, 'failed-later'],
    ['and failed at it from the beginning', { failing: { worked: false, later: null, laterKnown: true } }, 'stuck'],
    ['and is diverged for another reason', { verdict: 'diverged' }, 'stuck'],
    ['which has never run it', { runs: false, tried: false }, 'on-its-way'],
  ])('%s', (_name, part, state) => {
    expect(fateOf({ ...drifted, ...part }).state).toBe(state);
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
  it.each<[string, FateFacts, FateName]>([
    ['is stuck by that where it runs an older commit', runsOlder, 'stuck'],
    ['failed later where it runs the commit: what runs while it waits was applied in full', runsIt, 'failed-later'],
    [
      'is stuck where it failed before it waited, and is not known to have worked',
      { ...runsIt, failing: { worked: false, later: null, laterKnown: true } },
      'stuck',
    ],
  ])('for what fails %s', (_name, facts, state) => {
    const held = 'waits for infra on eu: BuildFailed';
    expect(fateOf({ ...facts, verdict: 'waiting', reason: 'DependencyNotReady', held })).toEqual({
      state,
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
