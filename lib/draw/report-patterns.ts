import type { Verdict } from '../domain/verdict.ts';
import { hatchPattern } from './hatch.ts';

/** How the area of a verdict is filled in a chart: with a texture of its own, so that it is told apart in black and white too. */
export type Texture = 'solid' | 'rising' | 'dots' | 'crossed' | 'lines' | 'pale' | 'falling' | 'upright' | 'open';

const textures: Readonly<Record<Verdict, Texture>> = {
  diverged: 'solid',
  drifted: 'rising',
  unhealthy: 'dots',
  stale: 'crossed',
  unobserved: 'rising',
  suspended: 'lines',
  behind: 'falling',
  waiting: 'upright',
  progressing: 'pale',
  unconfirmed: 'open',
  converged: 'pale',
};

/** The texture of a verdict. */
export function textureOf(verdict: Verdict): Texture {
  return textures[verdict];
}

/** The id of a verdict's pattern in a chart. */
export function patternId(prefix: string, verdict: Verdict): string {
  return `${prefix}-${verdict}`;
}

/** A verdict's fill as an SVG <pattern>; `colour` is any CSS colour. */
export function verdictPattern(prefix: string, verdict: Verdict, colour: string): string {
  const id = patternId(prefix, verdict);
  const drawn = (size: number, inside: string): string =>
    `<pattern id="${id}" width="${size}" height="${size}" patternUnits="userSpaceOnUse">${inside}</pattern>`;
  const ground = `<rect width="12" height="12" style="fill:${colour}" fill-opacity="0.18"/>`;
  const line = (d: string, width: number): string =>
    `<path d="${d}" style="stroke:${colour}" stroke-width="${width}"/>`;
  switch (textureOf(verdict)) {
    case 'solid':
      return drawn(4, `<rect width="4" height="4" style="fill:${colour}"/>`);
    case 'rising':
      return hatchPattern(id, colour);
    case 'dots':
      return drawn(4, `${ground}<circle cx="2" cy="2" r="1.3" style="fill:${colour}"/>`);
    case 'crossed':
      return drawn(4, ground + line('M0 0 4 4M4 0 0 4', 1));
    case 'lines':
      return drawn(3, ground + line('M0 1.5H3', 1.4));
    case 'falling':
      return drawn(4, ground + line('M-1 -1 5 5', 1.2));
    case 'upright':
      return drawn(3, ground + line('M1.5 0V3', 1.2));
    case 'pale':
      return drawn(4, `<rect width="4" height="4" style="fill:${colour}" fill-opacity="0.4"/>`);
    case 'open':
      return drawn(4, `<rect width="4" height="4" style="fill:${colour}" fill-opacity="0.14"/>`);
  }
}
