import type { WireObjectPage } from '#lib/api/object.ts';
import { isAway } from '#lib/domain/guarantee.ts';
import { countOf } from '#lib/format/number.ts';
import { shortCommit } from '#lib/format/revision.ts';

type Elsewhere = Pick<WireObjectPage, 'object' | 'elsewhere'>;

/** How the same object fares on the other clusters that have it, in one sentence: is this only here, or everywhere? */
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
    if (good)
      return clusters === 1 ? 'So it is on the other cluster that has it.' : `So it is on ${others} that have it.`;
    return clusters === 1
      ? 'Only here: the other cluster runs it converged.'
      : `Only here: ${others} run it converged.`;
  }
  if (converged === 0) {
    return clusters === 1
      ? 'The other cluster that has it does not have it converged.'
      : `None of ${others} has it converged.`;
  }
  return `${converged} of ${others} ${converged === 1 ? 'has' : 'have'} it converged.`;
}

/** How the others fare that run or try the same commit; null where none does. */
function atCommitSentence({ object, elsewhere: { atCommit } }: Elsewhere): string | null {
  if (atCommit === null || atCommit.clusters === 0) return null;
  const { clusters, converged, away } = atCommit;
  const commit = shortCommit(atCommit.commit);
  const others = countOf(clusters, 'other cluster');
  if (converged === clusters)
    return clusters === 1
      ? `Only here: the other cluster at ${commit} is converged.`
      : `Only here: ${others} run ${commit}, all converged.`;
  const cannotBeSaid = clusters - converged - away;
  const rest = cannotBeSaid === 0 ? '' : `; of ${cannotBeSaid} that cannot be said`;
  if (isAway(object.verdict) && away === clusters)
    return `Everywhere: so it is on all ${clusters + 1} clusters at ${commit}.`;
  if (isAway(object.verdict) && away > 0)
    return `So it is on ${away + 1} of ${clusters + 1} clusters at ${commit}${rest}.`;
  return `${converged} of ${others} at ${commit} ${converged === 1 ? 'is' : 'are'} converged${rest}.`;
}
