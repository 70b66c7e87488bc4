'use client';

import { useState } from 'react';
import type { WireGap, WireObjectPage, WireTransition } from '#lib/api/object.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { countOf } from '#lib/format/number.ts';
import { parseTime } from '#lib/format/time.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { Commit } from '../ui/commit.tsx';
import { Section } from '../ui/page/page.tsx';
import { Time } from '../ui/time.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';
import { RecordTable } from '../ui/tables/record-table.tsx';

const few = 10;

/** A line of the record: a change of verdict, or a time in which nobody looked. `at` is RFC 3339. */
type Line =
  | { readonly type: 'change'; readonly at: string; readonly change: WireTransition }
  | { readonly type: 'gap'; readonly at: string; readonly gap: WireGap };

/** Recorded changes of verdict and times in which it was not seen, newest first. */
export function Transitions({ page }: { readonly page: WireObjectPage }) {
  const [all, setAll] = useState(false);
  const newest = linesOf(page);
  const shown = all ? newest : newest.slice(0, few);
  return (
    <Section
      id="transitions"
      title="Changes of verdict"
      note={newest.length === 0 ? undefined : `${noteOf(page)}, newest first`}
    >
      {newest.length === 0 ? (
        <p className="text-mute">None is recorded in the last 90 days.</p>
      ) : (
        <RecordTable
          stacked
          caption="Changes of verdict and times in which it was not seen, newest first"
          titles={['When', 'From', 'To', 'Reason', 'Ran', 'Message']}
        >
          {shown.map((line) =>
            line.type === 'gap' ? (
              <GapRow key={`gap ${line.at}`} gap={line.gap} />
            ) : (
              <Row key={`${line.at}${line.change.to}`} transition={line.change} />
            ),
          )}
        </RecordTable>
      )}
      {shown.length < newest.length && (
        <button type="button" className="link screen-only mt-2 py-1" onClick={() => setAll(true)}>
          Show {countOf(newest.length - shown.length, 'older line')}
        </button>
      )}
    </Section>
  );
}

function linesOf({ transitions, gaps }: WireObjectPage): readonly Line[] {
  const lines: readonly Line[] = [
    ...transitions.map((change): Line => ({ type: 'change', at: change.at, change })),
    ...gaps.map((gap): Line => ({ type: 'gap', at: gap.from, gap })),
  ];
  return lines.toSorted((a, b) => (a.at < b.at ? 1 : -1));
}

/** Number that are listed, and of which time: as many as are sent are not all there are. */
function noteOf({ transitions, gaps, more }: WireObjectPage): string {
  const changes = `${more.transitions ? 'the newest ' : ''}${countOf(transitions.length, 'change')}`;
  const missed = `${more.gaps ? 'the newest ' : ''}${countOf(gaps.length, 'gap')}`;
  return `${gaps.length === 0 ? changes : `${changes} and ${missed}`} of the last 90 days`;
}

/** Nobody looked: whatever happened meanwhile is not in the record. */
function GapRow({ gap }: { readonly gap: WireGap }) {
  const { from, to, state, reason } = gap;
  const [start, end] = [parseTime(from), to === null ? null : parseTime(to)];
  return (
    <tr>
      <td className="whitespace-nowrap">
        <Time at={from} />
      </td>
      <td colSpan={2} className="whitespace-nowrap">
        <VerdictGlyph verdict="unobserved" /> Not seen
      </td>
      <td>{state}</td>
      <td colSpan={2} className="record-message">
        {to === null || start === null || end === null ? (
          'until now'
        ) : (
          <>
            for {formatDuration(end - start)}, until <Time at={to} as="clock" />
          </>
        )}
        {reason !== null && <>: {reason}</>}
      </td>
    </tr>
  );
}

function Row({ transition }: { readonly transition: WireTransition }) {
  const { at, bound, from, to, reason, message, commit } = transition;
  return (
    <tr>
      <td className="whitespace-nowrap">
        {bound === 'at-least' && <span className="text-mute">before </span>}
        <Time at={at} />
      </td>
      <td className="whitespace-nowrap text-mute">{from === null ? 'first seen' : verdictLabel(from)}</td>
      <td className="whitespace-nowrap">
        {to === null ? (
          'Gone'
        ) : (
          <>
            <VerdictGlyph verdict={to} /> {verdictLabel(to)}
          </>
        )}
      </td>
      <td>{reason}</td>
      <td>{commit !== null && <Commit commit={commit} href={null} />}</td>
      <td className="record-message">
        <Message text={message} />
      </td>
    </tr>
  );
}

const short = 160;

/** A long message is cut to two lines until it is asked for. */
function Message({ text }: { readonly text: string }) {
  if (text.length <= short) return <code>{text}</code>;
  return (
    <details>
      <summary>
        <code>{text}</code>
      </summary>
    </details>
  );
}
