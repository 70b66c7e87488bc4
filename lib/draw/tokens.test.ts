import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { verdicts } from '../domain/verdict/verdict.ts';
import { surfaces, verdictTints, verdictTones, type Tone } from './tokens.ts';

/** A colour in linear light: red, green, blue from 0 to 1. */
type Linear = readonly [number, number, number];
type Lab = readonly [number, number, number];
type Matrix = readonly [Linear, Linear, Linear];

/** Ways of seeing colour, at full severity. */
const visions = ['typical', 'protanopia', 'deuteranopia', 'tritanopia'] as const;
type Vision = (typeof visions)[number];

// Machado, Oliveira, Fernandes 2009, severity 1.0, on linear RGB.
const seen: Record<Vision, Matrix> = {
  typical: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
const toXyz: Matrix = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];
const white: Linear = [0.95047, 1, 1.08883];

function linear(hex: string): Linear {
  const channel = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function dot(row: Linear, by: Linear): number {
  return row[0] * by[0] + row[1] * by[1] + row[2] * by[2];
}

function times(matrix: Matrix, by: Linear): Linear {
  return [dot(matrix[0], by), dot(matrix[1], by), dot(matrix[2], by)];
}

function luminance(hex: string): number {
  return dot([0.2126, 0.7152, 0.0722], linear(hex));
}

/** Contrast of two colours (#rrggbb) by WCAG 2.2, from 1 to 21. */
function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

function lab(hex: string, vision: Vision): Lab {
  const [red, green, blue] = times(seen[vision], linear(hex));
  const clip = (value: number): number => Math.min(1, Math.max(0, value));
  const xyz = times(toXyz, [clip(red), clip(green), clip(blue)]);
  const f = (t: number): number => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
  const [x, y, z] = [f(xyz[0] / white[0]), f(xyz[1] / white[1]), f(xyz[2] / white[2])];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** Distance between two colours (#rrggbb) for someone with this vision, as CIEDE2000. */
function distance(a: string, b: string, vision: Vision): number {
  return ciede2000(lab(a, vision), lab(b, vision));
}

const turn = 2 * Math.PI;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

function hue(b: number, a: number): number {
  const angle = Math.atan2(b, a);
  return angle < 0 ? angle + turn : angle;
}

function hueDifference(h1: number, h2: number): number {
  const difference = h2 - h1;
  if (difference > Math.PI) return difference - turn;
  return difference < -Math.PI ? difference + turn : difference;
}

/** Sharma, Wu, Dalal 2005. */
function ciede2000([l1, a1, b1]: Lab, [l2, a2, b2]: Lab): number {
  const mean7 = ((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2) ** 7;
  const g = 1 + 0.5 * (1 - Math.sqrt(mean7 / (mean7 + 25 ** 7)));
  const [c1, c2] = [Math.hypot(g * a1, b1), Math.hypot(g * a2, b2)];
  const [h1, h2] = [hue(b1, g * a1), hue(b2, g * a2)];
  const grey = c1 * c2 === 0;
  const dh = grey ? 0 : hueDifference(h1, h2);
  const meanHue = grey ? h1 + h2 : (h1 + h2 + (Math.abs(h1 - h2) > Math.PI ? turn : 0)) / 2;
  const meanL = (l1 + l2) / 2;
  const meanC = (c1 + c2) / 2;
  const t =
    1 -
    0.17 * Math.cos(meanHue - radians(30)) +
    0.24 * Math.cos(2 * meanHue) +
    0.32 * Math.cos(3 * meanHue + radians(6)) -
    0.2 * Math.cos(4 * meanHue - radians(63));
  const sl = 1 + (0.015 * (meanL - 50) ** 2) / Math.sqrt(20 + (meanL - 50) ** 2);
  const dl = (l2 - l1) / sl;
  const dc = (c2 - c1) / (1 + 0.045 * meanC);
  const dH = (2 * Math.sqrt(c1 * c2) * Math.sin(dh / 2)) / (1 + 0.015 * meanC * t);
  const c7 = meanC ** 7;
  const cooling = 30 * Math.exp(-((((meanHue * 180) / Math.PI - 275) / 25) ** 2));
  const rotation = -Math.sin(radians(2 * cooling)) * 2 * Math.sqrt(c7 / (c7 + 25 ** 7));
  return Math.sqrt(dl ** 2 + dc ** 2 + dH ** 2 + rotation * dc * dH);
}

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
