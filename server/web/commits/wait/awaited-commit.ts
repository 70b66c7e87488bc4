import type { CommitQuery, WireCommitPage } from '#lib/api/commit.ts';
import { isSettled } from '#lib/api/waiting/settled-commit.ts';
import { second } from '#lib/domain/time/length.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { Caller } from '../../asked.ts';
import type { KnownMoment } from '../../fleet/known-moment.ts';
import { isRefused, refuse, type Refused } from '../../http/problem.ts';
import { commitPage } from '../commit-page.ts';
import { pacedLooks } from './paced-looks.ts';

/** So many may wait at once, and half of them of one listener. */
const mostWaiting = 200;
const mostOfOne = mostWaiting / 2;
const lookEvery = 2 * second;

type Page = WireCommitPage | Refused;

/** Answers of a commit, at once or after it was waited for. */
export interface AwaitedCommits {
  page(moment: KnownMoment, query: CommitQuery, caller: Caller): Promise<Page>;
}

/** Waits for commits by a clock: a commit that no mirror holds yet is waited for too. */
export function awaitedCommits(clock: Clock): AwaitedCommits {
  const waiting = new Map<string, number>();
  const looks = pacedLooks<Page>(clock);
  const stampOf = keptStamp(clock);

  const pause = (): Promise<void> => new Promise((resolve) => void clock.after(lookEvery, resolve));

  async function until(moment: KnownMoment, query: CommitQuery, { by, isGone }: Caller): Promise<Page> {
    const end = clock.now() + query.wait * second;
    const { wait: _wait, ...asked } = query;
    const key = JSON.stringify(asked);
    let [stamp, page]: [string | null, Page | null] = [null, null];
    for (;;) {
      const seen = await stampOf(moment);
      // What git and the fleet tell is the same as at the look before: so is the answer.
      if (page === null || seen !== stamp)
        page = await looks.look({ by, key, stamp: seen }, () => commitPage(moment, query));
      stamp = seen;
      if (isOver(page) || isGone() || clock.now() >= end) return page;
      await pause();
    }
  }

  function count(by: string, more: number): void {
    const now = (waiting.get(by) ?? 0) + more;
    if (now > 0) waiting.set(by, now);
    else waiting.delete(by);
  }

  return {
    async page(moment, query, caller) {
      if (query.wait === 0) return commitPage(moment, query);
      const all = [...waiting.values()].reduce((sum, some) => sum + some, 0);
      if (all >= mostWaiting || (waiting.get(caller.by) ?? 0) >= mostOfOne) return refuse({ type: 'too-many-answers' });
      count(caller.by, 1);
      try {
        return await until(moment, query, caller);
      } finally {
        count(caller.by, -1);
      }
    },
  };
}

/** A word for all that the answers follow from: another one once something has changed. Asked for once a second, however many wait. */
function keptStamp(clock: Clock): (moment: KnownMoment) => Promise<string> {
  let tips: { readonly at: number; readonly text: Promise<string> } | null = null;
  return async (moment) => {
    const now = clock.now();
    if (tips === null || now - tips.at >= second || now < tips.at) tips = { at: now, text: tipsOf(moment) };
    return `${moment.fleet.stamp(now)}\n${await tips.text}`;
  };
}

async function tipsOf({ git }: KnownMoment): Promise<string> {
  const told = await git.repositories();
  return told.type === 'told' ? told.answer.map(({ key, fetchedAt }) => `${key} ${fetchedAt}`).join('\n') : told.reason;
}

/** Nothing more is to be waited for, or the question is wrong. */
function isOver(page: Page): boolean {
  return isRefused(page) ? page.refused.type !== 'not-found' && page.refused.type !== 'not-ready' : isSettled(page);
}
