import Link from 'next/link';
import type { WireHistory, WireLane, WireLaneRow } from '#lib/api/history.ts';
import { pathAt } from '#lib/api/paths.ts';
import { isVerdictState } from '#lib/draw/timeline/timeline.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { momentText } from '#lib/format/moment.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { formatTime, parseTime } from '#lib/format/time.ts';
import { beginText, lengthText, stateLabel, whyText } from './mark-text.ts';
import { Commit } from '../../ui/commit.tsx';
import { RecordTable } from '../../ui/tables/record-table.tsx';

interface LaneTableProps {
  readonly caption: string;
  readonly history: WireHistory;
  /** Where all of it is to be had as a file. */
  readonly csv: string;
  /** True if its rows lead to their moments: not where nobody sees them and the lanes do. */
  readonly leads: boolean;
  /** ms */
  readonly now: number;
}

/** Record of the lanes, state by state, newest first. */
export function LaneTable({ caption, history, csv, leads, now }: LaneTableProps) {
  const { lanes, earlier } = history;
  const named = lanes.length > 1;
  return (
    <>
      <RecordTable
        stacked
        className="time-table"
        caption={`${caption}, newest first`}
        titles={[...(named ? ['Of'] : []), 'State', 'From', 'For', 'What is told']}
      >
        {lanes.map((lane) =>
          lane.rows.toReversed().map((row) => (
            <tr key={lane.key + row.from}>
              {named && <th scope="row">{lane.title}</th>}
              <td>{stateLabel(row.state)}</td>
              <td className="whitespace-nowrap">
                <From row={row} lane={lane} leads={leads}>
                  {beginText(row, history, now)}
                </From>
              </td>
              <td className="whitespace-nowrap">{lengthText(row, history)}</td>
              <td className="wrap-anywhere">
                <Why row={row} lane={lane} now={now} />
              </td>
            </tr>
          )),
        )}
        {earlier.toReversed().map((reported) => {
          const [start, end] = [parseTime(reported.from) ?? 0, parseTime(reported.to) ?? 0];
          return (
            <tr key={reported.from + reported.status}>
              <td>{reported.status}</td>
              <td className="whitespace-nowrap">at least from {formatTime(start, now)}</td>
              <td className="whitespace-nowrap">at least {formatDuration(end - start)}</td>
              <td className="wrap-anywhere">
                Told by its reconciler, from before the record
                {reported.revision !== null && `, at ${reported.revision}`}
              </td>
            </tr>
          );
        })}
      </RecordTable>
      <Rest lanes={lanes} csv={csv} />
    </>
  );
}

interface WhyProps {
  readonly row: WireLaneRow;
  readonly lane: WireLane;
  readonly now: number;
}

/** Words on a state, the commit that ran last: it leads to its page. */
function Why({ row, lane, now }: WhyProps) {
  const words = whyText({ ...row, commit: null }, lane, row.steady, now);
  if (row.commit === null) return words;
  return (
    <>
      {words}
      {words !== '' && ', '}ran <Commit commit={row.commit} href={null} />
    </>
  );
}

interface FromProps {
  readonly row: WireLaneRow;
  readonly lane: WireLane;
  readonly leads: boolean;
  readonly children: string;
}

/** When a row began; leads to that moment where something was known then. */
function From({ row, lane, leads, children }: FromProps) {
  if (!leads || !isVerdictState(row.state)) return children;
  return (
    <Link className="link py-1" href={pathAt(lane.href, momentText(parseTime(row.from) ?? 0))} prefetch={false}>
      {children}
    </Link>
  );
}

/** Part of the record that does not stand in the table, and the way to have it. */
function Rest({ lanes, csv }: Pick<LaneTableProps, 'csv'> & { readonly lanes: readonly WireLane[] }) {
  const shown = lanes.reduce((sum, { rows }) => sum + rows.length, 0);
  const all = lanes.reduce((sum, { rowsTotal }) => sum + rowsTotal, 0);
  return (
    <p className="py-2 text-mute">
      {shown < all &&
        `The newest ${formatCount(shown)} of ${countOf(all, 'state')}${lanes.length > 1 ? ' of these lanes' : ''}; a shorter period shows all. `}
      <a className="link screen-only" href={csv} download>
        All as CSV
      </a>
    </p>
  );
}
