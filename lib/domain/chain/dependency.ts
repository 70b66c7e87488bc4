import type { Observation } from '../observation/observation.ts';
import type { RelatedObject } from '../verdict/subject.ts';
import type { Verdict } from '../verdict/verdict.ts';

const blocking: Readonly<Record<Verdict, boolean>> = {
  diverged: true,
  drifted: false,
  unhealthy: true,
  stale: true,
  unobserved: true,
  suspended: true,
  behind: true,
  waiting: true,
  progressing: false,
  unconfirmed: false,
  converged: false,
};

function blocks(related: RelatedObject): boolean {
  return related.state !== 'present' || (related.judgement !== null && blocking[related.judgement.verdict]);
}

/** The dependency that blocks, worst first: one that is not there or not seen, one with a fault of its own, one that waits itself. */
export function blockingDependency(dependencies: readonly RelatedObject[]): RelatedObject | null {
  let found: RelatedObject | null = null;
  for (const related of dependencies) {
    if (!blocks(related)) continue;
    if (related.state !== 'present') return related;
    if (found?.judgement?.verdict === 'waiting' || !found) found = related;
  }
  return found;
}

/**
 * The dependency that the object's own word names, as both controllers write it: "dependency 'flux-system/crds' is not ready"
 * (kustomize-controller checkDependencies, helm-controller the same). Null where messages are not kept or name none.
 */
function namedDependency(observation: Observation, dependencies: readonly RelatedObject[]): RelatedObject | null {
  const { summary } = observation;
  if (summary.said !== 'bad' || summary.fault !== 'dependency') return null;
  return dependencies.find(({ ref }) => summary.message.includes(`'${ref.namespace}/${ref.name}'`)) ?? null;
}

/** By the object's own word its dependency lacks nothing but what `dependsOn[].readyExpr` asks of it (both controllers). */
export function failsReadyExpr({ summary }: Observation): boolean {
  return summary.said === 'bad' && summary.message.includes('not ready according to readyExpr');
}

/** Dependency that an object which says it waits for one waits for; `blocks`: that it does so is seen there, too. */
export function awaitedDependency(
  observation: Observation,
  dependencies: readonly RelatedObject[],
): { readonly related: RelatedObject; readonly blocks: boolean } | null {
  const named = namedDependency(observation, dependencies);
  if (named && blocks(named)) return { related: named, blocks: true };
  const blocker = blockingDependency(dependencies);
  if (blocker) return { related: blocker, blocks: true };
  const [only, ...others] = dependencies;
  const guess = named ?? (others.length === 0 ? only : undefined);
  return guess ? { related: guess, blocks: false } : null;
}
