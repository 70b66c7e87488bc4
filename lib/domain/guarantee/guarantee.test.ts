import { describe, expect, it } from 'vitest';
import { defaultPolicy, guaranteeOf } from './guarantee.ts';
import { noon, recorded } from '../testing/observed.ts';
import { minute } from '../time/length.ts';

const since = (minutes: number) => ({ time: noon - minutes * minute, bound: 'exact' as const, noticedAt: noon });

const optOut = { kind: 'reconcile-disabled', field: 'x', meaning: '', by: null, at: null, reach: null } as const;

describe('the guarantee of one object', () => {
  it.each([
    ['converged', recorded(), 'holds'],
    ['suspended', recorded({ verdict: 'suspended' }), 'off'],
    ['unobserved', recorded({ verdict: 'unobserved' }), 'unknown'],
    ['unconfirmed', recorded({ verdict: 'unconfirmed' }), 'unknown'],
    ['opted out on the live object', recorded({ verdict: 'unconfirmed', exemptions: [optOut] }), 'off'],
    ['opted out, and not seen', recorded({ verdict: 'unobserved', exemptions: [optOut] }), 'unknown'],
    ['only observed', recorded({ exemptions: [{ ...optOut, kind: 'observe-only' }] }), 'off'],
    ['not pruned', recorded({ exemptions: [{ ...optOut, kind: 'prune-disabled' }] }), 'holds'],
    [
      'away with an alarm',
      recorded({ verdict: 'diverged', awaySince: since(60), alarm: { state: 'sounding', since: 0, by: 'own' } }),
      'holds',
    ],
    [
      'away and silent for an hour',
      recorded({ verdict: 'diverged', awaySince: since(60), alarm: { state: 'silent', broken: 'rule' } }),
      'broken',
    ],
    [
      'away and silent within the time',
      recorded({ verdict: 'diverged', awaySince: since(10), alarm: { state: 'silent', broken: 'rule' } }),
      'holds',
    ],
    [
      'away while alarms cannot be read',
      recorded({ verdict: 'diverged', awaySince: since(1), alarm: { state: 'unknown', why: 'none' } }),
      'unknown',
    ],
    [
      'stale and silent for an hour',
      recorded({ verdict: 'stale', awaySince: since(60), alarm: { state: 'silent', broken: 'rule' } }),
      'broken',
    ],
  ] as const)('%s: %s', (_name, object, guarantee) => {
    expect(guaranteeOf(object, defaultPolicy, noon)).toBe(guarantee);
  });

  const window = { clusters: ['c1'], until: noon + minute, reason: 'Upgrade to 1.36' };
  const silent = { state: 'silent', broken: 'rule' } as const;

  it.each([
    ['away and silent', recorded({ verdict: 'diverged', awaySince: since(60), alarm: silent }), noon, 'planned'],
    ['away, no alarm source', recorded({ verdict: 'stale', awaySince: since(60) }), noon, 'planned'],
    [
      'away with an alarm sounding',
      recorded({ verdict: 'diverged', awaySince: since(60), alarm: { state: 'sounding', since: 0, by: 'own' } }),
      noon,
      'holds',
    ],
    ['not seen', recorded({ verdict: 'unobserved' }), noon, 'unknown'],
    ['converged', recorded(), noon, 'holds'],
    [
      'when the work is over',
      recorded({ verdict: 'diverged', awaySince: since(60), alarm: silent }),
      noon + minute,
      'broken',
    ],
    [
      'on another cluster',
      recorded({ ref: { ...recorded().ref, cluster: 'c2' }, verdict: 'diverged', awaySince: since(60), alarm: silent }),
      noon,
      'broken',
    ],
  ] as const)('under planned work, %s', (_name, object, now, guarantee) => {
    expect(guaranteeOf(object, { ...defaultPolicy, maintenance: [window] }, now)).toBe(guarantee);
  });
});
