'use client';

import { useState } from 'react';
import type { WireObjectPage, WireTransition } from '#lib/api/object.ts';
import { countOf } from '#lib/format/number.ts';
import { shortCommit } from '#lib/format/revision.ts';
import { verdictWord } from '#lib/format/verdict-word.ts';
import { SectionHead } from '../ui/section-head.tsx';
import { Time } from '../ui/time.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';

const few = 10;

/** Every recorded change of verdict, newest first. */
export function Transitions({ page }: { readonly page: WireObjectPage }) {
  const [all, setAll] = useState(false);
  const newest = page.transitions.toSorted((a, b) => (a.at < b.at ? 1 : -1));
  const shown = all ? newest : newest.slice(0, few);
  return (
    <section aria-labelledby="transitions">
      <SectionHead
        id="transitions"
        note={newest.length === 0 ? undefined : `${countOf(newest.length, 'change')}, newest first`}
      >
        Changes of verdict
      </SectionHead>
      {newest.length === 0 ? (
        <p className="text-mute">None is recorded.</p>
      ) : (
        <table className="record stacked">
          <caption className="sr-only">Changes of verdict, newest first</caption>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">From</th>
              <th scope="col">To</th>
              <th scope="col">Reason</th>
              <th scope="col">Ran</th>
              <th scope="col">Message</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((transition) => (
              <Row key={`${transition.at}${transition.to}`} transition={transition} />
            ))}
          </tbody>
        </table>
      )}
      {shown.length < newest.length && (
        <button type="button" className="link screen-only mt-2 py-1" onClick={() => setAll(true)}>
          Show {countOf(newest.length - shown.length, 'older change')}
        </button>
      )}
    </section>
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
      <td className="whitespace-nowrap text-mute">{from === null ? 'first seen' : verdictWord(from)}</td>
      <td className="whitespace-nowrap">
        {to === null ? (
          'Gone'
        ) : (
          <>
            <VerdictGlyph verdict={to} /> {verdictWord(to)}
          </>
        )}
      </td>
      <td>{reason}</td>
      <td>{commit !== null && <code>{shortCommit(commit)}</code>}</td>
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
