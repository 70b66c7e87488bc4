import type { ObjectRef } from '../../observation/ref.ts';
import type { ScopeFact, ScopeStanding } from '../fact.ts';
import { objectHash } from '../object-hash.ts';

/** Scopes of a source: which objects their series name. */
export interface ScopeBook {
  put(fact: ScopeFact): void;
  remove(fact: ScopeFact): void;
  stand(fact: ScopeStanding): void;
  unstand(fact: ScopeStanding): void;
  /** Scopes that were asked for. */
  standings(): Iterable<ScopeStanding>;
  standing(scope: string): ScopeStanding | null;
  /** Tests if the series of a scope name the object; null where that is not known. */
  holds(scope: string, ref: ObjectRef): boolean | null;
  /** Parts of the scopes that are of one cluster. */
  on(cluster: string): Iterable<ScopeFact>;
  /** That of one scope; null where it holds nothing there. */
  held(cluster: string, scope: string): ScopeFact | null;
}

/** Makes an empty one. */
export function scopeBook(): ScopeBook {
  const standings = new Map<string, ScopeStanding>();
  const clusters = new Map<string, Map<string, ScopeFact>>();
  /** The object that was asked for last: many rules have few scopes, and each is asked for it. */
  let last: { readonly ref: ObjectRef; readonly hash: number; readonly answers: Map<string, boolean | null> } | null =
    null;

  function look(scope: string, ref: ObjectRef, hash: number): boolean | null {
    const held = clusters.get(ref.cluster)?.get(scope);
    if (held !== undefined && hasObject(held, ref.kind, hash)) return true;
    return (standings.get(scope)?.series ?? null) === null ? null : false;
  }

  return {
    put(fact) {
      last = null;
      const cluster = fact.cluster ?? '';
      clusters.set(cluster, (clusters.get(cluster) ?? new Map<string, ScopeFact>()).set(fact.scope, fact));
    },
    remove(fact) {
      last = null;
      clusters.get(fact.cluster ?? '')?.delete(fact.scope);
    },
    stand(fact) {
      last = null;
      standings.set(fact.key, fact);
    },
    unstand(fact) {
      last = null;
      standings.delete(fact.key);
    },
    standings: () => standings.values(),
    standing: (scope) => standings.get(scope) ?? null,
    holds(scope, ref) {
      if (last?.ref !== ref) last = { ref, hash: objectHash(ref.namespace, ref.name), answers: new Map() };
      const known = last.answers.get(scope);
      if (known !== undefined) return known;
      const answer = look(scope, ref, last.hash);
      last.answers.set(scope, answer);
      return answer;
    },
    on: (cluster) => clusters.get(cluster)?.values() ?? [],
    held: (cluster, scope) => clusters.get(cluster)?.get(scope) ?? null,
  };
}

/** Tests if a scope has an object: under its kind, or where its series name no kind. */
function hasObject({ objects }: ScopeFact, kind: string, hash: number): boolean {
  return hasUnder(objects, kind.toLowerCase(), hash) || hasUnder(objects, '', hash);
}

function hasUnder(objects: ScopeFact['objects'], key: string, hash: number): boolean {
  return Object.hasOwn(objects, key) && hasNumber(objects[key] ?? [], hash);
}

function hasNumber(sorted: readonly number[], wanted: number): boolean {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const found = sorted[middle] ?? Infinity;
    if (found === wanted) return true;
    if (found < wanted) from = middle + 1;
    else to = middle;
  }
  return false;
}
