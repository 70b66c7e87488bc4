import type { ReactNode } from 'react';
import type { Truth, WireGuarantee } from '#lib/api/fleet.ts';
import { PlumbLine } from '../shell/plumb-line.tsx';

interface SentenceProps {
  readonly guarantee: WireGuarantee;
  readonly truth: Truth;
  /** Whether the server has been silent for so long that what stands here is only what was last known. */
  readonly lastKnown: boolean;
  readonly children?: ReactNode;
}

/** The sentence that is checked, whether it holds now, and beneath it the causes. */
export function Sentence({ guarantee, truth, lastKnown, children }: SentenceProps) {
  return (
    <section className="hero" aria-label="The sentence">
      <PlumbLine truth={truth} className="hero-line" />
      <div className="min-w-0">
        <p className="hero-caption">{guarantee.caption}</p>
        <h1 className="hero-head">
          {lastKnown && <span className="font-semibold">That cannot be said now. Last known: </span>}
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
