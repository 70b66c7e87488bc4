import { formatDuration } from '../duration.ts';
import { parseTime } from '../time.ts';

/** Parts of a commit's name; `at` is RFC 3339. */
interface CommitName {
  readonly subject: string;
  readonly author: string;
  readonly at: string;
}

/** A commit beside its hash: "checkout: split the ingress, Ines Duarte, 30 min ago". `now` in ms. */
export function commitTitle(name: CommitName, now: number): string {
  return `${name.subject}, ${name.author}, ${commitAge(name, now)}`;
}

/** Time since it was committed, by the clock of who did: "30 min ago". `now` in ms. */
export function commitAge({ at }: Pick<CommitName, 'at'>, now: number): string {
  const committed = parseTime(at);
  return committed === null ? at : `${formatDuration(now - committed)} ago`;
}
