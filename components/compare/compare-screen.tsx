'use client';

import './compare.css';
import { useQuery } from '@tanstack/react-query';
import { parseAsString, useQueryStates } from 'nuqs';
import { compareApi, type WireComparePage } from '#lib/api/git/compare.ts';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { shortCommit } from '#lib/format/revision.ts';
import { endpointQuery } from '../queries/endpoint-query.ts';
import { useRefetch } from '../queries/use-refetch.ts';
import { useSaidAloud } from '../shell/live/live-region.tsx';
import { useFrames } from '../shell/live/live.tsx';
import { PageFrame } from '../shell/page-frame.tsx';
import { ListSentence } from '../ui/list/list-page.tsx';
import { MirrorAge } from '../ui/lag.tsx';
import { OldLine, StickyLine } from '../ui/sticky-line.tsx';
import { CompareForm } from './compare-form.tsx';
import { ComparedFiles } from './compared-files.tsx';
import { compareParams, type CompareParams } from './compare-params.ts';
import { DirectoryPairs } from './directory-pairs.tsx';
import { FileDiff } from './file-diff.tsx';

/** The page as the server sent it, and what it answers. */
interface SentComparison {
  readonly params: CompareParams;
  readonly page: WireComparePage;
}

interface CompareScreenProps {
  readonly sent: SentComparison;
  readonly summary: WireFleetSummary;
}

/** Two directories of a repository beside each other, or the pairs that may be laid so. */
export function CompareScreen({ sent, summary }: CompareScreenProps) {
  return (
    <PageFrame title="Compare" tab="commits" summary={{ ...summary, asOf: sent.page.asOf }}>
      <Compare sent={sent} />
    </PageFrame>
  );
}

const pause = 5_000;

const text = parseAsString.withDefault('');
const parsers = {
  ...{ repository: text, left: text, right: text, leftAt: text, rightAt: text },
  ...{ only: text, file: text },
};

function Compare({ sent }: Pick<CompareScreenProps, 'sent'>) {
  const [found] = useQueryStates(parsers);
  const params = compareParams(found);
  const options = endpointQuery(compareApi, params);
  const same = JSON.stringify(params) === JSON.stringify(sent.params);
  const query = useQuery({ ...options, ...(same ? { initialData: sent.page } : { placeholderData: sent.page }) });
  const refetch = useRefetch(options.queryKey, pause);
  useFrames(({ type }) => {
    if (type === 'summary' || type === 'reset') refetch();
  });
  const page = query.data ?? sent.page;
  const { comparison, diff, reason, mirroredAt } = page;
  const sentence = sentenceOf(page);
  useSaidAloud(sentence);
  return (
    <>
      <ListSentence>{sentence}</ListSentence>
      <CompareForm key={JSON.stringify(params)} params={params} page={page} />
      <OldLine gone={null} error={query.error} />
      {reason !== null && <StickyLine tone="warn">{reason}</StickyLine>}
      <div className="compare" aria-busy={query.isPlaceholderData}>
        {comparison === null ? (
          <DirectoryPairs page={page} />
        ) : (
          <>
            {diff !== null && <FileDiff diff={diff} comparison={comparison} params={params} />}
            <ComparedFiles comparison={comparison} params={params} />
          </>
        )}
        {mirroredAt !== null && (
          <p className="py-3 text-mute">
            As of the <MirrorAge at={mirroredAt} />. Verdicts are those of now.
          </p>
        )}
      </div>
    </>
  );
}

/** The answer in a sentence: how many files differ between which directories, at which commits. */
function sentenceOf({ comparison, pairs }: WireComparePage): string {
  if (comparison === null)
    return pairs.length === 0
      ? 'Compare two directories, or one at two commits.'
      : `${countOf(pairs.length, 'pair')} of directories can be compared.`;
  const { left, right, counts } = comparison;
  const sides = left.path === right.path ? left.path : `${left.path} and ${right.path}`;
  const at =
    left.commit.sha === right.commit.sha
      ? `at ${shortCommit(left.commit.sha)}`
      : `at ${shortCommit(left.commit.sha)} and ${shortCommit(right.commit.sha)}`;
  const missing = [left, right].filter(({ exists }) => !exists);
  if (missing.length > 0)
    return `There is no ${missing.map(({ path, commit }) => `${path} at ${shortCommit(commit.sha)}`).join(', and no ')}.`;
  const { equal, different, leftOnly, rightOnly } = counts;
  if (different + leftOnly + rightOnly === 0) return `${sides} ${at}: all ${countOf(equal, 'file')} are equal.`;
  const parts = [
    different > 0 && countOf(different, 'file differs', 'files differ'),
    leftOnly > 0 && `${formatCount(leftOnly)} only left`,
    rightOnly > 0 && `${formatCount(rightOnly)} only right`,
    `${formatCount(equal)} equal`,
  ];
  return `${sides} ${at}: ${parts.filter((part) => part !== false).join(', ')}.`;
}
