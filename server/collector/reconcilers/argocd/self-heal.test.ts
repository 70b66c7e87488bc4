import { describe, expect, it } from 'vitest';
import { noon, observed } from '#lib/domain/testing/observed.ts';
import { hour, minute } from '#lib/domain/time/length.ts';
import type { CorrectionMemory } from '../correction-run.ts';
import { selfHealCorrections } from './self-heal.ts';

/** An Application that self-heal synced at `at` (ms). */
function healed(at: number, isSure = true) {
  const undone = { id: `sync ${at}`, at, said: 'ConfigMap/apps/web configured', isSure };
  return observed({ drift: { drift: 'none', undone } });
}

/** Takes observations in order, each at its time (ms); what was told, and what is remembered then. */
function taken(...writes: readonly (readonly [ReturnType<typeof observed>, number])[]) {
  let memory: CorrectionMemory | null = null;
  const corrections: (readonly [number, string])[] = [];
  for (const [observation, now] of writes) {
    const step = selfHealCorrections(memory, observation, now);
    memory = step.memory;
    if (step.correction) corrections.push([step.correction.at, step.correction.certainty]);
  }
  return corrections;
}

describe('what self-heal undid', () => {
  it('is told once, as of the second in which its sync ended', () => {
    expect(taken([observed(), noon], [healed(noon), noon + minute], [healed(noon), noon + 2 * minute])).toEqual([
      [noon + 999, 'confirmed'],
    ]);
  });

  it('is not told before it is known to be as in git again', () => {
    const found = observed({ drift: { drift: 'found', message: '', left: false } });
    expect(taken([observed(), noon], [found, noon])).toEqual([]);
  });

  it('is told of the time when nobody looked, where the object was known before', () => {
    expect(taken([observed(), noon], [healed(noon + hour), noon + 9 * hour])).toEqual([
      [noon + hour + 999, 'confirmed'],
    ]);
  });

  it('is told at first sight for an hour, and not after that', () => {
    expect(taken([healed(noon), noon + hour])).toEqual([[noon + 999, 'confirmed']]);
    expect(taken([healed(noon), noon + hour + 1], [healed(noon), noon + hour + minute])).toEqual([]);
  });

  it('is probable where the sync does not say that it changed anything', () => {
    expect(taken([observed(), noon], [healed(noon, false), noon + minute])).toEqual([[noon + 999, 'probable']]);
  });

  it('is contested from the third time in a row on', () => {
    const times = [0, 1, 2].map((n) => noon + n * minute);
    expect(taken([observed(), noon], ...times.map((at) => [healed(at), at + 1_000] as const))).toEqual([
      [noon + 999, 'confirmed'],
      [noon + minute + 999, 'confirmed'],
      [noon + 2 * minute + 999, 'contested'],
    ]);
  });
});
