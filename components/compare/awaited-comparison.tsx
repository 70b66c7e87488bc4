'use client';

import { useQuery } from '@tanstack/react-query';
import { compareApi } from '#lib/api/git/compare.ts';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { untilAnswered } from '../queries/until-answered.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LoadAgain } from '../ui/without-script.tsx';
import { CompareScreen } from './compare-screen.tsx';
import type { CompareParams } from './compare-params.ts';

interface AwaitedComparisonProps {
  readonly params: CompareParams;
  /** Why the page came without it, in a sentence. */
  readonly reason: string;
  readonly summary: WireFleetSummary;
}

/** The page of a comparison which git was too slow for: it asks itself, until it is answered. */
export function AwaitedComparison({ params, reason, summary }: AwaitedComparisonProps) {
  const { data, error } = useQuery(untilAnswered(compareApi, params));
  if (data !== undefined) return <CompareScreen sent={{ params, page: data }} summary={summary} />;
  return (
    <PageFrame title="Compare" tab="commits" summary={summary}>
      <EmptyState whole title={error?.message ?? reason}>
        <LoadAgain />
      </EmptyState>
    </PageFrame>
  );
}
