import type { Observation } from './observation.ts';
import type { Standing } from './subject.ts';
import type { Verdict } from './verdict.ts';

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

function blocks(standing: Standing): boolean {
  return standing.state !== 'present' || (standing.judgement !== null && blocking[standing.judgement.verdict]);
}

/** The dependency that blocks, worst first: one that is not there or not seen, one with a fault of its own, one that waits itself. */
export function blockingDependency(dependencies: readonly Standing[]): Standing | null {
  let found: Standing | null = null;
  for (const standing of dependencies) {
    if (!blocks(standing)) continue;
    if (standing.state !== 'present') return standing;
    if (found?.judgement?.verdict === 'waiting' || !found) found = standing;
  }
  return found;
}

/**
 * The dependency that the object's own word names, as both controllers write it: "dependency 'flux-system/crds' is not ready"
 * (kustomize-controller checkDependencies, helm-controller the same). Null where messages are not kept or name none.
 */
function namedDependency(observation: Observation, dependencies: readonly Standing[]): Standing | null {
  const { word } = observation;
  if (word.said !== 'bad' || word.fault !== 'dependency') return null;
  return dependencies.find(({ ref }) => word.message.includes(`'${ref.namespace}/${ref.name}'`)) ?? null;
}

/** By the object's own word its dependency lacks nothing but what `dependsOn[].readyExpr` asks of it (both controllers). */
export function failsReadyExpr({ word }: Observation): boolean {
  return word.said === 'bad' && word.message.includes('not ready according to readyExpr');
}

/** What an object that says it waits for a dependency waits for; `blocks`: that it does so is seen there, too. */
export function awaitedDependency(
  observation: Observation,
  dependencies: readonly Standing[],
): { readonly standing: Standing; readonly blocks: boolean } | null {
  const named = namedDependency(observation, dependencies);
  if (named && blocks(named)) return { standing: named, blocks: true };
  const blocker = blockingDependency(dependencies);
  if (blocker) return { standing: blocker, blocks: true };
  const [only, ...others] = dependencies;
  const guess = named ?? (others.length === 0 ? only : undefined);
  return guess ? { standing: guess, blocks: false } : null;
}
