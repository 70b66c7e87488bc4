import { conflictsApi, type ConflictFilter } from '#lib/api/conflict.ts';
import type { NameParameter } from '#lib/api/refusals/not-there.ts';
import type { Conflict } from '#lib/domain/observation/conflict.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { csvFile } from '../http/send-lines.ts';
import type { Refused } from '../http/problem.ts';
import { namesFrom, namesIn, notThere, refusalOf, type Names } from '../requested/not-there.ts';
import { conflictCsv, conflictList, type ConflictSource } from '../wire/lists/conflict-list.ts';
import { partialTexts } from '../wire/partial.ts';
import { ofPresent } from './served.ts';

export const conflicts = ofPresent(conflictsApi, {
  ask(moment, filter) {
    const now = moment.now();
    const partial = partialTexts(moment.fleet.all(now), moment.recordOf, now);
    return missing(moment, filter) ?? conflictList(sourceOf(moment), filter, partial, moment.context(now));
  },
  file(moment, filter) {
    if (filter.format !== 'csv') return null;
    return missing(moment, filter) ?? csvFile('conflicts.csv', conflictCsv(sourceOf(moment), filter));
  },
});

function sourceOf({ fleet, fleetCache, now, recordOf }: KnownMoment): ConflictSource {
  return {
    records: fleet.all(now()).flatMap(({ name }) => recordOf(name) ?? []),
    isWatched: (ref) => fleetCache.object(ref) !== null,
  };
}

function missing({ fleet, now }: KnownMoment, filter: ConflictFilter): Refused | null {
  return refusalOf(notThere(filter, namesOfConflicts(fleet.all(now()))));
}

/** Names in conflicts that their filter may name: all that can be in the fleet, and what is managed twice, which need not be watched, with its managers. */
function namesOfConflicts(fleet: readonly KnownCluster[]): Names {
  const watched = namesIn(fleet);
  return namesFrom(function* (parameter) {
    yield* watched.all(parameter);
    for (const { listedConflicts } of fleet)
      for (const conflict of listedConflicts) yield* namesOf(conflict, parameter);
  });
}

function namesOf({ resource, owners }: Conflict, parameter: NameParameter): readonly string[] {
  const { kind, namespace } = resource;
  const names: Partial<Record<NameParameter, readonly string[]>> = {
    kind: [kind, ...owners.flatMap(({ ref }) => ref?.kind ?? [])],
    namespace: [namespace],
    by: owners.map(({ name }) => name),
  };
  return names[parameter] ?? [];
}
