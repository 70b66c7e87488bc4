import { verdictGlyphs } from '#lib/draw/glyphs.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';

interface VerdictGlyphProps {
  readonly verdict: Verdict;
  /** Edge in px. */
  readonly size?: number;
  /** Where no word stands beside the glyph, it is read aloud itself. */
  readonly alone?: boolean;
  /** In the colour of the text around it, as on a filled cell. */
  readonly plain?: boolean;
}

/** A verdict's outline in its colour. The word belongs beside it, or `alone`. */
export function VerdictGlyph({ verdict, size = 12, alone = false, plain = false }: VerdictGlyphProps) {
  const name = alone ? { role: 'img', 'aria-label': verdictLabel(verdict) } : { 'aria-hidden': true };
  return (
    <svg
      {...name}
      className={`glyph glyph-${verdict}`}
      style={plain ? undefined : { color: `var(--${verdict})` }}
      width={size}
      height={size}
      viewBox="0 0 12 12"
    >
      {verdictGlyphs[verdict].map((part) => (
        <path key={part.d} d={part.d} className={part.outline ? 'drawn' : undefined} />
      ))}
    </svg>
  );
}
