import type { Truth } from '../../api/fleet.ts';
import type { EmbedSign } from './embed-content.ts';
import { glyphStroke, verdictGlyphs } from '../glyphs.ts';
import { hangOf } from '../plumb-line.ts';

/** The parts of a sign in a 12 x 12 box, painted in currentColor: a verdict's glyph, or a small plumb line. */
export function signParts(sign: EmbedSign): string {
  switch (sign.type) {
    case 'verdict':
      return verdictGlyphs[sign.verdict]
        .map(({ d, outline }) =>
          outline
            ? `<path d="${d}" fill="none" stroke="currentColor" stroke-width="${glyphStroke}"/>`
            : `<path d="${d}" fill="currentColor"/>`,
        )
        .join('');
    case 'truth':
      return plumbParts(sign.truth);
  }
}

/** As in the favicon: the true angle would be too small to see. */
function plumbParts(truth: Truth): string {
  const { lean, dashed } = hangOf(truth);
  const turned = lean === 0 ? '' : ' transform="rotate(-20 6 1)"';
  return (
    '<path d="M2 1h8" fill="none" stroke="currentColor" stroke-width="1.3"/>' +
    `<g${turned}><path d="M6 1v6.4" fill="none" stroke="currentColor" stroke-width="1.3"${dashed ? ' stroke-dasharray="1.5 1.2"' : ''}/>` +
    '<path d="M4.1 7.2h3.8l-.8 2.6L6 11.8 4.9 9.8Z" fill="currentColor"/></g>'
  );
}

/** The name of the colour in which a sign is painted, a variable of `themeVariables`. */
export function signTone(sign: EmbedSign): string {
  if (sign.type === 'verdict') return sign.verdict;
  switch (sign.truth) {
    case 'holds':
      return 'ink';
    case 'broken':
      return 'diverged';
    case 'unknown':
    case 'empty':
      return 'field';
  }
}
