import { hangOf, plumbLine } from '#lib/draw/plumb-line.ts';
import type { Truth } from '#lib/api/fleet.ts';

/** The plumb line: straight where the sentence holds, leaning where it does not, grey and dashed where that cannot be said. Says nothing that the sentence beside it does not say. */
export function PlumbLine({ truth, className = '' }: { readonly truth: Truth; readonly className?: string }) {
  const { lean, dashed } = hangOf(truth);
  const colour = dashed ? 'var(--field)' : truth === 'broken' ? 'var(--diverged)' : 'var(--ink)';
  return (
    <svg
      className={`plumb ${className}`}
      viewBox={`0 0 ${plumbLine.width} ${plumbLine.height}`}
      aria-hidden="true"
      data-truth={truth}
    >
      <path d={plumbLine.beam} stroke="var(--ink)" strokeWidth={1.6} />
      {lean !== 0 && <path d={plumbLine.true} stroke="var(--field)" strokeDasharray="2 3" />}
      <g className="hang" style={{ transform: `rotate(${lean}deg)` }}>
        <path d={plumbLine.line} stroke={colour} strokeWidth={1.4} strokeDasharray={dashed ? '4 3' : undefined} />
        <path
          d={plumbLine.bob}
          fill={dashed ? 'none' : colour}
          stroke={colour}
          strokeDasharray={dashed ? '2 2' : undefined}
        />
      </g>
    </svg>
  );
}
