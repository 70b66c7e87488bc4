import { LRUCache } from 'lru-cache';
import { scopeNames, type Scope } from '#lib/api/scope.ts';
import type { Policy } from '#lib/domain/guarantee/guarantee.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import type { KnownFleet } from '../cache/known-fleet.ts';
import { scopedFleet } from './scoped-fleet.ts';
import { summaryCore, type SummaryCore } from '../wire/wire-fleet-summary.ts';

/** The heads of scopes that are asked for: each is counted once for all who ask, until something changes. */
export interface FleetSummaries {
  /** Clusters that a scope keeps as known at `now` (ms), and their head. */
  of(scope: Scope, now: number): { readonly clusters: readonly KnownCluster[]; readonly core: SummaryCore };
}

interface FleetSummariesDeps {
  readonly fleet: KnownFleet;
  readonly policy: Policy;
}

interface KeptScope {
  readonly fleet: KnownFleet;
  head: { readonly stamp: number; readonly core: SummaryCore } | null;
}

/** Scopes that are asked for at the same time: each may hold the list of its objects. */
const SCOPES = 24;

/** Makes the heads of a fleet. */
export function fleetSummaries({ fleet, policy }: FleetSummariesDeps): FleetSummaries {
  const kept = new LRUCache<string, KeptScope, Scope>({
    max: SCOPES,
    memoMethod: (_key, _old, { context: scope }) => ({ fleet: scopedFleet(scope, fleet, policy), head: null }),
  });
  return {
    of(scope, now) {
      const key = JSON.stringify(scopeNames.map((name) => scope[name]));
      const found = kept.memo(key, { context: scope });
      const clusters = found.fleet.all(now);
      const stamp = fleet.stamp(now);
      if (found.head?.stamp !== stamp || now >= found.head.core.ordered.until)
        found.head = { stamp, core: summaryCore({ scope, clusters, whole: fleet.all(now), now }) };
      return { clusters, core: found.head.core };
    },
  };
}
