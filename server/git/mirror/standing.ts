import { foreignUrl } from '#lib/foreign-words.ts';
import type { Log } from '#server/runtime/log.ts';
import { noHistory, openGap, type RepositoryHistory } from '../history/repository-history.ts';
import type { RepositoryState } from '../port/shapes.ts';

/** Knowledge of one repository, from fetch to fetch. Times in ms since the epoch. */
export interface Standing {
  history(): RepositoryHistory;
  /** A fetch begins. */
  tried(at: number): void;
  /** It brought everything. */
  took(history: RepositoryHistory): void;
  /** It brought nothing: `reason` is a sentence, or a clause that says why it cannot be fetched. */
  failed(state: 'failing' | 'refused', reason: string, at: number): void;
  /** The mirror is gone; what happened to the repository is remembered. */
  forget(): void;
  state(): RepositoryState;
  /** Until it is to be tried again (ms). */
  pause(every: number): number;
}

interface Trouble {
  readonly state: 'failing' | 'refused';
  readonly reason: string;
  readonly since: number;
}

const longestPause = 1_800_000;
const mostToldBranches = 100;

/** Begins with what was kept of a repository. */
export function createStanding(
  of: Pick<RepositoryState, 'key' | 'url' | 'origin'>,
  kept: RepositoryHistory,
  log: Log,
): Standing {
  const { key, origin } = of;
  let history = kept;
  let trouble: Trouble | null = null;
  let triedAt: number | null = null;
  let failures = 0;

  return {
    history: () => history,
    tried: (at) => void (triedAt = at),
    took(next) {
      if (trouble !== null) log.info({ repository: key }, 'a repository is fetched again');
      history = next;
      trouble = null;
      failures = 0;
    },
    failed(state, words, at) {
      const reason = words.endsWith('.') ? words : `It cannot be fetched: ${words}.`;
      if (trouble?.reason !== reason) log.warn({ repository: key, reason }, 'a repository is not fetched');
      trouble = { state, reason, since: trouble?.since ?? at };
      failures += 1;
      history = openGap(history, history.fetchedAt ?? trouble.since, reason);
    },
    forget() {
      history = { ...noHistory(key), rewritten: history.rewritten, gaps: history.gaps };
    },
    state: () => ({
      key,
      url: foreignUrl(of.url),
      origin,
      state: trouble?.state ?? (history.fetchedAt === null ? 'first-fetch' : 'current'),
      reason: trouble?.reason ?? null,
      fetchedAt: history.fetchedAt,
      triedAt,
      failingSince: trouble?.since ?? null,
      defaultBranch: history.defaultBranch,
      branches: history.branches.slice(0, mostToldBranches),
      bytes: history.bytes,
      rewritten: history.rewritten,
      gaps: history.gaps,
    }),
    pause: (every) => (failures === 0 ? every : Math.min(longestPause, every * 2 ** Math.min(failures - 1, 10))),
  };
}
