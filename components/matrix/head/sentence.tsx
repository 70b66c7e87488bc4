import type { ReactNode } from 'react';
import type { Truth, WireFleetSummary } from '#lib/api/fleet.ts';
import { PlumbLine } from '../../shell/plumb-line.tsx';
import { Filtered } from './filtered.tsx';
import { SummaryNotes } from './summary-notes.tsx';
import { SaidParts } from '../../ui/said-parts.tsx';

interface SentenceProps {
  readonly head: WireFleetSummary;
  readonly truth: Truth;
  /** True if the server has been silent for so long that what stands here is only what was last known. */
  readonly lastKnown: boolean;
  readonly children?: ReactNode;
}

/** The sentence that is checked, whether it holds now, what must be known beside it, and beneath it the causes. */
export function Sentence({ head, truth, lastKnown, children }: SentenceProps) {
  const { guarantee } = head;
  return (
    <section className="hero" aria-label="The sentence">
      <PlumbLine truth={truth} className="hero-line" />
      <div className="min-w-0">
        <p className="hero-caption">{guarantee.caption}</p>
        <Filtered filter={head.filter} />
        <h1 className="hero-head">
          {lastKnown && <span className="font-semibold">That cannot be said now. Last known: </span>}
          {guarantee.lead !== '' && (
            <b className={truth === 'broken' ? 'text-diverged' : undefined}>
              <SaidParts parts={guarantee.parts.lead} />{' '}
            </b>
          )}
          <SaidParts parts={guarantee.parts.head} />
        </h1>
        <SummaryNotes head={head} />
        {children}
      </div>
    </section>
  );
}
