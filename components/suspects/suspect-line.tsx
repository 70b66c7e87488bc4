'use client';

import './suspects.css';
import { shortCommit } from '#lib/format/revision.ts';
import { PageLink as Link } from '../ui/page-link.tsx';
import type { KnownSuspicion } from './use-suspects.ts';

/** One short line in a list: "suspect: 9f31c07 checkout: split the ingress, Ines Duarte"; nothing where no single commit is known. */
export function SuspectLine({ known }: { readonly known: KnownSuspicion }) {
  if (known.type !== 'known' || known.suspicion?.type !== 'culprit') return null;
  const [commit] = known.suspicion.suspects;
  if (commit === undefined) return null;
  return (
    <span className="suspect-line">
      suspect:{' '}
      <Link className="link" href={commit.self} prefetch={false}>
        <code>{shortCommit(commit.sha)}</code> {commit.subject}
      </Link>
      {commit.author !== '' && `, ${commit.author}`}
    </span>
  );
}
