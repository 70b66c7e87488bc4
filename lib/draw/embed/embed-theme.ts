import type { Verdict } from '../../domain/verdict/verdict.ts';
import { verdicts } from '../../domain/verdict/verdict.ts';
import { surfaces, verdictTints, verdictTones } from '../tokens.ts';

type Side = 'light' | 'dark';

function variables(side: Side): string {
  const of = Object.entries(surfaces).map(([name, tone]) => `--${name}:${tone[side]}`);
  const tones = verdicts.map((verdict) => `--${verdict}:${verdictTones[verdict][side]}`);
  return [...of, ...tones].join(';');
}

/** The tokens as CSS variables of `root`: its attribute data-theme decides, else the browser. */
export function themeVariables(root: string): string {
  return (
    `${root}{color-scheme:light;${variables('light')}}` +
    `@media(prefers-color-scheme:dark){${root}:not([data-theme=light]){color-scheme:dark;${variables('dark')}}}` +
    `${root}[data-theme=dark]{color-scheme:dark;${variables('dark')}}`
  );
}

/** The ground of a cell whose verdict takes area, as rules of `selector` with the verdict's name after it. */
export function tintRules(selector: string): string {
  const rule = (verdict: Verdict, side: Side, theme: string): string => {
    const tone = verdictTints[verdict];
    return tone === undefined ? '' : `${theme}${selector}${verdict}{background:${tone[side]}}`;
  };
  const all = (side: Side, theme: string): string => verdicts.map((verdict) => rule(verdict, side, theme)).join('');
  return `${all('light', '')}@media(prefers-color-scheme:dark){${all('dark', ':root:not([data-theme=light]) ')}}${all('dark', '[data-theme=dark] ')}`;
}
