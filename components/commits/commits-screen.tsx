'use client';

import './commits.css';
import { useRouter } from 'next/navigation';
import { parseAsString, useQueryStates } from 'nuqs';
import { useState, type SubmitEvent } from 'react';
import { commitsApi, type WireCommitList } from '#lib/api/commit.ts';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { commitPath, comparePath } from '#lib/api/paths.ts';
import type { StreamFrame } from '#lib/api/stream.ts';
import { commitDigits } from '#lib/git-host/commit-digits.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { countOf } from '#lib/format/number.ts';
import { parseTime } from '#lib/format/time.ts';
import { useSaidAloud } from '../shell/live/live-region.tsx';
import { PageFrame } from '../shell/page-frame.tsx';
import { uniqueRows, usePagedList } from '../queries/use-paged-list.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { FilterChoice, FilterField, FoldedFilters } from '../ui/list/filters.tsx';
import { ListBody, ListNotices, ListSentence, ShowMore, Without } from '../ui/list/list-page.tsx';
import { useNow } from '../ui/now.tsx';
import { PageLink } from '../ui/page-link.tsx';
import { StickyLine } from '../ui/sticky-line.tsx';
import { LoadAgain } from '../ui/without-script.tsx';
import { CommitTable } from './commit-table.tsx';
import { commitsFilterFrom, commitsParams, setParts, type CommitsFilter } from './commits-filter.ts';
import { RepositoryLines } from './repository-lines.tsx';
import { isOld } from './repository-state.ts';

/** The list as the server sent it with the page, and what it answers. */
export interface SentCommits {
  readonly params: Readonly<Record<string, string>>;
  readonly list: WireCommitList;
}

interface CommitsScreenProps {
  readonly sent: SentCommits;
  readonly summary: WireFleetSummary;
}

/** Repositories with the age of their mirrors, and the commits of a branch with how far each has come. */
export function CommitsScreen({ sent, summary }: CommitsScreenProps) {
  return (
    <PageFrame title="Commits" tab="commits" summary={{ ...summary, asOf: sent.list.asOf }} moment={null}>
      <Commits sent={sent} />
    </PageFrame>
  );
}

const text = parseAsString.withDefault('');
const parsers = { repository: text, branch: text, path: text };

/** A fetch of a mirror changes nothing of the fleet: ticks bring it. */
function hears({ type }: StreamFrame): boolean {
  return type === 'summary' || type === 'reset' || type === 'tick';
}

function Commits({ sent }: Pick<CommitsScreenProps, 'sent'>) {
  const [found, set] = useQueryStates(parsers, { history: 'replace' });
  const filter = commitsFilterFrom(found);
  const params = commitsParams(filter);
  const list = usePagedList({ endpoint: commitsApi, params, sent, hears, cursorParam: 'after' });
  const { first, pages, waiting } = list;
  const rows = uniqueRows(
    pages.flatMap((page) => page.rows),
    ({ sha }) => sha,
  );
  const sentence = useSentence(first);
  useSaidAloud(`${countOf(rows.length, 'commit')} of ${first.of?.branch ?? 'no branch'}`);
  const change = (part: Partial<CommitsFilter>) => void set(part);
  return (
    <>
      <ListSentence>{sentence}</ListSentence>
      <CommitsFilters filter={filter} list={first} change={change} />
      {first.reason !== null && (
        <StickyLine tone="warn">
          {first.reason} <LoadAgain />
        </StickyLine>
      )}
      <ListNotices list={list} partial={[]} />
      <ListBody waiting={waiting}>
        {first.repositories.length === 0 ? (
          first.reason === null && <NoRepository />
        ) : (
          <>
            <RepositoryLines repositories={first.repositories} shown={first.of?.repository ?? ''} />
            <p className="pb-3">
              <PageLink className="link py-1" href={comparePath()} prefetch={false}>
                Compare two directories
              </PageLink>
            </p>
            {rows.length > 0 && <CommitTable rows={rows} />}
            {rows.length === 0 && first.reason === null && (
              <Nothing filter={filter} change={change} more={list.more !== null} />
            )}
            {(rows.length > 0 || list.more !== null) && (
              <p className="flex items-center gap-4 py-3 text-mute">
                <span>
                  {countOf(rows.length, 'commit')}
                  {list.more !== null && ', and more'}
                </span>
                <ShowMore {...list} />
              </p>
            )}
          </>
        )}
      </ListBody>
    </>
  );
}

/** Sentence above the list: of which branch its commits are, and how old what is known of it is. */
function useSentence({ of, repositories, reason }: WireCommitList): string {
  const now = useNow();
  if (of === null) {
    if (repositories.length === 0) return reason === null ? 'No repository is known.' : 'No commit can be told.';
    return 'No commit can be told yet.';
  }
  const repository = repositories.find(({ key }) => key === of.repository);
  const name = of.repository.replace(/^.*\/(?=[^/]+\/[^/]+$)/, '');
  const lead = `Commits of ${of.branch} in ${name}`;
  if (repository === undefined) return `${lead}.`;
  const fetched = parseTime(repository.fetchedAt ?? '');
  return isOld(repository) && fetched !== null ? `${lead}, as of ${formatDuration(now - fetched)} ago.` : `${lead}.`;
}

interface FiltersProps {
  readonly filter: CommitsFilter;
  readonly list: WireCommitList;
  readonly change: (part: Partial<CommitsFilter>) => void;
}

function CommitsFilters({ filter, list: { of, repositories }, change }: FiltersProps) {
  const branches = repositories.find(({ key }) => key === of?.repository)?.branches ?? [];
  return (
    <FoldedFilters first={<ToCommit />}>
      <FilterField label="Path" value={filter.path} onChange={(path) => change({ path })} />
      {repositories.length > 1 && (
        <FilterChoice
          label="Repository"
          value={of?.repository ?? filter.repository}
          offer={repositories.map(({ key }) => key)}
          onChange={(repository) => change({ repository, branch: '' })}
        />
      )}
      <FilterChoice
        label="Branch"
        value={of?.branch ?? filter.branch}
        offer={branches.map(({ name }) => name)}
        onChange={(branch) => change({ branch })}
      />
    </FoldedFilters>
  );
}

/** Leads from a pasted hash to its commit; says what it needs where the text is none. */
function ToCommit() {
  const router = useRouter();
  const [said, setSaid] = useState('');
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const written = new FormData(event.currentTarget).get('sha');
    const digits = commitDigits(typeof written === 'string' ? written : '');
    if (digits === null) setSaid('7 digits of a hash or more');
    else router.push(commitPath(digits));
  }
  return (
    <form onSubmit={submit} className="filter-field wide">
      <label htmlFor="search">Hash</label>
      <input
        id="search"
        name="sha"
        type="search"
        autoComplete="off"
        spellCheck={false}
        placeholder="Is it out?"
        className="placeholder:text-mute"
      />
      <output>{said}</output>
    </form>
  );
}

function Nothing({ filter, change, more }: Omit<FiltersProps, 'list'> & { readonly more: boolean }) {
  const parts = setParts(filter);
  return (
    <div className="py-4">
      <p>
        {filter.path === ''
          ? 'The branch has no commit.'
          : `No commit${more ? ' of the newest 1,000' : ''} touches what ${filter.path} builds from.`}
      </p>
      <Without parts={parts} take={(name) => change({ [name]: '' })} />
    </div>
  );
}

const example = `repositories:
  - url: https://git.example.org/acme/control-repo.git
`;

/** Words where no repository is known: how one comes to be. */
function NoRepository() {
  return (
    <EmptyState title="No source of the fleet names a git repository, and plumbline.yaml names none.">
      <p className="mt-2 text-mute">
        Repositories of GitRepository objects are found by themselves. Name others, or one that needs credentials, in
        plumbline.yaml:
      </p>
      <pre className="mt-2 border border-rule bg-raised p-3 break-all whitespace-pre-wrap">{example}</pre>
    </EmptyState>
  );
}
