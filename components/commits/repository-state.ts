import type { WireRepository } from '#lib/api/commit.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { parseTime } from '#lib/format/time.ts';

type MirrorState = Pick<WireRepository, 'state' | 'reason' | 'fetchedAt' | 'failingSince'>;

/** Mirror in words at a time (ms): its age, or why it has none or is not current, and since when. */
export function mirrorText({ state, reason, fetchedAt, failingSince }: MirrorState, now: number): string {
  const fetched = parseTime(fetchedAt ?? '');
  const since = parseTime(failingSince ?? '');
  const age = fetched === null ? 'never fetched' : `fetched ${formatDuration(now - fetched)} ago`;
  const why = reason === null ? '' : `: ${reason.replace(/\.$/, '')}`;
  switch (state) {
    case 'current':
      return age;
    case 'first-fetch':
      return 'being fetched for the first time';
    case 'failing':
      return `${age}; fails${since === null ? '' : ` for ${formatDuration(now - since)}`}${why}`;
    case 'refused':
      return `not fetched${why}`;
  }
}

/** True if what is told of a repository is older than its last commits may be: it is not fetched now. */
export function isOld({ state }: MirrorState): boolean {
  return state === 'failing' || state === 'refused';
}
