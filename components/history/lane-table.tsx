import Link from 'next/link';
import type { WireEarlier, WireLane } from '#lib/api/history.ts';
import { pathAt } from '#lib/api/paths.ts';
import { isTold } from '#lib/draw/timeline.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { momentText } from '#lib/format/moment.ts';
import { formatTime, parseTime } from '#lib/format/time.ts';
import { markWhat, markWhy } from './mark-words.ts';

interface LaneTableProps {
  readonly caption: string;
  readonly lanes: readonly WireLane[];
  readonly earlier: readonly WireEarlier[];
  /** RFC 3339: where the lanes begin. */
  readonly from: string;
  /** Whether its rows lead to their moments: not where nobody sees them and the lanes do. */
  readonly leads: boolean;
  /** ms */
  readonly now: number;
}

/** The same as the lanes show, as a table, newest first. */
export function LaneTable({ caption, lanes, earlier, from, leads, now }: LaneTableProps) {
  const named = lanes.length > 1;
  return (
    <table className="record stacked time-table">
      <caption className="sr-only">{caption}, newest first</caption>
      <thead>
        <tr>
          {named && <th scope="col">Of</th>}
          <th scope="col">State</th>
          <th scope="col">From</th>
          <th scope="col">For</th>
          <th scope="col">What is told</th>
        </tr>
      </thead>
      <tbody>
        {lanes.map((lane) =>
          lane.marks.toReversed().map((mark) => {
            const [start, end] = [parseTime(mark.from) ?? 0, parseTime(mark.to) ?? 0];
            return (
              <tr key={lane.key + mark.from}>
                {named && <th scope="row">{lane.title}</th>}
                <td>{markWhat(mark)}</td>
                <td className="whitespace-nowrap">
                  {leads && isTold(mark.state) ? (
                    <Link
                      className="link py-1"
                      href={pathAt(lane.href, momentText(parseTime(mark.at) ?? start))}
                      prefetch={false}
                    >
                      {formatTime(start, now)}
                    </Link>
                  ) : mark.from === from ? (
                    'before that'
                  ) : (
                    formatTime(start, now)
                  )}
                </td>
                <td className="whitespace-nowrap">{formatDuration(end - start)}</td>
                <td className="break-anywhere">{markWhy(mark, lane)}</td>
              </tr>
            );
          }),
        )}
        {earlier.toReversed().map((told) => {
          const [start, end] = [parseTime(told.from) ?? 0, parseTime(told.to) ?? 0];
          return (
            <tr key={told.from + told.status}>
              <td>{told.status}</td>
              <td className="whitespace-nowrap">at least from {formatTime(start, now)}</td>
              <td className="whitespace-nowrap">at least {formatDuration(end - start)}</td>
              <td className="break-anywhere">
                Told by its reconciler, from before the record{told.revision !== null && `, at ${told.revision}`}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
