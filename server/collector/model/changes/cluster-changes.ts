import { boundedMap } from '#server/runtime/bounded-map.ts';
import type { ChangeFact } from '#lib/domain/record/change.ts';
import type { CurrentCluster, CurrentController } from '#lib/domain/record/current.ts';
import { shortText } from './object-changes.ts';

/** So many controllers are remembered, whether they are still there or not: a cluster may name others each time. */
const mostControllers = 10_000;

type Known = Pick<CurrentController, 'holder' | 'transitions' | 'version'>;

/**
 * Another process holds the lease: it has changed hands (the count of leaseTransitions grew), or its holder is another. A count
 * that fell is that of a new Lease, of which nothing is known.
 */
function restarted(before: Known, after: Known): boolean {
  if (before.transitions !== null && after.transitions !== null && before.transitions !== after.transitions)
    return after.transitions > before.transitions;
  return before.holder !== null && after.holder !== null && before.holder !== after.holder;
}

/**
 * Knowledge of a cluster and of its controllers, to tell what was changed: only where it is known before and after.
 * Starts with what the store remembers; null for nothing.
 */
export function createClusterChanges(before: CurrentCluster | null) {
  const known = boundedMap<string, Known>(mostControllers);
  for (const one of before?.controllers ?? []) remember(one);
  let version = before?.version ?? null;

  function remember({ namespace, name, holder, transitions, version: runs }: CurrentController): void {
    const id = `${namespace}/${name}`;
    const former = known.get(id);
    known.set(id, {
      holder: holder ?? former?.holder ?? null,
      transitions: transitions ?? former?.transitions ?? null,
      version: runs ?? former?.version ?? null,
    });
  }

  function controllerFacts(one: CurrentController): readonly ChangeFact[] {
    const former = known.get(`${one.namespace}/${one.name}`);
    remember(one);
    if (!former) return [];
    const named = { namespace: shortText(one.namespace), name: shortText(one.name) };
    const facts: ChangeFact[] = [];
    if (former.version !== null && one.version !== null && former.version !== one.version)
      facts.push({
        type: 'controller-version',
        ...named,
        from: shortText(former.version),
        to: shortText(one.version),
      });
    if (restarted(former, one)) facts.push({ type: 'controller-restarted', ...named });
    return facts;
  }

  return {
    /** Takes the controllers as they are known now. */
    controllers: (now: readonly CurrentController[]): readonly ChangeFact[] => now.flatMap(controllerFacts),
    /** Takes the version of Kubernetes that the API server tells. */
    kubernetes(next: string | null): readonly ChangeFact[] {
      if (next === null) return [];
      const former = version;
      version = next;
      if (former === null || former === next) return [];
      return [{ type: 'kubernetes-version', from: shortText(former), to: shortText(next) }];
    },
  };
}
