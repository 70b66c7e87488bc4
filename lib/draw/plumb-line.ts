import type { Truth } from '../api/fleet.ts';
import { surfaces, verdictTones } from './tokens.ts';

/** The plumb line in a 40 x 92 box, hanging straight; rotate the line and its bob by `lean` about (20, 3). */
export const plumbLine = {
  width: 40,
  height: 92,
  /** The ceiling from which it hangs. */
  beam: 'M5 3H35',
  /** Where it would hang. */
  true: 'M20 3V86',
  line: 'M20 3V68.6',
  bob: 'M16.5 68.6h7l-1.5 11.4L20 86l-2-6Z',
} as const;

/** Hang of the line: its angle in degrees (clockwise seen from above the page), and whether it is grey and dashed. */
export interface Hang {
  readonly lean: number;
  readonly dashed: boolean;
}

/** Straight where the sentence holds, leaning where it does not, dashed where that cannot be said or no cluster is there. */
export function hangOf(truth: Truth): Hang {
  switch (truth) {
    case 'holds':
      return { lean: 0, dashed: false };
    case 'broken':
      return { lean: -7.5, dashed: false };
    case 'unknown':
    case 'empty':
      return { lean: 0, dashed: true };
  }
}

/** The plumb line as a 16 x 16 SVG for a browser's tab; follows the browser's own light or dark. */
export function faviconSvg(truth: Truth): string {
  const { lean, dashed } = hangOf(truth);
  const tone = dashed ? surfaces.field : truth === 'broken' ? verdictTones.diverged : surfaces.ink;
  const stroke = `stroke-width="1.6"${dashed ? ' stroke-dasharray="2 1.6"' : ''}`;
  // A tab is too small for the true angle.
  const turned = lean === 0 ? '' : ' transform="rotate(-20 8 1.5)"';
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
    `<style>g{color:${tone.light}}.b{color:${surfaces.ink.light}}` +
    `@media(prefers-color-scheme:dark){g{color:${tone.dark}}.b{color:${surfaces.ink.dark}}}</style>` +
    '<path class="b" d="M2.5 1.5h11" stroke="currentColor" stroke-width="1.6"/>' +
    `<g${turned}><path d="M8 1.5V10" stroke="currentColor" ${stroke}/><path d="M5.6 9.6h4.8l-1 3.4L8 15.6 6.6 13Z" fill="currentColor"/></g></svg>`
  );
}

/** The same as a data URL. */
export function faviconUrl(truth: Truth): string {
  return `data:image/svg+xml,${encodeURIComponent(faviconSvg(truth))}`;
}
