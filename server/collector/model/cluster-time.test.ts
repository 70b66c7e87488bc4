// A cluster whose clock is off: what it dates is judged on ours.
import { afterEach, describe, expect, it } from 'vitest';
import { observed } from '#lib/domain/testing/observed.ts';
import { createClusterTime } from './cluster-time.ts';
import { kinds, kustomizationSpec, offering, passedWell, revision, startBed, type Bed } from './testing/bed.ts';

const { gitRepository, kustomization } = kinds;
const minute = 60_000;
let bed: Bed;

afterEach(() => bed.model.stop());

function app(passedAt: number) {
  const status = passedWell(passedAt, revision('a'));
  return bed.object(kustomization, 'app', { spec: kustomizationSpec('control', { interval: '1m' }), status });
}

/** A cluster whose clock is `ahead` (ms), known before its objects come: its last pass was a second ago. */
function open(ahead: number, known = true): void {
  bed = startBed();
  const now = bed.clock.now();
  if (known) bed.model.take({ type: 'clock', at: now, ahead });
  bed.open([
    [gitRepository, bed.object(gitRepository, 'control', offering(now - minute + ahead, revision('a')))],
    [kustomization, app(now - 1_000 + ahead)],
  ]);
}

describe.each([10 * minute, -10 * minute])('a clock that is off by %d ms', (ahead) => {
  it('makes nothing stale that passes', () => {
    open(ahead);
    expect(bed.at('app').verdict).toBe('converged');
    bed.pass(minute);
    bed.write(kustomization, app(bed.clock.now() + ahead));
    bed.pass(2 * minute);
    expect(bed.verdicts('app')).toEqual(['converged']);
    expect(bed.model.cluster().clockAhead).toBe(ahead);
  });

  it('lets no green outlive its proof', () => {
    open(ahead);
    // max(3 intervals, interval + timeout + 2 min) after the last pass, which was a second before the first look.
    bed.pass(4 * minute + 10_000);
    expect(bed.at('app')).toMatchObject({ verdict: 'stale', reason: 'NoPass' });
  });

  it('dates what it tells on our clock', () => {
    open(ahead);
    const { confirmedAt, observedAt } = bed.at('app');
    expect(Math.abs(observedAt - (confirmedAt ?? 0))).toBeLessThan(3_000);
    const { conditions, createdAt } = bed.recorded('app').detail.observation;
    expect(Math.abs(observedAt - (conditions[0]?.lastTransitionTime ?? 0))).toBeLessThan(3_000);
    expect(createdAt).toBeLessThan(bed.clock.now() - 23 * 60 * minute);
  });
});

it('dates drift that an Application says was undone on our clock', () => {
  const time = createClusterTime();
  time.take({ type: 'clock', at: 0, ahead: 10 * minute });
  const undone = { id: 'sync', at: 30 * minute, said: 'ConfigMap/apps/web configured' };
  expect(time.ours(observed({ drift: { drift: 'none', undone } })).drift).toEqual({
    drift: 'none',
    undone: { ...undone, at: 20 * minute },
  });
});

it('of which nothing is known is taken for ours', () => {
  open(-10 * minute, false);
  expect(bed.model.cluster().clockAhead).toBeNull();
  expect(bed.at('app').verdict).toBe('stale');
});
