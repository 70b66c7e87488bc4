import type { WireObjectPage } from '#lib/api/object.ts';
import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import { countOf } from '#lib/format/number.ts';
import { shortCommit } from '#lib/format/revision.ts';

type Elsewhere = Pick<WireObjectPage, 'object' | 'elsewhere'>;

/** Sentence on the same object on the other clusters that have it: is this only here, or everywhere? */
export function elsewhereSentence(page: Elsewhere): string {
  const { object, elsewhere } = page;
  const { clusters, converged } = elsewhere;
  if (clusters === 0) return 'No other cluster has it.';
  if (object.verdict !== 'converged') {
    const atCommit = atCommitSentence(page);
    if (atCommit !== null) return atCommit;
  }
  const others = countOf(clusters, 'other cluster');
  const good = object.verdict === 'converged';
  if (converged === clusters) {
    const all = clusters === 1 ? 'the other cluster' : `the ${others}`;
    return good ? `Converged on ${all} too.` : `Only here: converged on ${all}.`;
  }
  if (converged === 0) {
    return clusters === 1 ? 'Not converged on the other cluster.' : `Converged on none of ${others}.`;
  }
  return `Converged on ${converged} of ${others}.`;
}

/** Sentence on the others that run or try the same commit; null where there are none. */
function atCommitSentence({ object, elsewhere: { atCommit } }: Elsewhere): string | null {
  if (atCommit === null || atCommit.clusters === 0) return null;
  const { clusters, converged, away } = atCommit;
  const commit = shortCommit(atCommit.commit);
  const others = countOf(clusters, 'other cluster');
  if (converged === clusters)
    return clusters === 1
      ? `Only here: converged on the other cluster at ${commit}.`
      : `Only here: converged on the ${others} at ${commit}.`;
  const cannotBeSaid = clusters - converged - away;
  const rest = cannotBeSaid === 0 ? '' : `; not confirmed on ${cannotBeSaid}`;
  if (isAway(object.verdict) && away === clusters) return `Away from git on all ${clusters + 1} clusters at ${commit}.`;
  if (isAway(object.verdict) && away > 0)
    return `Away from git on ${away + 1} of ${clusters + 1} clusters at ${commit}${rest}.`;
  return `Converged on ${converged} of ${others} at ${commit}${rest}.`;
}
