import type { ConflictFilter } from '#lib/api/conflict.ts';
import type { ExemptionFilter } from '#lib/api/exemption.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { CurrentCluster } from '#lib/domain/record/current.ts';
import { notThere, refusalOf, type NotThere } from '../requested/not-there.ts';
import { namesOfConflicts } from '../requested/conflict-names.ts';
import { namesOfExemptions } from '../requested/exemption-names.ts';
import type { KnownFleet } from '../cache/known-fleet.ts';
import type { FleetCache } from '../cache/fleet-cache.ts';
import type { WebRuntime } from '../web-runtime.ts';
import { conflictCsv, conflictList, type ConflictSource } from '../wire/lists/conflict-list.ts';
import { exemptionCsv, exemptionList } from '../wire/lists/exemption-list.ts';
import { partialTexts } from '../wire/partial.ts';
import type { WireContext } from '../wire/wire-context.ts';

/** What the lists are made from. */
interface OwnershipDeps {
  readonly fleetCache: FleetCache;
  readonly fleet: KnownFleet;
  readonly clock: Clock;
  readonly recordOf: (name: string) => CurrentCluster | null;
  readonly contextAt: (now: number) => WireContext;
}

type OwnershipQueries = Pick<WebRuntime, 'exemptions' | 'exemptionCsv' | 'conflicts' | 'conflictCsv'>;

/** The lists of what weakens the guarantee and of what is managed twice. */
export function ownershipQueries({ fleetCache, fleet, clock, recordOf, contextAt }: OwnershipDeps): OwnershipQueries {
  function conflictSource(now: number): ConflictSource {
    return {
      records: fleet.all(now).flatMap(({ name }) => recordOf(name) ?? []),
      isWatched: (ref) => fleetCache.object(ref) !== null,
    };
  }

  function refusal({ cluster, kind, namespace, by }: ExemptionFilter, now: number): NotThere | null {
    return refusalOf(notThere({ cluster, kind, namespace, by }, namesOfExemptions(fleet.all(now))));
  }

  function conflictRefusal(asked: ConflictFilter, now: number): NotThere | null {
    return refusalOf(notThere(asked, namesOfConflicts(fleet.all(now))));
  }

  return {
    exemptions(filter) {
      const now = clock.now();
      const clusters = fleet.all(now);
      const partial = partialTexts(clusters, recordOf, now);
      return refusal(filter, now) ?? exemptionList(clusters, filter, partial, contextAt(now));
    },
    exemptionCsv(filter) {
      const now = clock.now();
      return refusal(filter, now) ?? exemptionCsv(fleet.all(now), filter);
    },
    conflicts(filter) {
      const now = clock.now();
      const partial = partialTexts(fleet.all(now), recordOf, now);
      return conflictRefusal(filter, now) ?? conflictList(conflictSource(now), filter, partial, contextAt(now));
    },
    conflictCsv(filter) {
      const now = clock.now();
      return conflictRefusal(filter, now) ?? conflictCsv(conflictSource(now), filter);
    },
  };
}
