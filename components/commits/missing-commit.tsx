'use client';

import type { ReactNode } from 'react';
import type { WireCommitName } from '#lib/api/commit.ts';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import type { Moment } from '#lib/api/moment.ts';
import { commitsPath, listPath } from '#lib/api/paths.ts';
import { shortCommit } from '#lib/format/revision.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';
import { Duration } from '../ui/time.tsx';
import { LoadAgain } from '../ui/without-script.tsx';

/** A commit of which nothing is told, and why. */
export interface MissingCommitProps {
  /** As the address has it. */
  readonly digits: string;
  /** Why nothing can be told of it, in a sentence; null where no repository holds it. */
  readonly reason: string | null;
  readonly summary: WireFleetSummary;
  /** The past moment that was asked of; absent for now. */
  readonly moment?: Moment;
}

/** The page of a commit that no mirror holds, or of which nothing can be told now: why that may be, and what to do. */
export function MissingCommit({ digits, reason, summary, moment }: MissingCommitProps) {
  const isHash = /^[0-9a-f]{7,64}$/i.test(digits);
  const named = digits.length > 64 ? `${digits.slice(0, 64)}…` : digits;
  return (
    <PageFrame title="Not found" tab="commits" summary={summary} moment={moment}>
      {reason !== null ? (
        <EmptyState whole title={`Nothing can be told of commit ${shortCommit(digits)} now.`}>
          <p className="mt-2 text-mute">{reason}</p>
          <Ways>
            <LoadAgain />
          </Ways>
        </EmptyState>
      ) : isHash ? (
        <EmptyState whole title={`No repository holds a commit ${named}.`}>
          <ul className="mt-2 list-disc pl-5 text-mute">
            <li>It may not be pushed yet, or not be fetched yet: the age of each mirror stands under Commits.</li>
            <li>
              It may be of a branch that no source of the fleet follows, or of a repository that is not named here.
            </li>
            <li>Its history may have been rewritten before it was fetched.</li>
          </ul>
          <Ways>
            <Link className="link py-1" href={listPath({ q: digits })}>
              Objects with that in their name
            </Link>
          </Ways>
        </EmptyState>
      ) : (
        <EmptyState whole title={`${named} is no commit.`}>
          <p className="mt-2 text-mute">
            A commit is named by its hash: at least its first 7 digits, of 0 to 9 and a to f, in the address{' '}
            <code>/commits/9f31c07</code>.
          </p>
          <Ways />
        </EmptyState>
      )}
    </PageFrame>
  );
}

interface SeveralCommitsProps extends Pick<MissingCommitProps, 'digits' | 'summary'> {
  readonly commits: readonly WireCommitName[];
}

/** The page of first digits that several commits have: each of them, to choose. */
export function SeveralCommits({ digits, commits, summary }: SeveralCommitsProps) {
  return (
    <PageFrame title="Several commits" tab="commits" summary={summary}>
      <EmptyState whole title={`Several commits begin with ${digits}.`}>
        <p className="mt-2">Choose one, or write more of its digits:</p>
        <ul className="mt-1">
          {commits.map(({ sha, self, subject, author, at, repository }) => (
            <li key={self} className="py-1">
              <Link className="link" href={self}>
                <code>{sha.slice(0, Math.max(12, digits.length + 4))}</code> {subject}
              </Link>{' '}
              <span className="text-mute">
                {author}, <Duration since={at} /> ago, in {repository}
              </span>
            </li>
          ))}
        </ul>
        <Ways />
      </EmptyState>
    </PageFrame>
  );
}

interface MissingRepositoryProps {
  /** Why there is nothing to list, as a sentence. */
  readonly why: string;
  readonly summary: WireFleetSummary;
}

/** The page of a repository or branch that is not there. */
export function MissingRepository({ why, summary }: MissingRepositoryProps) {
  return (
    <PageFrame title="Not found" tab="commits" summary={summary}>
      <EmptyState whole title={why}>
        <Ways />
      </EmptyState>
    </PageFrame>
  );
}

function Ways({ children }: { readonly children?: ReactNode }) {
  return (
    <p className="mt-4 flex flex-wrap gap-x-4 gap-y-1">
      <Link className="link py-1" href={commitsPath()}>
        Commits and their repositories
      </Link>
      {children}
      <Link className="link py-1" href="/">
        Fleet
      </Link>
    </p>
  );
}
