import { describe, expect, it } from 'vitest';
import { groupCauses } from './cause.ts';
import { minute, noon, observed, recorded, revisionA, revisionB } from './testing/observed.ts';

const { ref } = observed();
const named = (name: string) => ({ ...ref, name });
const since = (minutes: number) => ({ time: noon - minutes * minute, bound: 'exact' as const, noticedAt: noon });

describe('causes with their blast radius', () => {
  it('fifteen hourglasses are one line', () => {
    const rootCause = {
      type: 'controller',
      cluster: 'c1',
      namespace: 'flux-system',
      name: 'kustomize-controller',
    } as const;
    const objects = Array.from({ length: 15 }, (_, index) =>
      recorded({ ref: named(`app-${index}`), verdict: 'stale', rootCause, onset: since(index) }),
    );
    const [line, ...others] = groupCauses(objects);
    expect(others).toEqual([]);
    expect(line).toMatchObject({ verdict: 'stale', objects: 15, clusters: 1, text: 'stopped: 15 objects stale' });
    expect(line?.since.time).toBe(noon - 14 * minute);
  });

  it('an object that fails and what waits for it are one line, under the object', () => {
    const failing = recorded({
      ref: named('checkout'),
      verdict: 'diverged',
      reason: 'BuildFailed',
      onset: since(47),
      revision: { applied: revisionA, attempted: revisionB, offered: revisionB },
    });
    const waiting = recorded({
      ref: named('web'),
      verdict: 'waiting',
      rootCause: { type: 'object', ref: named('checkout') },
      onset: since(46),
    });
    expect(groupCauses([waiting, failing])).toMatchObject([
      { verdict: 'diverged', objects: 2, text: 'build fails at bbbbbbb, 1 object waits for it' },
    ]);
  });

  it('puts silent before called, then worse, then wider', () => {
    const lines = groupCauses([
      recorded({ ref: named('a'), verdict: 'diverged', alarm: { state: 'sounding', broken: null } }),
      recorded({ ref: named('b'), verdict: 'drifted', alarm: { state: 'silent', broken: 'rule' } }),
      recorded({ ref: named('c'), verdict: 'unhealthy', alarm: { state: 'sounding', broken: null } }),
    ]);
    expect(lines.map((line) => line.key.split('/').at(-1))).toEqual(['b', 'a', 'c']);
  });

  it('parts that nobody can confirm make no line, nor does what they are part of', () => {
    const part = recorded({ ref: named('part'), verdict: 'unconfirmed', reason: 'NoHeartbeat' });
    const whole = recorded({
      ref: named('whole'),
      verdict: 'unconfirmed',
      reason: 'PartNotConverged',
      rootCause: { type: 'object', ref: named('part') },
    });
    expect(groupCauses([part, whole])).toEqual([]);
  });

  it('what waits for an object in order says so, and what waits for one that is gone says that', () => {
    const rootCause = { type: 'object', ref: named('base') } as const;
    expect(groupCauses([recorded({ verdict: 'waiting', rootCause })])).toMatchObject([
      { text: '1 object waits for it' },
    ]);
    expect(groupCauses([recorded({ verdict: 'stale', reason: 'SourceMissing', rootCause })])).toMatchObject([
      { text: 'is not there, 1 object beneath stale' },
    ]);
  });

  it('says of a cloud error where it failed and its code', () => {
    const message =
      'update failed: async update failed: failed to update the resource: [{0 operation error IAM: api error AccessDenied: User: arn:aws:sts::1 is not authorized}]';
    expect(groupCauses([recorded({ verdict: 'diverged', reason: 'ReconcileError', message })])).toMatchObject([
      { text: 'update failed: AccessDenied' },
    ]);
  });

  it('what is in order, suspended or without proof of its own makes no line', () => {
    expect(groupCauses([recorded(), recorded({ verdict: 'suspended' }), recorded({ verdict: 'unconfirmed' })])).toEqual(
      [],
    );
  });
});
