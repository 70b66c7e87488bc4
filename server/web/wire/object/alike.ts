import type { CurrentObject } from '#lib/domain/record/current.ts';
import { failsLike } from '#lib/domain/cause/failing-alike.ts';
import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import { sameRef } from '#lib/domain/observation/ref.ts';
import type { KnownCluster } from '../../cache/known-cluster.ts';

/**
 * Objects elsewhere in the fleet that fail like this one (`likenesses`), those of the same name first. [] for an object that does
 * not fail.
 */
export function alikeOf(object: CurrentObject, fleet: readonly KnownCluster[]): readonly CurrentObject[] {
  if (!isAway(object.verdict) || object.verdict === 'progressing') return [];
  const isAlike = failsLike(object);
  const found = fleet.flatMap(({ deviating }) =>
    deviating.filter((other) => !sameRef(other.ref, object.ref) && isAlike(other)),
  );
  const named = (other: CurrentObject): boolean => other.ref.name === object.ref.name;
  return [...found.filter(named), ...found.filter((other) => !named(other))];
}
