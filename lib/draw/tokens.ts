import type { Verdict } from '../domain/verdict/verdict.ts';

/** One colour on light and on dark paper, as #rrggbb. */
export interface Tone {
  readonly light: string;
  readonly dark: string;
}

/** Paper, ink and lines. `field` is for controls, underlines and the hatch. */
export const surfaces = {
  paper: { light: '#fbfaf7', dark: '#121416' },
  raised: { light: '#ffffff', dark: '#191c1f' },
  ink: { light: '#17191c', dark: '#ececea' },
  mute: { light: '#5f6368', dark: '#9a9da3' },
  rule: { light: '#dedcd4', dark: '#2c3034' },
  faint: { light: '#ecebe5', dark: '#212529' },
  field: { light: '#85888d', dark: '#6f747a' },
} as const satisfies Record<string, Tone>;

const underway: Tone = { light: '#2463dd', dark: '#99bfff' };
const good: Tone = { light: '#4d8267', dark: '#81ab88' };

/** The colour of every verdict. The three that are under way share one, as do the two that are in order: their outlines differ. */
export const verdictTones: Record<Verdict, Tone> = {
  diverged: { light: '#a51d2c', dark: '#fb5662' },
  drifted: { light: '#612280', dark: '#a27ab7' },
  unhealthy: { light: '#9c5a00', dark: '#fea408' },
  stale: { light: '#424500', dark: '#e9e0a3' },
  unobserved: { light: '#616468', dark: '#949597' },
  suspended: { light: '#0a1c2c', dark: '#d2dde3' },
  behind: underway,
  waiting: underway,
  progressing: underway,
  unconfirmed: good,
  converged: good,
};

/** The ground of a cell whose verdict takes area. */
export const verdictTints: Partial<Record<Verdict, Tone>> = {
  diverged: { light: '#fbdcd8', dark: '#3d1118' },
  drifted: { light: '#eee3f6', dark: '#2a1a33' },
  unhealthy: { light: '#fdf0dc', dark: '#3a2706' },
  stale: { light: '#ece2a4', dark: '#34301a' },
};
