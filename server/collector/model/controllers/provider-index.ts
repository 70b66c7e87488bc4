import type { Observation } from '#lib/domain/observation/observation.ts';
import type { RefKey } from '#lib/domain/observation/ref.ts';

/** Which package revision runs which kind of managed resource on one cluster. Starts with no package known. */
export function createProviderIndex() {
  const provided = new Map<RefKey, string>();
  const owners = new Map<string, RefKey>();

  function rebuild(): void {
    owners.clear();
    for (const [key, names] of provided) for (const name of names.split('\n')) owners.set(name, key);
  }

  return {
    /** Notes a package revision; tells whether what it provides changed. Other objects change nothing. */
    note(key: RefKey, observation: Observation): boolean {
      if (observation.role !== 'package') return false;
      const names = observation.provides.toSorted().join('\n');
      if ((provided.get(key) ?? '') === names) return false;
      if (names === '') provided.delete(key);
      else provided.set(key, names);
      rebuild();
      return true;
    },
    /** Forgets a package that is gone; tells whether anything was provided by it. */
    forget(key: RefKey): boolean {
      const known = provided.delete(key);
      if (known) rebuild();
      return known;
    },
    /** The revision behind a managed resource's "plural.group"; null where none is known to run it. */
    providerOf(observation: Observation, resource: string | null): RefKey | null {
      return observation.role === 'managed' && resource !== null ? (owners.get(resource) ?? null) : null;
    },
  };
}
