import './list-page.css';
import type { ReactNode } from 'react';
import { countOf, formatCount } from '#lib/format/number.ts';
import { StickyLine } from '../sticky-line.tsx';
import type { PagedList } from '../../queries/use-paged-list.ts';

/** The sentence above a list: how much there is of what. */
export function ListSentence({ children }: { readonly children: ReactNode }) {
  return <h1 className="list-say">{children}</h1>;
}

interface ListBodyProps {
  /** Rows of another question are on their way. */
  readonly waiting?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** The rows of a list, or what is said in their place. */
export function ListBody({ waiting = false, className = '', children }: ListBodyProps) {
  return (
    <div className={`list-body ${className} ${waiting ? 'opacity-55' : ''}`} aria-busy={waiting}>
      {children}
    </div>
  );
}

interface ListNoticesProps {
  readonly list: Pick<PagedList<unknown>, 'error' | 'changed' | 'again'>;
  /** Names of what could not be seen and may be missing, in words. */
  readonly partial: readonly string[];
}

/** Notices to know before believing a list: what is not seen, what failed, that it is old. */
export function ListNotices({ list, partial }: ListNoticesProps) {
  return (
    <>
      {partial.length > 0 && <StickyLine>Not all is seen: {partialText(partial)}.</StickyLine>}
      {list.error !== null && (
        <StickyLine tone="warn">{list.error.message} What stands here is the list before.</StickyLine>
      )}
      {list.changed && (
        <StickyLine>
          <span>The fleet has changed since this list was made.</span>
          <button type="button" className="link screen-only" onClick={list.again}>
            Make it again
          </button>
        </StickyLine>
      )}
    </>
  );
}

const partialShown = 4;

function partialText(partial: readonly string[]): string {
  const more = partial.length - partialShown;
  const shown = partial.slice(0, partialShown).join('; ');
  return more > 0 ? `${shown}; and ${countOf(more, 'more gap')}, told on the pages of the clusters` : shown;
}

interface MoreLineProps {
  readonly shown: number;
  readonly total: number;
  /** Noun of what is counted: "object". */
  readonly noun: string;
  readonly list: Pick<PagedList<unknown>, 'more' | 'loadingMore'>;
}

/** Length of the part of a list that stands here, and more of it. */
export function MoreLine({ shown, total, noun, list }: MoreLineProps) {
  return (
    <p className="flex items-center gap-4 py-3 text-mute">
      <span>
        {formatCount(shown)} of {countOf(total, noun)}
      </span>
      <ShowMore {...list} />
    </p>
  );
}

/** Asks for more of a list, where there is more. */
export function ShowMore({ more, loadingMore }: Pick<PagedList<unknown>, 'more' | 'loadingMore'>) {
  if (more === null) return null;
  return (
    <button type="button" className="link screen-only" onClick={more} disabled={loadingMore}>
      {loadingMore ? 'Being read' : 'Show more'}
    </button>
  );
}

interface WithoutProps<Name extends string> {
  /** The parts of a filter that are set, in words. */
  readonly parts: readonly { readonly name: Name; readonly text: string }[];
  readonly take: (name: Name) => void;
  readonly className?: string;
}

/** The ways out of a filter that nothing matches: without one part of it or another. */
export function Without<Name extends string>({ parts, take, className = 'mt-3' }: WithoutProps<Name>) {
  return (
    <ul className={`${className} flex flex-wrap gap-x-4 gap-y-1`}>
      {parts.map(({ name, text }) => (
        <li key={name}>
          <button type="button" className="link py-1" onClick={() => take(name)}>
            Look without {text}
          </button>
        </li>
      ))}
    </ul>
  );
}
