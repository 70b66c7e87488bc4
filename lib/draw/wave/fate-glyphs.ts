import { verdictGlyphs, type GlyphPart } from '../glyphs.ts';
import type { WaveState } from './wave-cluster.ts';

/** Outline of each state of a commit on a cluster, 12 x 12: those of the verdicts that say the same, two angles for what was passed by, and an open diamond around a dot for what was in order and is not. */
export const fateGlyphs: Readonly<Record<WaveState, readonly GlyphPart[]>> = {
  stuck: verdictGlyphs.diverged,
  'failed-later': [
    { d: 'M6 1.1 10.9 6 6 10.9 1.1 6Z', outline: true },
    { d: 'M4.5 6a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0Z', outline: false },
  ],
  unknown: verdictGlyphs.unobserved,
  'on-its-way': verdictGlyphs.progressing,
  superseded: [{ d: 'M1.6 2 5.6 6 1.6 10M6.4 2 10.4 6 6.4 10', outline: true }],
  converged: verdictGlyphs.converged,
};

/** Name of the colour of each. */
export const fateTone = {
  stuck: 'diverged',
  'failed-later': 'unhealthy',
  unknown: 'unobserved',
  'on-its-way': 'progressing',
  superseded: 'mute',
  converged: 'converged',
} as const satisfies Readonly<Record<WaveState, string>>;
