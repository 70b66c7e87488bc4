import { Duration } from '../ui/duration.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';
import type { FeedLook } from './feed-text.ts';

/** The sign of a feed or a controller; a refusal has one of its own. */
export function Sign({ look }: { readonly look: FeedLook }) {
  if (look.sign === 'none') return <span className="trust-sign" />;
  if (look.sign === 'refused') {
    return (
      <svg
        className="glyph"
        width={12}
        height={12}
        viewBox="0 0 12 12"
        aria-hidden="true"
        style={{ color: 'var(--diverged)' }}
      >
        <path className="drawn" d="M6 1.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6ZM2.7 2.7l6.6 6.6" />
      </svg>
    );
  }
  return <VerdictGlyph verdict={look.sign} />;
}

/** Age of something, where it is known. */
export function Age({ at }: { readonly at: string | null }) {
  return at === null ? null : <Duration since={at} />;
}
