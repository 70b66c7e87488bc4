import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { patternId, textureOf, tilePath } from '#lib/draw/texture.ts';

/** The fills of verdicts, for the charts of a page: textures, so that they are told apart without their colours. */
export function ChartFills({ verdicts }: { readonly verdicts: readonly Verdict[] }) {
  return (
    <svg width="0" height="0" className="absolute" aria-hidden>
      <defs>
        {[...verdicts, 'unobserved' as const].map((verdict) => {
          const texture = textureOf(verdict);
          const { size, ground, stroke } = texture;
          const d = tilePath(texture);
          const colour = verdict === 'unobserved' ? 'var(--field)' : `var(--${verdict})`;
          return (
            <pattern key={verdict} id={patternId(verdict)} width={size} height={size} patternUnits="userSpaceOnUse">
              <rect width={size} height={size} fill={colour} fillOpacity={ground} />
              {d !== '' && <path d={d} fill="none" stroke={colour} strokeWidth={stroke} strokeLinecap="round" />}
            </pattern>
          );
        })}
      </defs>
    </svg>
  );
}
