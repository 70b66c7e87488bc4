import type { AlarmFact } from '../fact.ts';
import type { CheckedSource } from './checked.ts';

/**
 * Narrows a source to what it tells of one cluster, and of none by name: its scopes are laid out once, for a fleet asks for each kind on each cluster.
 * Alerts, notices and silences are left out: they tell of now, and nothing of what would be called for.
 */
export function byCluster(source: CheckedSource): (cluster: string) => CheckedSource {
  const shared: AlarmFact[] = [];
  const own = new Map<string, AlarmFact[]>();
  for (const fact of source.facts) {
    shelfOf(fact, shared, own)?.push(fact);
  }
  const narrowed = new Map<string, CheckedSource>();
  return (cluster) => {
    const known = narrowed.get(cluster) ?? { ...source, facts: [...shared, ...(own.get(cluster) ?? [])] };
    narrowed.set(cluster, known);
    return known;
  };
}

/** The list in which a fact is kept; null for none. */
function shelfOf(fact: AlarmFact, shared: AlarmFact[], own: Map<string, AlarmFact[]>): AlarmFact[] | null {
  switch (fact.type) {
    case 'rule':
    case 'receiver':
    case 'routing':
    case 'scope-standing':
      return shared;
    case 'scope': {
      if (fact.cluster === null) return shared;
      const known = own.get(fact.cluster) ?? [];
      own.set(fact.cluster, known);
      return known;
    }
    case 'alert':
    case 'notice':
    case 'silence':
      return null;
  }
}
