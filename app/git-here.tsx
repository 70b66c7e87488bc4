import type { ReactNode } from 'react';
import { SentAnswers } from '#components/queries/sent-answers.tsx';
import { sent } from '#server/web/sent.ts';
import { webRuntime } from '#server/web/runtime-global.ts';

interface GitHereProps {
  /** Answers that the page shows: the commits in them are named. */
  readonly of: unknown;
  /** Parameters of the lag that it shows; null for none. */
  readonly lag?: Readonly<Record<string, string>> | null;
  readonly children: ReactNode;
}

const mostNamed = 100;

/** A page with what git tells of it in time: names of its commits, its lag. What did not come the page asks for itself. */
export async function GitHere({ of, lag = null, children }: GitHereProps) {
  const runtime = webRuntime();
  const { patience, endpoints } = runtime;
  const { commitNames, lag: lags } = endpoints;
  const found = JSON.stringify(of)?.match(/\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/g) ?? [];
  const shas = [...new Set(found)].slice(0, mostNamed);
  const [names, list] = await Promise.all([
    shas.length === 0 ? null : patience.beside.inTime(sent(runtime, commitNames, { sha: shas.join(',') })),
    lag === null ? null : patience.beside.inTime(sent(runtime, lags, lag)),
  ]);
  const told = lag === null || !list?.answer ? null : { params: lag, list: list.answer };
  return <SentAnswers sent={{ names: names?.answer ?? null, lag: told }}>{children}</SentAnswers>;
}
