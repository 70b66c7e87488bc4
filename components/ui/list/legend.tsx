'use client';

import './legend.css';
import type { ReactNode } from 'react';
import { verdicts, type Verdict } from '#lib/domain/verdict/verdict.ts';
import { formatCount } from '#lib/format/number.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { VerdictGlyph } from '../verdict-glyph.tsx';

interface LegendProps {
  readonly counts: Partial<Record<Verdict, number>>;
  /** The verdicts that are shown; empty for all. */
  readonly shown: readonly Verdict[];
  readonly onChange: (shown: readonly Verdict[]) => void;
  /** Number of the unobserved that are only declared, and never are observed. */
  readonly declared?: number;
  /** Content at the right of the bar. */
  readonly children?: ReactNode;
}

/** Every verdict with its glyph, word and count; pressing one shows only what has it. */
export function Legend({ counts, shown, onChange, declared = 0, children }: LegendProps) {
  function toggle(verdict: Verdict): void {
    onChange(verdicts.filter((each) => (each === verdict) !== shown.includes(each)));
  }
  return (
    <div className="legend screen-only">
      <fieldset aria-label="Verdicts to show" className="legend-verdicts">
        {verdicts.map((verdict) => {
          const count = counts[verdict] ?? 0;
          const on = shown.includes(verdict);
          return (
            <button
              key={verdict}
              type="button"
              aria-pressed={on}
              onClick={() => toggle(verdict)}
              title={verdictLabel(verdict)}
              className={count === 0 && !on ? 'legend-verdict zero' : 'legend-verdict'}
            >
              <VerdictGlyph verdict={verdict} size={11} />
              {/* Where there is no room, still read aloud, and on hover. */}
              <span className={count === 0 && !on ? 'max-[1401px]:sr-only' : 'max-[1301px]:sr-only'}>
                {verdictLabel(verdict)}
              </span>{' '}
              <b>{formatCount(count)}</b>
              {verdict === 'unobserved' && declared > 0 && (
                <span className="text-mute"> ({formatCount(declared)} declared)</span>
              )}
            </button>
          );
        })}
      </fieldset>
      <div className="legend-rest">{children}</div>
    </div>
  );
}
