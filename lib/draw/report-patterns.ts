import type { Verdict } from '../domain/verdict.ts';

/** How an area is filled in a chart: a ground of some opacity, and a line that is repeated on it. */
export interface Texture {
  /** px */
  readonly size: number;
  /** Opacity of the ground, 0 to 1. */
  readonly ground: number;
  /** Path data within one tile; null where the ground is all. */
  readonly d: string | null;
  /** Width of its stroke, px. */
  readonly stroke: number;
}

/** Every verdict that can stand in a chart has a texture of its own, so that it is told apart in black and white too. */
const textures: Readonly<Record<Verdict, Texture>> = {
  diverged: { size: 4, ground: 1, d: null, stroke: 0 },
  drifted: { size: 4, ground: 0.18, d: 'M-1 5 5 -1', stroke: 1.4 },
  unhealthy: { size: 4, ground: 0.18, d: 'M2 2h.01', stroke: 2.6 },
  stale: { size: 4, ground: 0.18, d: 'M0 0 4 4M4 0 0 4', stroke: 1 },
  unobserved: { size: 5, ground: 0, d: 'M-1 6 6 -1', stroke: 1 },
  suspended: { size: 3, ground: 0.12, d: 'M0 1.5H3', stroke: 1.4 },
  behind: { size: 4, ground: 0.18, d: 'M-1 -1 5 5', stroke: 1.2 },
  waiting: { size: 3, ground: 0.18, d: 'M1.5 0V3', stroke: 1.2 },
  progressing: { size: 4, ground: 0.4, d: null, stroke: 0 },
  unconfirmed: { size: 4, ground: 0.14, d: null, stroke: 0 },
  converged: { size: 4, ground: 0.3, d: null, stroke: 0 },
};

/** The texture of a verdict. */
export function textureOf(verdict: Verdict): Texture {
  return textures[verdict];
}

/** The id of a verdict's pattern in a document. */
export function patternId(verdict: Verdict): string {
  return `fill-${verdict}`;
}

/** A verdict's fill as an SVG <pattern>; `colour` is any CSS colour. */
export function verdictPattern(verdict: Verdict, colour: string): string {
  const { size, ground, d, stroke } = textureOf(verdict);
  const tile = `width="${size}" height="${size}"`;
  const line =
    d === null
      ? ''
      : `<path d="${d}" fill="none" style="stroke:${colour}" stroke-width="${stroke}" stroke-linecap="round"/>`;
  return (
    `<pattern id="${patternId(verdict)}" ${tile} patternUnits="userSpaceOnUse">` +
    `<rect ${tile} style="fill:${colour}" fill-opacity="${ground}"/>${line}</pattern>`
  );
}
