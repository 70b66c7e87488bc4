import type { ReactNode } from 'react';
import type { Truth, WireGuarantee } from '#lib/api/fleet.ts';
import { PlumbLine } from '../shell/plumb-line.tsx';

interface SentenceProps {
  readonly guarantee: WireGuarantee;
  readonly truth: Truth;
  readonly children?: ReactNode;
}

/** The sentence that is checked, whether it holds now, and beneath it the causes. */
export function Sentence({ guarantee, truth, children }: SentenceProps) {
  const stale = truth === 'unknown' && guarantee.truth !== 'unknown';
  return (
    <section className="hero" aria-label="The sentence">
      <PlumbLine truth={truth} className="hero-line" />
      <div className="min-w-0">
        <p className="hero-caption">{guarantee.caption}</p>
        <h1 className="hero-head">
          {stale && <span className="font-semibold">That cannot be said now. Last known: </span>}
          {guarantee.lead !== '' && (
            <b className={truth === 'broken' ? 'text-diverged' : undefined}>{guarantee.lead} </b>
          )}
          {guarantee.head}
        </h1>
        {children}
      </div>
    </section>
  );
}
