import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { describe, expect, it } from 'vitest';
import { objectPath } from '#lib/api/paths.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { knownCluster } from '../../testing/moment.ts';
import { sampleDiverged, sampleNow, sampleObject } from '../../testing/sample.ts';
import { neighboursOf } from './neighbours.ts';

const context = { policy: defaultPolicy, now: sampleNow };
const heard = { state: 'unknown', why: 'none' } as const;
const silent = sampleDiverged({ name: 'silent' });
const diverged = sampleDiverged({ name: 'diverged' }, { alarm: heard });
const stale = sampleObject({ cluster: 'us-east-1', name: 'stale' }, { verdict: 'stale', alarm: heard });
const good = sampleObject({ name: 'good' });
const fleet = [knownCluster('eu-west-3', [good, diverged, silent]), knownCluster('us-east-1', [stale])];

describe('the deviations next to an object', () => {
  it.each([
    ['the worst', silent, stale, diverged],
    ['one between', diverged, silent, stale],
    ['the least', stale, diverged, silent],
    ['one that is converged', good, stale, silent],
  ])('%s', (_what, object, previous, next) => {
    expect(neighboursOf(object, fleet, context)).toEqual({
      previous: objectPath(previous.ref),
      next: objectPath(next.ref),
    });
  });

  it('are none where nothing else deviates', () => {
    const only = (object: KnownObject) => neighboursOf(object, [knownCluster('eu-west-3', [good, silent])], context);
    expect(only(silent)).toEqual({ previous: null, next: null });
    expect(only(good)).toEqual({ previous: objectPath(silent.ref), next: objectPath(silent.ref) });
  });
});
