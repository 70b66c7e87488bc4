import type { AlarmState } from '../domain/alarm/link.ts';
import type { Verdict } from '../domain/verdict/verdict.ts';

/** One part of a glyph: path data in a 12 x 12 box, filled, or drawn as an outline of `glyphStroke`. */
export interface GlyphPart {
  readonly d: string;
  readonly outline: boolean;
}

/** Width of an outline in a 12 x 12 box. */
export const glyphStroke = 1.35;

const fill = (d: string): GlyphPart => ({ d, outline: false });
const line = (d: string): GlyphPart => ({ d, outline: true });

function circle(x: number, y: number, r: number): string {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
}

/** The outline of every verdict, told apart in black and white too. 12 x 12. */
export const verdictGlyphs: Record<Verdict, readonly GlyphPart[]> = {
  diverged: [fill('M6 .4 11.6 6 6 11.6.4 6Z')],
  drifted: [fill('M.6 1h7v3.2h-7ZM4.4 7.8h7V11h-7Z'), line('M0 6h12')],
  unhealthy: [line('M6 1.2 11.3 10.8H.7Z'), fill('M5.35 4.4h1.3v3.4h-1.3ZM5.35 8.6h1.3v1.2h-1.3Z')],
  stale: [line('M2 1h8L6.6 6 10 11H2l3.4-5Z'), fill('M3.4 10.4 6 7.4l2.6 3Z')],
  unobserved: [line('M0 3.2 3.2 0M0 7.6 7.6 0M0 12 12 0M4.4 12 12 4.4M8.8 12 12 8.8')],
  suspended: [fill('M2.4 1.2h2.5v9.6H2.4ZM7.1 1.2h2.5v9.6H7.1Z')],
  behind: [line(circle(6, 6, 4.7)), fill('M6 1.3a4.7 4.7 0 0 0 0 9.4Z')],
  waiting: [line('M2 2 6.4 6 2 10M9.6 1.4v9.2')],
  progressing: [fill(`${circle(2, 6, 1.2)}${circle(6, 6, 1.2)}${circle(10, 6, 1.2)}`)],
  unconfirmed: [line(circle(6, 6, 2.3))],
  converged: [fill(circle(6, 6, 2.2))],
};

const bell = 'M4.5.6c1.7 0 2.7 1.3 2.7 3v2l1 1.6H.8l1-1.6v-2c0-1.7 1-3 2.7-3Z';
const clapper = 'M3.6 8.6h1.8';

/** Marks of the alarm beside the commit, 9 x 10: a filled bell called, an outlined bell pending, "?" unknown; none where none is due, or nobody is being called. */
export const alarmMarks: Record<AlarmState['state'], readonly GlyphPart[]> = {
  sounding: [fill(bell), line(bell), line(clapper)],
  pending: [line(bell), line(clapper)],
  unknown: [line('M2.6 3.1C2.6 1.8 3.4 1 4.6 1s2 .8 2 1.9c0 1.6-2.1 1.7-2.1 3.4'), fill('M3.8 8h1.4v1.4H3.8Z')],
  silent: [],
  'not-due': [],
};
