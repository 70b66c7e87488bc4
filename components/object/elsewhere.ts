import type { WireObjectPage } from '#lib/api/object.ts';
import { countOf } from '#lib/format/number.ts';

/** How the same object fares on the other clusters that have it, in one sentence: is this only here, or everywhere? */
export function elsewhereSentence({ object, elsewhere }: Pick<WireObjectPage, 'object' | 'elsewhere'>): string {
  const { clusters, converged } = elsewhere;
  if (clusters === 0) return 'No other cluster has it.';
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
