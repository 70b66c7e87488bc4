import type { CommitQuery, WireCommitPage } from '#lib/api/commit.ts';
import { isSettled } from '#lib/api/waiting/settled-commit.ts';
import { second } from '#lib/domain/time/length.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { isRefused, refuse, type Refused } from '../http/problem.ts';
import { commitPage } from './commit-page.ts';

/** So many may wait at once. */
const mostWaiting = 200;
const lookEvery = 2 * second;

/** Answers of a commit, at once or after it was waited for. */
export interface AwaitedCommits {
  page(moment: KnownMoment, query: CommitQuery, isGone: () => boolean): Promise<WireCommitPage | Refused>;
}

/** Waits for commits by a clock: a commit that no mirror holds yet is waited for too. */
export function awaitedCommits(clock: Clock): AwaitedCommits {
  let waiting = 0;

  const pause = (): Promise<void> => new Promise((resolve) => void clock.after(lookEvery, resolve));

  async function until(
    moment: KnownMoment,
    query: CommitQuery,
    isGone: () => boolean,
  ): Promise<WireCommitPage | Refused> {
    const end = clock.now() + query.wait * second;
    let stamp: string | null = null;
    let page: WireCommitPage | Refused | null = null;
    for (;;) {
      const seen = await stampOf(moment);
      // What git and the fleet tell is the same as at the look before: so is the answer.
      if (page === null || seen !== stamp) page = await commitPage(moment, query);
      stamp = seen;
      if (isOver(page) || isGone() || clock.now() >= end) return page;
      await pause();
    }
  }

  return {
    async page(moment, query, isGone) {
      if (query.wait === 0) return commitPage(moment, query);
      if (waiting >= mostWaiting) return refuse({ type: 'too-many-answers' });
      waiting += 1;
      try {
        return await until(moment, query, isGone);
      } finally {
        waiting -= 1;
      }
    },
  };
}

async function stampOf(moment: KnownMoment): Promise<string> {
  const told = await moment.git.repositories();
  const tips =
    told.type === 'told' ? told.answer.map(({ key, fetchedAt }) => `${key} ${fetchedAt}`).join('\n') : told.reason;
  return `${moment.fleet.stamp(moment.now())}\n${tips}`;
}

/** Nothing more is to be waited for, or the question is wrong. */
function isOver(page: WireCommitPage | Refused): boolean {
  return isRefused(page) ? page.refused.type !== 'not-found' && page.refused.type !== 'not-ready' : isSettled(page);
}
