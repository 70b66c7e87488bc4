import { CommitThen } from '#components/commits/commit-then.tsx';
import { MissingCommit } from '#components/commits/missing-commit.tsx';
import { CommitArrivalsQuery } from '#lib/api/git/commit-arrivals.ts';
import type { Moment } from '#lib/api/moment.ts';
import { gitIsLate } from '#server/web/git/patience.ts';
import { isRefused, problemOf } from '#server/web/http/problem.ts';
import { pageIsNotFound, webRuntime } from '#server/web/runtime-global.ts';
import type { PageMoment } from '#server/web/web-runtime.ts';

interface PastCommitProps {
  readonly digits: string;
  readonly known: PageMoment;
  readonly moment: Moment;
}

/** A commit at a past moment. */
export async function PastCommit({ digits, known, moment }: PastCommitProps) {
  const { endpoints, patience } = webRuntime();
  const summary = await known.summary();
  const asked = known.ask(endpoints.commitArrivals, CommitArrivalsQuery.parse({ sha: digits }));
  const answer = await patience.whole.inTime(asked);
  if (answer !== null && isRefused(answer)) {
    pageIsNotFound();
    const { refused } = answer;
    const reason = refused.type === 'not-found' ? null : problemOf(refused).detail;
    return <MissingCommit digits={digits} reason={reason} summary={summary} moment={moment} />;
  }
  const sent = answer === null ? { answer, reason: gitIsLate } : { answer };
  return <CommitThen digits={digits} moment={moment} sent={sent} summary={summary} />;
}
