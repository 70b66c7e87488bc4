import type { StripSpan } from '#lib/draw/strip.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { formatTime } from '#lib/format/time.ts';
import { stateWord } from './state-word.ts';

interface SpanTableProps {
  readonly caption: string;
  readonly spans: readonly StripSpan[];
  readonly from: number;
  readonly to: number;
}

/** The same as a strip shows, for those who do not see it. */
export function SpanTable({ caption, spans, from, to }: SpanTableProps) {
  const inside = spans.filter((span) => span.to > from && span.from < to);
  return (
    <div className="sr-only">
      <table>
        <caption>{caption}, newest first</caption>
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col">From</th>
            <th scope="col">For</th>
          </tr>
        </thead>
        <tbody>
          {inside.toReversed().map((span) => {
            const start = Math.max(span.from, from);
            return (
              <tr key={`${span.state}${span.from}`}>
                <th scope="row">{stateWord(span.state)}</th>
                <td>{span.from <= from ? 'before that' : formatTime(start, to)}</td>
                <td>{formatDuration(Math.min(span.to, to) - start)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
