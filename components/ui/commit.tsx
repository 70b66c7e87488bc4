import { shortCommit } from '#lib/format/revision.ts';
import type { WireCommitRange, WireRevision } from '#lib/api/object.ts';
import { rangeParts } from '#lib/domain/record/commit-range-text.ts';

interface CommitProps {
  /** 40 or 64 hex digits, or 7 where no more is known. */
  readonly commit: string;
  /** The commit here or on its git host; null where the host is not known. */
  readonly href: string | null;
  readonly className?: string;
}

/** A commit by its first 7 digits, as a link where it leads somewhere. */
export function Commit({ commit, href, className = '' }: CommitProps) {
  const digits = <span className={`font-mono text-[0.92em] ${className}`}>{shortCommit(commit)}</span>;
  if (href === null) return digits;
  return (
    <a className="link" href={href}>
      {digits}
    </a>
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

/** One end of a range, linked where it is a commit that leads somewhere. */
export function RangeEnd({ end: { text, commit, href } }: { readonly end: WireRevision }) {
  return commit === null ? <code>{text}</code> : <Commit commit={commit} href={href} />;
}
