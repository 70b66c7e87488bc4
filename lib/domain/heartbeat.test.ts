import { describe, expect, it } from 'vitest';
import { defaultPolicy } from './guarantee.ts';
import { leaseDiesAt, leaseState, lookAtLease, passBound, passLife } from './heartbeat.ts';
import { bad, minute, noon, observed, source, tracked } from './testing/observed.ts';

describe('leases', () => {
  const look = (renewed: number, at: number, before: Parameters<typeof lookAtLease>[0] = null) =>
    lookAtLease(before, { renewTime: renewed, durationSeconds: 35 }, at);

  it('a lease that was never seen moving proves nothing, however fresh it looks', () => {
    const once = look(noon, noon);
    const twice = look(noon, noon + 15_000, once);
    expect(leaseState(once, noon)).toBe('unknown');
    expect(leaseState(twice, noon + 60 * minute)).toBe('unknown');
  });

  it('lives while it moves, and is dead 15 s past its duration', () => {
    const moving = look(noon + 5_000, noon + 15_000, look(noon, noon));
    expect(leaseState(moving, noon + 15_000)).toBe('alive');
    expect(leaseDiesAt(moving)).toBe(noon + 15_000 + 50_000);
    const standing = look(noon + 5_000, noon + 60_000, moving);
    expect(leaseState(standing, noon + 64_999)).toBe('alive');
    expect(leaseState(standing, noon + 65_000)).toBe('dead');
  });

  it('comes back to life when it moves again', () => {
    const dead = look(noon + 5_000, noon + 120_000, look(noon + 5_000, noon + 15_000, look(noon, noon)));
    expect(leaseState(look(noon + 121_000, noon + 135_000, dead), noon + 135_000)).toBe('alive');
  });
});

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
    expect(passLife(tracked(source()), defaultPolicy)).toBeNull();
    expect(passLife(tracked(observed({ word: bad('dependency', 'DependencyNotReady') })), defaultPolicy)).toBeNull();
    expect(passLife(tracked(observed({ word: bad('artifact', 'ArtifactFailed') })), defaultPolicy)).toBeNull();
  });

  it('counts from the first sight where no pass is dated', () => {
    const life = passLife(
      tracked(observed({ passes: { seenBy: 'writes', last: null, total: null }, lastWriteAt: null }), noon),
      defaultPolicy,
    );
    expect(life).toEqual({ last: null, until: noon + 30 * minute });
  });
});
