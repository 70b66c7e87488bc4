'use client';

import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { commitApi, type WireCommitName, type WireCommitPage } from '#lib/api/commit.ts';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { commitsPath } from '#lib/api/paths.ts';
import { commitSentence } from '#lib/draw/wave/commit-sentence.ts';
import { shortCommit } from '#lib/format/revision.ts';
import { endpointQuery } from '../queries/endpoint-query.ts';
import { useRefetch } from '../queries/use-refetch.ts';
import { cameFromHere } from '../shell/came-from.ts';
import { useKeys } from '../shell/keys/keys.ts';
import { useFeedAge } from '../shell/live/feed-age.ts';
import { useSaidAloud } from '../shell/live/live-region.tsx';
import { useFrames, useLive } from '../shell/live/live.tsx';
import { PageFrame, truthNow } from '../shell/page-frame.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { OldLine } from '../ui/sticky-line.tsx';
import { shownClusters } from './commit-view.ts';
import { CommitBody } from './one/commit-body.tsx';
import { countStates } from './one/environment-table.tsx';

/** The page as the server sent it, and what it answers. */
export interface SentCommit {
  readonly params: Readonly<Record<string, string>>;
  readonly page: WireCommitPage;
  /** The commit before it on its branch; null where that is not known. */
  readonly previous: WireCommitName | null;
}

interface CommitScreenProps {
  readonly sent: SentCommit;
  readonly summary: WireFleetSummary;
}

/** One commit across the fleet, kept current while it is on its way. */
export function CommitScreen({ sent, summary }: CommitScreenProps) {
  return (
    <PageFrame title={null} tab="commits" summary={{ ...summary, asOf: sent.page.asOf }} moment={null}>
      <Commit sent={sent} />
    </PageFrame>
  );
}

const pause = 3000;

const outcomeWords: Readonly<Record<WireCommitPage['outcome'], string>> = {
  arrived: 'Out',
  failed: 'Stuck',
  waiting: 'On its way',
  unknown: 'Not known',
  nothing: 'Concerns nothing',
};

function Commit({ sent: { params, page: first, previous } }: Pick<CommitScreenProps, 'sent'>) {
  const { summary } = useLive();
  const age = useFeedAge();
  const router = useRouter();
  useKeys({ Escape: () => (cameFromHere() ? router.back() : router.push(commitsPath())) });
  const options = endpointQuery(commitApi, params);
  const query = useQuery({ ...options, initialData: first });
  const refetch = useRefetch(options.queryKey, pause);
  const page = query.data;
  useFrames(({ type }) => {
    // Ticks bring what no change of the fleet tells: a fetch of the mirror, an arrival that is proved late.
    if (type === 'reset' || type === 'summary' || (type === 'tick' && page.outcome !== 'arrived')) refetch();
  });
  useSaidAloud(aloud(page));
  return (
    <>
      <PageTitle
        text={`${endWords(page)}: ${shortCommit(page.commit.sha)} ${page.commit.subject}`}
        truth={truthNow(summary, age)}
      />
      <OldLine gone={null} error={query.error} />
      <CommitBody page={page} previous={previous} />
    </>
  );
}

/** The end of a commit in a word or two, for the title. */
function endWords({ outcome, counts }: WireCommitPage): string {
  const onlyLater = outcome === 'failed' && counts.stuck === 0 && counts['failed-later'] > 0;
  return onlyLater ? 'Failed later' : outcomeWords[outcome];
}

/** The answer without lengths of time, which would be said anew every minute. */
function aloud(page: WireCommitPage): string {
  const counts = countStates(shownClusters(page));
  return commitSentence({ counts, clusters: [] }, 0)
    .map(({ text }) => text)
    .join('');
}
