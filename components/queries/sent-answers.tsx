'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { lagApi, type WireCommitNames, type WireLagList } from '#lib/api/commit.ts';
import { endpointQuery } from './endpoint-query.ts';
import { commitNameKey } from './use-commit-name.ts';

/** Answers of git that came with a page; null where none came in time. */
export interface SentGit {
  readonly names: WireCommitNames | null;
  readonly lag: { readonly params: Readonly<Record<string, string>>; readonly list: WireLagList } | null;
}

/** Has what came with the page at hand for all within it, so that nothing of it is asked for, and all is there without JavaScript. */
export function SentAnswers({ sent, children }: { readonly sent: SentGit; readonly children: ReactNode }) {
  const client = useQueryClient();
  useState(() => {
    const put = (queryKey: readonly unknown[], data: unknown) => {
      // What is shown already is not changed while something is drawn.
      if (client.getQueryCache().find({ queryKey, exact: true }) === undefined) client.setQueryData(queryKey, data);
    };
    for (const name of sent.names?.commits ?? []) put(commitNameKey(name.sha), name);
    for (const sha of sent.names?.unknown ?? []) put(commitNameKey(sha), null);
    if (sent.lag !== null) put(endpointQuery(lagApi, sent.lag.params).queryKey, sent.lag.list);
  });
  return children;
}
