'use client';

import './suspects.css';
import type { WireCommitName } from '#lib/api/commit.ts';
import type { WireSuspect } from '#lib/api/git/suspect.ts';
import { countOf } from '#lib/format/number.ts';
import { shortCommit } from '#lib/format/revision.ts';
import { PageLink as Link } from '../ui/page-link.tsx';
import { Time } from '../ui/time.tsx';

/** Commits, the newest first, each with who made it, its pull request and the files by which it touches. */
export function SuspectList({ commits }: { readonly commits: readonly WireSuspect[] }) {
  return (
    <ul className="suspects">
      {commits.map((commit) => (
        <li key={commit.sha}>
          <CommitLine commit={commit} />
          <Files commit={commit} />
        </li>
      ))}
    </ul>
  );
}

/** A commit in one line: hash, subject, author, when, pull request, and the way to its host. */
export function CommitLine({ commit }: { readonly commit: WireCommitName }) {
  const { sha, subject, author, at, pullRequest, href, self } = commit;
  return (
    <>
      <Link className="link" href={self} prefetch={false}>
        <code>{shortCommit(sha)}</code> {subject}
      </Link>
      <span className="text-mute">
        {author !== '' && `, ${author}`}, <Time at={at} />
      </span>
      {pullRequest !== null && (
        <>
          {', '}
          {pullRequest.href === null ? (
            `#${pullRequest.number}`
          ) : (
            <a className="link" href={pullRequest.href}>
              #{pullRequest.number}
            </a>
          )}
        </>
      )}
      {href !== null && (
        <>
          {', '}
          <a className="quiet-link" href={href}>
            on its host
          </a>
        </>
      )}
    </>
  );
}

/** Files of one are shown; more are folded. */
function Files({ commit: { files, fileCount } }: { readonly commit: WireSuspect }) {
  const more = fileCount - files.length;
  if (fileCount === 0) return null;
  if (files.length === 1 && more === 0)
    return (
      <p>
        <code>{files[0]}</code>
      </p>
    );
  return (
    <details>
      <summary>{countOf(fileCount, 'file')} of what it builds from</summary>
      <ul>
        {files.map((file) => (
          <li key={file}>
            <code>{file}</code>
          </li>
        ))}
        {more > 0 && <li className="text-mute">and {countOf(more, 'more file')}</li>}
      </ul>
    </details>
  );
}
