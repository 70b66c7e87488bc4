'use client';

import type { WireRepository } from '#lib/api/commit.ts';
import { commitPath, commitsPath } from '#lib/api/paths.ts';
import { countOf } from '#lib/format/number.ts';
import { Commit } from '../ui/commit.tsx';
import { useNow } from '../ui/now.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';
import { ListedTime } from '../ui/time.tsx';
import { isOld, mirrorText } from './repository-state.ts';

interface RepositoryLinesProps {
  readonly repositories: readonly WireRepository[];
  /** Key of the one whose commits are listed. */
  readonly shown: string;
}

/** Repositories, one line each: how old what is known of it is and why, and what happened to it. */
export function RepositoryLines({ repositories, shown }: RepositoryLinesProps) {
  const now = useNow();
  return (
    <ul className="mirrors" aria-label="Repositories">
      {repositories.map((repository) => {
        const { key, defaultBranch, origin, objects } = repository;
        return (
          <li key={key}>
            <Link
              className="link mirror-name"
              href={commitsPath({ repository: key })}
              aria-current={key === shown ? 'true' : undefined}
              prefetch={false}
            >
              {key}
            </Link>
            <span className="text-mute">
              {defaultBranch ?? 'no branch known'}, {countOf(objects, 'object')}
              {origin === 'configured' && ', configured'}
            </span>
            <span className={isOld(repository) ? 'mirror-old' : undefined}>{mirrorText(repository, now)}</span>
            <Happened of={repository} />
          </li>
        );
      })}
    </ul>
  );
}

/** Rewritten history and times without a fetch: counts that open. */
function Happened({ of: { gaps, rewritten } }: { readonly of: WireRepository }) {
  if (gaps.length + rewritten.length === 0) return null;
  const counts = [
    rewritten.length === 0 ? '' : `history rewritten ${rewritten.length === 1 ? 'once' : `${rewritten.length} times`}`,
    gaps.length === 0 ? '' : countOf(gaps.length, 'gap'),
  ];
  return (
    <details className="commit-fold">
      <summary>{counts.filter((text) => text !== '').join(', ')}</summary>
      <ul>
        {rewritten.map(({ branch, from, to, at }) => (
          <li key={`${branch} ${at}`}>
            <ListedTime at={at} />: {branch} was moved from <Commit commit={from} href={commitPath(from)} /> to{' '}
            <Commit commit={to} href={commitPath(to)} />, which does not contain it
          </li>
        ))}
        {gaps.map(({ from, to, reason }) => (
          <li key={from}>
            <ListedTime at={from} /> to {to === null ? 'now' : <ListedTime at={to} />}: nothing was fetched
            {reason !== '' && <span className="text-mute">, {reason}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}
