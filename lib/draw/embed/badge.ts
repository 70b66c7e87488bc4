import type { EmbedContent, EmbedFrame, EmbedSign } from './embed-content.ts';
import { embedValidity } from './embed-content.ts';
import { minuteOf } from './embed-page.ts';
import { signParts, signTone } from './embed-signs.ts';
import { embedFont } from './embed-style.ts';
import { themeVariables } from './embed-theme.ts';
import { escapeMarkup } from '../../format/markup.ts';
import { surfaces } from '../tokens.ts';

const HEIGHT = 20;
const SIZE = 11;
const LONGEST = 60;
const valid = `${embedValidity / 1000}s`;

/** Parts of a badge: about what, the sign and the words, and when that was. */
interface BadgeParts {
  readonly title: string;
  readonly sign: EmbedSign | null;
  readonly words: string;
  readonly silent: boolean;
  /** '' for none. */
  readonly time: string;
  readonly theme: EmbedFrame['theme'];
  readonly expires: boolean;
}

/**
 * A badge of 20 px: what it speaks of, its sign, two or three words, and always the time. As a picture it may lie in somebody's
 * cache, so the time says when; where it stays on a screen it hatches and strikes itself after `embedValidity`.
 */
export function badgeSvg({ title, badge }: EmbedContent, { madeAt, theme }: EmbedFrame): string {
  return draw({ title, ...badge, time: minuteOf(madeAt, madeAt), theme, expires: true });
}

/** The badge of a link that opens nothing. */
export function badgeRefusal(words: string): string {
  const sign = { type: 'truth', truth: 'unknown' } as const;
  return draw({ title: 'Plumbline', sign, words, silent: false, time: '', theme: 'auto', expires: false });
}

interface Piece {
  readonly text: string;
  readonly x: number;
  readonly width: number;
  readonly color: string;
}

function draw({ title, sign, words, silent, time, theme, expires }: BadgeParts): string {
  const name = shortened(title);
  let x = 7;
  function piece(text: string, color: string, gap: number): Piece {
    const width = Math.ceil(textWidth(text) * SIZE);
    const placed = { text, x, width, color };
    x += width + gap;
    return placed;
  }
  const subject = piece(name, 'mute', 8);
  const ground = x - 4;
  const glyph = x + 1;
  x += sign === null ? 1 : 18;
  const said = piece(words, silent ? 'paper' : 'ink', 8);
  const end = x - 3;
  const when = time === '' ? null : piece(time, 'mute', 7);
  const width = when === null ? end : x;
  const aria = escapeMarkup([`${title}: ${words}`, time].filter((part) => part !== '').join(', '));
  const tone = sign === null ? 'ink' : signTone(sign);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${aria}" data-theme="${theme}">` +
    `<title>${aria}</title><style>${style}</style>` +
    (expires ? `<defs>${hatchPattern('hatch', surfaces.field.light)}</defs>` : '') +
    `<rect width="${width}" height="${HEIGHT}" rx="2" style="fill:var(--paper)"/>` +
    (silent
      ? `<rect class="tone" x="${ground}" y="1" width="${end - ground}" height="18" style="fill:var(--${tone});stroke:var(--ink);stroke-width:2"/>`
      : '') +
    `<rect x=".5" y=".5" width="${width - 1}" height="${HEIGHT - 1}" rx="2" style="fill:none;stroke:var(--rule)"/>` +
    (sign === null
      ? ''
      : `<g class="tone" transform="translate(${glyph} 4)" style="color:var(--${silent ? 'paper' : tone})">${signParts(sign)}</g>`) +
    [subject, said, ...(when === null ? [] : [when])].map(text).join('') +
    (expires ? old(width, glyph, end) : '') +
    '</svg>'
  );
}

function text({ text: words, x, width, color }: Piece): string {
  return `<text x="${x}" y="14" textLength="${width}" lengthAdjust="spacingAndGlyphs" style="fill:var(--${color})">${escapeMarkup(words)}</text>`;
}

function old(width: number, from: number, to: number): string {
  return (
    `<g class="old"><rect width="${width}" height="${HEIGHT}" fill="url(#hatch)" opacity=".55"/>` +
    `<path d="M${from - 2} 10.5H${to}" style="stroke:var(--ink)" stroke-width="1"/></g>`
  );
}

const style =
  `${themeVariables('svg')}text{font:${SIZE}px ${embedFont}}` +
  '.old{visibility:hidden}@keyframes old{to{visibility:visible}}@keyframes grey{to{filter:grayscale(1)}}' +
  `.old{animation:old 1s step-start ${valid} forwards}.tone{animation:grey 1s step-start ${valid} forwards}`;

/** Both ends of a long name say more than its beginning. */
function shortened(title: string): string {
  const letters = Array.from(new Intl.Segmenter('en').segment(title), ({ segment }) => segment);
  if (letters.length <= LONGEST) return title;
  const half = LONGEST / 2 - 1;
  return `${letters.slice(0, half).join('')}…${letters.slice(-half).join('')}`;
}

/** The hatch of what is not seen, as the inside of an SVG <pattern> with this id: 1 px lines, 5 px apart, rising to the right. */
export function hatchPattern(id: string, colour: string): string {
  return (
    `<pattern id="${id}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
    `<path d="M0 0V5" stroke="${colour}" stroke-width="2"/></pattern>`
  );
}

const narrow = new Set(" .,:;!|'()[]-/fijlrtI");
const wide = new Set('mwMW@%');

/**
 * About how wide a line of sans-serif text is, in units of its size: an SVG is drawn where nobody can measure. Characters beyond Latin
 * count as a whole square.
 */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (narrow.has(character)) width += 0.33;
    else if (wide.has(character)) width += 0.88;
    else if (character > '\u024F') width += 1;
    else width += /[A-Z]/.test(character) ? 0.68 : 0.57;
  }
  return width;
}
