import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '../guarantee/guarantee.ts';
import { knownCadence, passBound, passLiveness } from './heartbeat.ts';
import { bad, noon, observed, source, tracked } from '../testing/observed.ts';
import { minute } from '../time/length.ts';

describe('how long a loop may be silent', () => {
  it.each([
    ['three intervals', { interval: 10 * minute, retryInterval: null, timeout: minute }, false, 30 * minute],
    [
      'an interval, its timeout and 2 min',
      { interval: minute, retryInterval: null, timeout: 10 * minute },
      false,
      13 * minute,
    ],
    [
      'the retry interval where it fails',
      { interval: 60 * minute, retryInterval: 2 * minute, timeout: minute },
      true,
      6 * minute,
    ],
    [
      'a doubling pause where it fails without one',
      { interval: minute, retryInterval: null, timeout: minute },
      true,
      20 * minute,
    ],
    ['no bound without an interval', { interval: null, retryInterval: null, timeout: null }, false, null],
  ] as const)('%s', (_name, cadence, failing, bound) => {
    expect(passBound(cadence, failing, defaultPolicy)).toBe(bound);
  });

  it('asks no passes of a source, nor of what was refused before it began', () => {
    expect(passLiveness(tracked(source()), defaultPolicy, null)).toBeNull();
    const { passes } = observed();
    expect(passLiveness(tracked(source({ passes })), defaultPolicy, null)).toBeNull();
    expect(passLiveness(tracked(observed({ passes: source().passes })), defaultPolicy, null)).toBeNull();
    expect(
      passLiveness(tracked(observed({ summary: bad('dependency', 'DependencyNotReady') })), defaultPolicy, null),
    ).toBeNull();
    expect(
      passLiveness(tracked(observed({ summary: bad('artifact', 'ArtifactFailed') })), defaultPolicy, null),
    ).toBeNull();
  });

  it('asks no passes of what is being deleted: its reconciler lets go of it, and what holds it may be another', () => {
    expect(passLiveness(tracked(observed({ deletedAt: noon })), defaultPolicy, null)).toBeNull();
  });

  it('counts from the first sight where no pass is dated', () => {
    const liveness = passLiveness(
      tracked(observed({ passes: { seenBy: 'writes', last: null, total: null }, lastWriteAt: null }), noon),
      defaultPolicy,
      null,
    );
    expect(liveness).toEqual({ last: null, until: noon + 30 * minute });
  });
});

it.each([
  [undefined, 5 * minute, 10 * minute],
  [undefined, null, 10 * minute],
  [true, null, 10 * minute],
  [true, 5 * minute, 5 * minute],
  [true, 'never', null],
] as const)(
  'with an interval that is assumed: %s, of a controller that is set to %s, it is %s',
  (assumed, reported, interval) => {
    const cadence = {
      interval: 10 * minute,
      retryInterval: minute,
      timeout: 2 * minute,
      ...(assumed ? { assumed } : {}),
    };
    expect(knownCadence(cadence, reported)).toMatchObject({ interval, retryInterval: minute, timeout: 2 * minute });
  },
);
