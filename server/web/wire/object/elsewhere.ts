import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { WireObjectPage } from '#lib/api/object.ts';
import { failsLike } from '#lib/domain/cause/failing-alike.ts';
import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import { sameRef } from '#lib/domain/observation/ref.ts';
import { commitOf } from '#lib/domain/observation/revision.ts';
import type { KnownCluster } from '../../cache/known-cluster.ts';

function triedBy(object: KnownObject): string | null {
  return commitOf(object.revision.attempted, object.source?.kind ?? null);
}

/** The commit at which an object is known to have failed first; null where it had worked at that one, which then tells nothing. */
function failedAt({ range, source }: KnownObject): string | null {
  if (range === null || range.firstBad === range.lastGood) return null;
  return commitOf(range.firstBad, source?.kind ?? null);
}

/**
 * State of the same name on other clusters, and of those that run or try the same commit of the same repository: the first at
 * which the object is known to have failed, else the one that it tries or runs. Only here, or everywhere?
 */
export function elsewhereOf(object: KnownObject, namesakes: readonly KnownObject[]): WireObjectPage['elsewhere'] {
  const commit = failedAt(object) ?? triedBy(object) ?? object.commit;
  const alike = namesakes.filter(
    (other) =>
      commit !== null &&
      other.repository === object.repository &&
      (other.commit === commit || triedBy(other) === commit),
  );
  const converged = (objects: readonly KnownObject[]): number =>
    objects.filter(({ verdict }) => verdict === 'converged').length;
  return {
    clusters: namesakes.length,
    converged: converged(namesakes),
    atCommit:
      commit === null
        ? null
        : {
            commit,
            clusters: alike.length,
            converged: converged(alike),
            away: alike.filter(({ verdict }) => isAway(verdict)).length,
          },
  };
}

/**
 * Objects elsewhere in the fleet that fail like this one (`likenesses`), those of the same name first. [] for an object that does
 * not fail.
 */
export function alikeOf(object: KnownObject, fleet: readonly KnownCluster[]): readonly KnownObject[] {
  if (!isAway(object.verdict) || object.verdict === 'progressing') return [];
  const isAlike = failsLike(object);
  const found = fleet.flatMap(({ deviating }) =>
    deviating.filter((other) => !sameRef(other.ref, object.ref) && isAlike(other)),
  );
  const named = (other: KnownObject): boolean => other.ref.name === object.ref.name;
  return [...found.filter(named), ...found.filter((other) => !named(other))];
}
