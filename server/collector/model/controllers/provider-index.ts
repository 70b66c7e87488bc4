import type { Observation } from '#lib/domain/observation/observation.ts';
import { type GroupKind, kindKey, type RefKey } from '#lib/domain/observation/ref.ts';

/** Which package revision runs which kind of managed resource on one cluster. Starts with no package known. */
export function createProviderIndex() {
  const provided = new Map<RefKey, string>();
  const owners = new Map<string, RefKey>();
  /** The plurals of kinds, as discovery names them. */
  const resources = new Map<string, string>();

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
    /** The plural of a kind, as discovery names it. */
    nameResource: (kind: GroupKind, resource: string): void => void resources.set(kindKey(kind), resource),
    /** The revision that runs the kind of a managed resource, by its "plural.group"; null where none is known to. */
    providerOf({ role, ref }: Observation): RefKey | null {
      const resource = role === 'managed' ? resources.get(kindKey(ref)) : undefined;
      return owners.get(`${resource ?? ''}.${ref.group}`) ?? null;
    },
  };
}
