import { useId } from 'react';
import { stripBars, type StripBar, type StripSpan, type StripTick } from '#lib/draw/strip.ts';

interface StripProps {
  readonly spans: readonly StripSpan[];
  /** ms */
  readonly from: number;
  /** ms */
  readonly to: number;
  readonly ticks: readonly StripTick[];
}

const height = 29;
const base = 26;

/** States over time at true scale: in order a 3 px line, everything else a block of at least 3 px, not seen hatched. Its table stands beside it. */
export function Strip({ spans, from, to, ticks }: StripProps) {
  const hatch = useId();
  return (
    <svg className="strip" width="100%" height={height} aria-hidden="true">
      <defs>
        <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0V5" stroke="var(--field)" strokeWidth="2" />
        </pattern>
      </defs>
      {ticks.map(({ time, at }) => (
        <line key={time} className="strip-tick" x1={percent(at)} x2={percent(at)} y1={0} y2={height} />
      ))}
      <line className="strip-floor" x1="0" x2="100%" y1={height - 0.5} y2={height - 0.5} />
      {stripBars(spans, from, to).map((bar) => (
        <Bar key={`${bar.state}${bar.start}`} bar={bar} hatch={hatch} />
      ))}
    </svg>
  );
}

function Bar({ bar, hatch }: { readonly bar: StripBar; readonly hatch: string }) {
  const { state, look, start, length } = bar;
  const colour = state === 'absent' || state === 'not-recorded' ? 'none' : `var(--${state})`;
  const place = { x: percent(start), width: percent(length) };
  // An event must be seen however short it was, also one that began a moment ago.
  const style = {
    width: `max(3px, ${percent(length)})`,
    x: `min(${percent(start)}, calc(100% - max(3px, ${percent(length)})))`,
  };
  switch (look) {
    case 'nothing':
      return null;
    case 'line':
      return <rect {...place} y={base} height={3} fill={colour} />;
    case 'broken-line':
      return (
        <line
          x1={percent(start)}
          x2={percent(start + length)}
          y1={base + 1.5}
          y2={base + 1.5}
          stroke={colour}
          strokeWidth={3}
          strokeDasharray="2 4"
        />
      );
    case 'hatch':
      return <rect {...place} style={style} y={0} height={height} fill={`url(#${hatch})`} />;
    case 'low-block':
      return <rect {...place} style={style} y={14} height={height - 14} fill={colour} />;
    case 'block':
      return <rect {...place} style={style} y={0} height={height} fill={colour} />;
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}
