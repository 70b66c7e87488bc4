'use client';

import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { commitNamesApi, isWholeHash, type WireCommitName } from '#lib/api/commit.ts';
import { hour, minute, second } from '#lib/domain/time/length.ts';
import { getJson } from './endpoint-query.ts';

/** So many hashes go into one question. */
const mostAtOnce = 100;
/** Hashes that are asked for within so many ms go together. */
const gathering = 10;
/** A commit that no mirror holds is asked for again so often: its mirror may be about to fetch it. */
const mostTries = 10;

interface Asked {
  readonly sha: string;
  readonly resolve: (name: WireCommitName | null) => void;
  readonly reject: (error: unknown) => void;
}

const gathered = new WeakMap<QueryClient, Asked[]>();

/**
 * Name of a commit by its whole hash; null while it is not told, of what no mirror holds, and of what is no whole hash. All commits of a
 * screen are asked for together.
 */
export function useCommitName(commit: string | null): WireCommitName | null {
  const client = useQueryClient();
  const sha = commit !== null && isWholeHash(commit) ? commit : null;
  const { data } = useQuery({
    queryKey: commitNameKey(sha),
    queryFn: () => (sha === null ? null : askTogether(client, sha)),
    enabled: sha !== null,
    staleTime: ({ state }) => (state.data === null ? minute : hour),
    gcTime: hour,
    refetchInterval: ({ state }) => (state.data === null && state.dataUpdateCount < mostTries ? minute : false),
  });
  return data ?? null;
}

/** Names that were told already, without a question. */
export function useToldNames(): (commit: string | null) => WireCommitName | null {
  const client = useQueryClient();
  return (commit) => client.getQueryData<WireCommitName | null>(commitNameKey(commit)) ?? null;
}

/** Key of a name in the cache of queries. */
export function commitNameKey(sha: string | null): readonly [string, string | null] {
  return [commitNamesApi.path, sha];
}

function askTogether(client: QueryClient, sha: string): Promise<WireCommitName | null> {
  return new Promise((resolve, reject) => {
    const open = gathered.get(client);
    if (open !== undefined) {
      open.push({ sha, resolve, reject });
      return;
    }
    const all: Asked[] = [{ sha, resolve, reject }];
    gathered.set(client, all);
    setTimeout(() => {
      gathered.delete(client);
      for (let from = 0; from < all.length; from += mostAtOnce) void ask(all.slice(from, from + mostAtOnce));
    }, gathering);
  });
}

async function ask(asked: readonly Asked[]): Promise<void> {
  try {
    const shas = [...new Set(asked.map(({ sha }) => sha))].toSorted().join(',');
    const { commits } = await getJson(commitNamesApi, { sha: shas }, AbortSignal.timeout(20 * second));
    const names = new Map(commits.map((name) => [name.sha, name]));
    for (const { sha, resolve } of asked) resolve(names.get(sha) ?? null);
  } catch (error) {
    for (const { reject } of asked) reject(error);
  }
}
