'use client';

import '../commits.css';
import './commit.css';
import type { WireCommitName, WireCommitPage } from '#lib/api/commit.ts';
import { commitsPath } from '#lib/api/paths.ts';
import { minute } from '#lib/domain/time/length.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { shortCommit } from '#lib/format/revision.ts';
import { parseTime } from '#lib/format/time.ts';
import { useFeedAge } from '../../shell/live/feed-age.ts';
import { useNow } from '../../ui/now.tsx';
import { Page, PageHeader, Say } from '../../ui/page/page.tsx';
import { PageLink as Link } from '../../ui/page-link.tsx';
import { StickyLine } from '../../ui/sticky-line.tsx';
import { Duration } from '../../ui/time.tsx';
import { shownClusters, type ShownCluster } from '../commit-view.ts';
import { ClustersSection } from './clusters-section.tsx';
import { CommitFacts } from './commit-facts.tsx';
import { commitSentence } from '#lib/draw/wave/commit-sentence.ts';
import { countStates, EnvironmentTable } from './environment-table.tsx';
import { NotConcerned } from './not-concerned.tsx';
import { RolloutWave } from './rollout-wave.tsx';
import { StandingLink } from './standing-link.tsx';

interface CommitBodyProps {
  readonly page: WireCommitPage;
  /** The commit before it on its branch; null where that is not known. */
  readonly previous: WireCommitName | null;
}

/** A commit across the fleet: is it out, what it is, how it came from cluster to cluster, and where it is stuck. */
export function CommitBody({ page, previous }: CommitBodyProps) {
  const { commit, counts } = page;
  const now = useNow();
  const committedAt = parseTime(commit.at) ?? 0;
  const clusters = shownClusters(page);
  return (
    <>
      <Notices page={page} now={now} />
      <Page>
        <nav aria-label="Where this is" className="pt-3 text-mute [&_a:hover]:text-ink">
          <Link href={commitsPath()}>commits</Link> / <code>{shortCommit(commit.sha)}</code>
        </nav>
        <PageHeader>
          <h1>{commit.subject}</h1>
          <span className="text-mute">
            {commit.author}, <Duration since={commit.at} /> ago
          </span>
        </PageHeader>
        <Answer clusters={clusters} />
        <CommitFacts page={page} previous={previous} />
        {clusters.length > 0 && (
          <>
            <RolloutWave clusters={clusters} committedAt={committedAt} knownAt={now} />
            <EnvironmentTable clusters={clusters} committedAt={committedAt} />
            <ClustersSection clusters={clusters} committedAt={committedAt} />
          </>
        )}
        <NotConcerned sha={commit.sha} count={counts['not-concerned']} />
      </Page>
    </>
  );
}

/** A mirror that is older (ms) is not fetched as it should be. */
const oldMirror = 10 * minute;

/** Notices to know before believing the page: that the mirror is old, that no branch holds the commit any more. */
function Notices({ page: { branches, mirroredAt }, now }: Pick<CommitBodyProps, 'page'> & { readonly now: number }) {
  const age = now - (parseTime(mirroredAt) ?? now);
  return (
    <>
      {age > oldMirror && (
        <StickyLine tone="warn">
          The mirror of its repository is {formatDuration(age)} old: what came after is not known.
        </StickyLine>
      )}
      {branches.length === 0 && (
        <StickyLine tone="warn">
          No branch that is followed holds this commit: it was never merged, or its history was rewritten.
        </StickyLine>
      )}
    </>
  );
}

/** Is it out? Every number leads to the clusters that it counts. */
function Answer({ clusters }: { readonly clusters: readonly ShownCluster[] }) {
  const now = useNow();
  const dead = useFeedAge() === 'dead';
  const pieces = commitSentence({ counts: countStates(clusters), clusters }, now);
  return (
    <Say>
      {dead && <span className="font-semibold">This cannot be said now. Last known: </span>}
      {pieces.map(({ text, state }) =>
        state === null ? (
          <span key={text}>{text}</span>
        ) : (
          <b key={text + state}>
            <StandingLink state={state} inText>
              {text}
            </StandingLink>
          </b>
        ),
      )}
    </Say>
  );
}
