import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { verdicts } from '../domain/verdict/verdict.ts';
import { contrast, distance, visions } from './colour-vision.ts';
import { surfaces, verdictTints, verdictTones, type Tone } from './tokens.ts';

const modes = ['light', 'dark'] as const;

describe.each(modes)('tokens on %s', (mode) => {
  it.each([
    ['ink', surfaces.ink],
    ['mute', surfaces.mute],
  ])('%s reads on paper and on raised ground (4.5:1)', (_name, tone) => {
    expect(contrast(tone[mode], surfaces.paper[mode])).toBeGreaterThanOrEqual(4.5);
    expect(contrast(tone[mode], surfaces.raised[mode])).toBeGreaterThanOrEqual(4.5);
  });

  it('controls and the hatch stand out from paper (3:1)', () => {
    expect(contrast(surfaces.field[mode], surfaces.paper[mode])).toBeGreaterThanOrEqual(3);
    expect(contrast(surfaces.field[mode], surfaces.raised[mode])).toBeGreaterThanOrEqual(3);
  });

  it.each(verdicts)('the glyph of %s stands out from paper and legend (3:1)', (verdict) => {
    expect(contrast(verdictTones[verdict][mode], surfaces.paper[mode])).toBeGreaterThanOrEqual(3);
    expect(contrast(verdictTones[verdict][mode], surfaces.raised[mode])).toBeGreaterThanOrEqual(3);
  });

  // Converged and unconfirmed are dots and never carry text.
  it.each(verdicts.filter((verdict) => verdict !== 'converged' && verdict !== 'unconfirmed'))(
    'a commit in the colour of %s reads (4.5:1)',
    (verdict) => {
      const grounds = [surfaces.paper[mode], verdictTints[verdict]?.[mode] ?? surfaces.paper[mode]];
      const worst = Math.min(...grounds.map((ground) => contrast(verdictTones[verdict][mode], ground)));
      expect(worst).toBeGreaterThanOrEqual(4.5);
    },
  );

  it.each(visions)('the nearest two verdicts are apart under %s', (vision) => {
    const tones = [...new Set<Tone>(Object.values(verdictTones))];
    const apart = tones.flatMap((a, at) => tones.slice(at + 1).map((b) => distance(a[mode], b[mode], vision)));
    expect(Math.min(...apart)).toBeGreaterThanOrEqual(mode === 'light' ? 9.2 : 11.3);
  });
});

it('measures colour difference as published (Sharma, Wu, Dalal 2005: black and white are 100 apart)', () => {
  expect(distance('#000000', '#ffffff', 'typical')).toBeCloseTo(100, 3);
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
});

describe('globals.css', () => {
  const css = readFileSync(new URL('../../app/globals.css', import.meta.url), 'utf8');
  const named: readonly (readonly [string, Tone])[] = [
    ...Object.entries(surfaces),
    ...Object.entries(verdictTones),
    ...Object.entries(verdictTints).map(([verdict, tone]): [string, Tone] => [`tint-${verdict}`, tone]),
  ];
  it.each(named)('carries --%s as it is here', (name, tone) => {
    expect(css).toContain(`--${name}: light-dark(${tone.light}, ${tone.dark});`);
  });
});
