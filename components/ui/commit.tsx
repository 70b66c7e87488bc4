import { shortCommit } from '#lib/format/revision.ts';

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
