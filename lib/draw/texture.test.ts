import { describe, expect, it } from 'vitest';
import { verdicts } from '../domain/verdict/verdict.ts';
import { areaPath, textureOf, tilePath } from './texture.ts';

it('no two verdicts that can stand in one chart have the same texture', () => {
  const charted = verdicts.filter((verdict) => verdict !== 'unobserved');
  const drawn = charted.map((verdict) => JSON.stringify([textureOf(verdict).marks, textureOf(verdict).ground]));
  expect(new Set(drawn).size).toBe(charted.length);
});

it('a tile has as many strokes as it has marks', () => {
  for (const verdict of verdicts) {
    const texture = textureOf(verdict);
    expect((tilePath(texture).match(/M/g) ?? []).length).toBe(texture.marks.length);
  }
});

describe('marks of an area', () => {
  it.each(verdicts.map((verdict) => [verdict] as const))('of %s stay within it', (verdict) => {
    const area = { x: 103, y: 21, w: 17, h: 9 };
    const path = areaPath(textureOf(verdict), area);
    const points = [...path.matchAll(/M([\d.]+) ([\d.]+)(?: ([\d.]+) ([\d.]+)|H([\d.]+)|V([\d.]+)|h\.01)/g)];
    expect(points.length > 0).toBe(textureOf(verdict).marks.length > 0);
    for (const [, x, y, x2 = x, y2 = y, h = x, v = y] of points) {
      for (const at of [x, x2, h]) expect(Number(at) >= area.x && Number(at) <= area.x + area.w).toBe(true);
      for (const at of [y, y2, v]) expect(Number(at) >= area.y && Number(at) <= area.y + area.h).toBe(true);
    }
  });

  it('of an area without any extent are none', () => {
    expect(areaPath(textureOf('stale'), { x: 1, y: 1, w: 0, h: 0 })).toBe('');
  });
});
