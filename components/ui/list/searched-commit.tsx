'use client';

import { commitPath } from '#lib/api/paths.ts';
import { commitDigits } from '#lib/git-host/commit-digits.ts';
import { shortCommit } from '#lib/format/revision.ts';
import { PageLink as Link } from '../page-link.tsx';

/** The way from a search to a commit, where the text may be one; nothing of any other text. */
export function SearchedCommit({ text }: { readonly text: string }) {
  const digits = commitDigits(text);
  if (digits === null) return null;
  return (
    <Link className="link py-1 text-small" href={commitPath(digits)} prefetch={false}>
      Is commit {shortCommit(digits)} out?
    </Link>
  );
}
