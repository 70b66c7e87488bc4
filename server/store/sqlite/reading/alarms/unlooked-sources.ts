import type { CallsOfSource } from '#lib/domain/alarm/called/left-out.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { ofClusters, type ScopeIds, type Scopes } from '../record/record-scope.ts';
import type { LookAsked, Looks } from './call-look.ts';
import { ever } from './late-absences.ts';
import { allRead, type LeftOutCalls } from './left-out-calls.ts';
import type { MeantCalls } from './meant-calls.ts';

/** Sources whose calls are not read for a question. */
interface Unlooked {
  readonly left: LeftOutCalls;
  /** Those that speak for a cluster of the scope, or called for it. */
  readonly sources: readonly CallsOfSource[];
  /** The ids of these clusters. */
  readonly clusters: readonly number[];
}

/** Finds, over an open database, the sources whose calls are not read for a question, and the clusters of its scope of which something rests on them. */
export function openUnlookedSources(
  scopes: Scopes,
  calls: Pick<MeantCalls, 'areAllRead' | 'leftOut' | 'times'>,
): (looks: Pick<Looks, 'begun'>, question: Pick<LookAsked, 'scope' | 'period'>) => Unlooked {
  return ({ begun }, { scope, period }) => {
    const { from, to } = period;
    const all = { left: allRead, sources: [], clusters: [] };
    if (calls.areAllRead({ from: Number.MIN_SAFE_INTEGER, to })) return all;
    const looked: Period = { from: Math.min(from, begun({ scope, period, ended: ever })) - 1, to };
    const left = calls.leftOut(looked);
    if (left.read === null) return all;
    const times = calls.times(looked, left);
    const on = clustersOf(scopes, scope).map((id) => ({ id, those: times.leftOutOn(scopes.clusterName(id)) }));
    const names = new Set(on.flatMap(({ those }) => those.map(({ source }) => source)));
    return {
      left,
      sources: left.sources.filter(({ source }) => names.has(source)),
      clusters: on.filter(({ those }) => those.length > 0).map(({ id }) => id),
    };
  };
}

/** The ids of the clusters of a scope but for some. */
export function othersThan(scopes: Scopes, scope: ScopeIds, without: readonly number[]): readonly number[] {
  const those = new Set(without);
  return clustersOf(scopes, scope).filter((id) => !those.has(id));
}

/** None where the store has no word for a part of the scope. */
function clustersOf(scopes: Scopes, scope: ScopeIds | null): readonly number[] {
  if (scope === null) return [];
  const { sql, parameters } = ofClusters(scope, 'id');
  return scopes.ids(`SELECT id FROM cluster WHERE ${sql}`, parameters);
}
