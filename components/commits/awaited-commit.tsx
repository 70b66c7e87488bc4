'use client';

import { useQuery } from '@tanstack/react-query';
import { commitApi } from '#lib/api/commit.ts';
import { untilAnswered } from '../queries/until-answered.ts';
import { CommitScreen } from './commit-screen.tsx';
import { MissingCommit, type MissingCommitProps } from './missing-commit.tsx';

interface AwaitedCommitProps extends Pick<MissingCommitProps, 'summary'> {
  /** First digits of its hash. */
  readonly digits: string;
  /** Why the page came without it, in a sentence. */
  readonly reason: string;
}

/** The page of a commit which git was too slow for: it asks itself, until it is answered. */
export function AwaitedCommit({ digits, reason, summary }: AwaitedCommitProps) {
  const params = { sha: digits };
  const { data, error } = useQuery(untilAnswered(commitApi, params));
  if (data !== undefined) return <CommitScreen sent={{ params, page: data, previous: null }} summary={summary} />;
  return <MissingCommit digits={digits} reason={error?.message ?? reason} summary={summary} />;
}
