import { connection } from 'next/server';
import { AwaitedCommit } from '#components/commits/awaited-commit.tsx';
import { CommitScreen } from '#components/commits/commit-screen.tsx';
import { MissingCommit, SeveralCommits } from '#components/commits/missing-commit.tsx';
import { NoMomentScreen } from '#components/shell/moment/no-moment-screen.tsx';
import { CommitQuery, type WireCommitName, type WireCommitPage } from '#lib/api/commit.ts';
import { commitDigits } from '#lib/git-host/commit-digits.ts';
import { gitIsLate } from '#server/web/git/patience.ts';
import { isRefused, problemOf } from '#server/web/http/problem.ts';
import { requestedMoment } from '#server/web/past/requested-moment.ts';
import { pageIsNotFound, webRuntime } from '#server/web/runtime-global.ts';
import { PastCommit } from './past-commit.tsx';

interface CommitPageProps {
  readonly params: Promise<{ readonly sha: string }>;
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

type Runtime = ReturnType<typeof webRuntime>;

export default async function CommitPage({ params, searchParams }: CommitPageProps) {
  await connection();
  const { sha } = await params;
  const runtime = webRuntime();
  const summary = runtime.summary();
  const digits = commitDigits(sha);
  if (digits === null) {
    pageIsNotFound();
    return <MissingCommit digits={sha} reason={null} summary={summary} />;
  }
  const then = await requestedMoment(runtime, (await searchParams)['at'], { clusters: null });
  if (then.type === 'none') {
    pageIsNotFound();
    return <NoMomentScreen why={then.why} summary={summary} />;
  }
  if (then.moment !== null) return <PastCommit digits={digits} known={then.known} moment={then.moment} />;
  const asking = { sha: digits };
  const { whole } = runtime.patience;
  const page = await whole.inTime(runtime.ask(runtime.endpoints.commit, CommitQuery.parse(asking)));
  if (page === null) return <AwaitedCommit digits={digits} reason={gitIsLate} summary={summary} />;
  if (!isRefused(page)) {
    const previous = await whole.inTime(before(runtime, page));
    return <CommitScreen sent={{ params: asking, page, previous }} summary={summary} />;
  }
  pageIsNotFound();
  const { refused } = page;
  const said = problemOf(refused).detail;
  const several = await named(runtime, said, digits);
  if (several.length > 1) return <SeveralCommits digits={digits} commits={several} summary={summary} />;
  const reason = refused.type === 'not-found' ? null : said;
  return <MissingCommit digits={digits} reason={reason} summary={summary} />;
}

/** The commit before this one on its branch; null where it is on none, or that is not told. */
async function before(runtime: Runtime, { commit, branches }: WireCommitPage): Promise<WireCommitName | null> {
  const [branch] = branches;
  if (branch === undefined) return null;
  const asked = { repository: commit.repository, branch, path: '', after: commit.sha, limit: 1 };
  const list = await runtime.ask(runtime.endpoints.commits, asked);
  return isRefused(list) ? null : (list.rows[0] ?? null);
}

/** The commits whose whole hashes a refusal names: those that were meant, perhaps. */
async function named(runtime: Runtime, said: string, digits: string): Promise<readonly WireCommitName[]> {
  const found = said.match(/\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/g) ?? [];
  // A subject among them may name any other.
  const hashes = found.filter((hash) => hash.startsWith(digits));
  if (hashes.length < 2) return [];
  const names = await runtime.ask(runtime.endpoints.commitNames, { sha: hashes.slice(0, 10).join(',') });
  return isRefused(names) ? [] : names.commits;
}
