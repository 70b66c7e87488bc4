'use client';

import type { ReactNode } from 'react';
import type { WireCommitName, WireCommitPage } from '#lib/api/commit.ts';
import { countOf } from '#lib/format/number.ts';
import { shortCommit } from '#lib/format/revision.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { PageLink as Link } from '../../ui/page-link.tsx';
import { Section } from '../../ui/page/page.tsx';
import { Duration, Time } from '../../ui/time.tsx';

interface CommitFactsProps {
  readonly page: WireCommitPage;
  /** The commit before it on its branch; null where that is not known. */
  readonly previous: WireCommitName | null;
}

/** Facts of a commit as its repository has it, its files folded, and the commit before it. */
export function CommitFacts({ page, previous }: CommitFactsProps) {
  const { commit, files, branches, mirroredAt } = page;
  const { sha, author, at, pullRequest, signed, tags, href, repository } = commit;
  return (
    <Section id="facts" title="Commit">
      <dl className="facts">
        <Fact name="Hash">
          <code className="break-all">{sha}</code> <CopyButton text={sha} what="the hash" />
        </Fact>
        <Fact name="Author">{author}</Fact>
        <Fact name="Committed">
          <Time at={at} />
        </Fact>
        {pullRequest !== null && (
          <Fact name="Pull request">
            {pullRequest.href === null ? (
              `#${pullRequest.number}`
            ) : (
              <a className="link" href={pullRequest.href}>
                #{pullRequest.number}
              </a>
            )}
          </Fact>
        )}
        <Fact name="Signature">{signed ? 'signed, not verified' : 'not signed'}</Fact>
        {tags.length > 0 && <Fact name={tags.length === 1 ? 'Tag' : 'Tags'}>{tags.join(', ')}</Fact>}
        <Fact name="Repository">
          {href === null ? (
            <>
              {repository}
              <span className="text-mute">, whose host is not known</span>
            </>
          ) : (
            <a className="link" href={href}>
              {shortCommit(sha)} in {repository}
            </a>
          )}
        </Fact>
        <Fact name="On branch">{branches.length === 0 ? 'none that is followed' : branches.join(', ')}</Fact>
        <Fact name="Files">{files === null ? 'not known now' : <Files files={files} />}</Fact>
        <Fact name="Mirror">
          fetched <Duration since={mirroredAt} /> ago
        </Fact>
        {previous !== null && (
          <Fact name="Before it">
            <Link className="link" href={previous.self} prefetch={false}>
              <code>{shortCommit(previous.sha)}</code> {previous.subject}
            </Link>
          </Fact>
        )}
      </dl>
    </Section>
  );
}

const changeMarks = {
  added: 'added',
  modified: 'changed',
  removed: 'removed',
  'type-changed': 'type changed',
} as const;

/** Number of files of the commit, which opens to their names. */
function Files({ files: { files, count } }: { readonly files: NonNullable<WireCommitPage['files']> }) {
  if (count === 0) return 'none against its first parent';
  const more = count - files.length;
  return (
    <details className="commit-fold">
      <summary>{countOf(count, 'file')}</summary>
      <ul>
        {files.map(({ path, change }) => (
          <li key={path}>
            <code>{path}</code> <span className="text-mute">{changeMarks[change]}</span>
          </li>
        ))}
        {more > 0 && <li className="text-mute">and {countOf(more, 'more file')}</li>}
      </ul>
    </details>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
