import { verdictGlyphs, type GlyphPart } from '../glyphs.ts';
import type { WaveState } from './wave-cluster.ts';

/** Outline of each state of a commit on a cluster, 12 x 12: those of the verdicts that say the same, and two angles for what was passed by. */
export const fateGlyphs: Readonly<Record<WaveState, readonly GlyphPart[]>> = {
  stuck: verdictGlyphs.diverged,
  unknown: verdictGlyphs.unobserved,
  'on-its-way': verdictGlyphs.progressing,
  superseded: [{ d: 'M1.6 2 5.6 6 1.6 10M6.4 2 10.4 6 6.4 10', outline: true }],
  converged: verdictGlyphs.converged,
};

/** Name of the colour of each. */
export const fateTone = {
  stuck: 'diverged',
  unknown: 'unobserved',
  'on-its-way': 'progressing',
  superseded: 'mute',
  converged: 'converged',
} as const satisfies Readonly<Record<WaveState, string>>;
