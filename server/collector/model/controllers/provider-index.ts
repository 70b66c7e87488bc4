import type { Observation } from '#lib/domain/observation/observation.ts';
import type { RefKey } from '#lib/domain/observation/ref.ts';

/** Which package revision runs which kind of managed resource on one cluster. */
export interface ProviderIndex {
  /** Notes a package revision; tells whether what it provides changed. Other objects change nothing. */
  note(key: RefKey, observation: Observation): boolean;
  /** Forgets a package that is gone; tells whether anything was provided by it. */
  forget(key: RefKey): boolean;
  /** The revision behind a managed resource's "plural.group"; null where none is known to run it. */
  providerOf(observation: Observation, resource: string | null): RefKey | null;
}

/** Starts with no package known. */
export function createProviderIndex(): ProviderIndex {
  const provided = new Map<RefKey, string>();
  const owners = new Map<string, RefKey>();

  function rebuild(): void {
    owners.clear();
    for (const [key, names] of provided) for (const name of names.split('\n')) owners.set(name, key);
  }

  return {
    note(key, observation) {
      if (observation.role !== 'package') return false;
      const names = observation.provides.toSorted().join('\n');
      if ((provided.get(key) ?? '') === names) return false;
      if (names === '') provided.delete(key);
      else provided.set(key, names);
      rebuild();
      return true;
    },
    forget(key) {
      const known = provided.delete(key);
      if (known) rebuild();
      return known;
    },
    providerOf(observation, resource) {
      return observation.role === 'managed' && resource !== null ? (owners.get(resource) ?? null) : null;
    },
  };
}
