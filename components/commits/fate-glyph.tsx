import { fateGlyphs, fateTone } from '#lib/draw/wave/fate-glyphs.ts';
import type { WaveState } from '#lib/draw/wave/wave-cluster.ts';

interface FateGlyphProps {
  readonly state: WaveState;
  /** Edge in px. */
  readonly size?: number;
}

/** Outline of where a commit stands, in its colour; the word stands beside it. */
export function FateGlyph({ state, size = 12 }: FateGlyphProps) {
  return (
    <svg
      aria-hidden
      className={state === 'converged' ? 'glyph glyph-converged' : 'glyph'}
      style={{ color: `var(--${fateTone[state]})` }}
      width={size}
      height={size}
      viewBox="0 0 12 12"
    >
      {fateGlyphs[state].map((part) => (
        <path key={part.d} d={part.d} className={part.outline ? 'drawn' : undefined} />
      ))}
    </svg>
  );
}
