'use client';

import './commit.css';
import type { WireCommitName } from '#lib/api/commit.ts';
import type { WireCommitRange, WireRevision } from '#lib/api/object.ts';
import { rangeParts, sameRevisionFailed } from '#lib/domain/record/commit-range-text.ts';
import { commitAge, commitTitle } from '#lib/format/git/commit-title.ts';
import { shortCommit } from '#lib/format/revision.ts';
import { useCommitName } from '../queries/use-commit-name.ts';
import { useNow } from './now.tsx';
import { PageLink } from './page-link.tsx';

interface CommitProps {
  /** 40 or 64 hex digits, or 7 where no more is known. */
  readonly commit: string;
  /** The commit here or on its git host, where no mirror holds it; null where the host is not known. */
  readonly href: string | null;
  readonly className?: string;
}

/**
 * A commit by its first 7 digits. Where a mirror holds it, it leads to its page here and says its subject, author and age on hover; else
 * to its git host where that is known. It takes the same room in both.
 */
export function Commit({ commit, href, className = '' }: CommitProps) {
  const name = useCommitName(commit);
  const digits = <span className={`font-mono text-[0.92em] ${className}`}>{shortCommit(commit)}</span>;
  if (name !== null) return <Named name={name}>{digits}</Named>;
  if (href === null) return digits;
  return (
    <a className="link commit-link" href={href}>
      {digits}
    </a>
  );
}

function Named({ name, children }: { readonly name: WireCommitName; readonly children: React.ReactNode }) {
  const now = useNow();
  return (
    <PageLink className="link commit-link" href={name.self} title={commitTitle(name, now)} prefetch={false}>
      {children}
    </PageLink>
  );
}

interface CommitWordsProps {
  readonly commit: string | null;
  /** Its first digits before its subject: where several stand in one place. */
  readonly digits?: true;
  /** On lines of its own, cut after three. */
  readonly lines?: true;
}

/** Subject, author and age of a commit, where there is room for them; nothing where no mirror holds it. */
export function CommitWords({ commit, digits, lines }: CommitWordsProps) {
  const name = useCommitName(commit);
  const now = useNow();
  if (name === null) return null;
  return (
    <span className={lines ? 'commit-words commit-lines' : 'commit-words'} title={lines && commitTitle(name, now)}>
      {digits && <code>{shortCommit(name.sha)}: </code>}
      <span className="text-ink">{name.subject}</span>
      <span className="text-mute">
        , {name.author}, {commitAge(name, now)}
      </span>
    </span>
  );
}

interface RangeTextProps {
  readonly range: WireCommitRange;
}

/** A range in words, its commits linked: "worked at 2d81a0c, first failed at 9f31c07". */
export function RangeText({ range }: RangeTextProps) {
  return rangeParts(range).map((part, index) => {
    if (typeof part === 'string') return part;
    const end = range[part.end];
    return end === null ? null : <RangeEnd key={`${index}${part.end}`} end={end} />;
  });
}

/** Subject, author and age of each end of a range, a line each, where mirrors hold them. */
export function RangeWords({ range }: RangeTextProps) {
  const { lastGood, firstBad } = range;
  const ends = sameRevisionFailed(range) ? [firstBad] : [lastGood, firstBad];
  return ends.map((end, index) =>
    end === null ? null : <CommitWords key={index === 0 ? 'first' : 'last'} commit={end.commit} digits lines />,
  );
}

/** One end of a range, linked where it is a commit that leads somewhere. */
export function RangeEnd({ end: { text, commit, href } }: { readonly end: WireRevision }) {
  return commit === null ? <code>{text}</code> : <Commit commit={commit} href={href} />;
}
