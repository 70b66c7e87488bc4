import { conflictsApi, type ConflictFilter } from '#lib/api/conflict.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { csvFile } from '../http/send-lines.ts';
import type { Refused } from '../http/problem.ts';
import { namesOfConflicts } from '../requested/conflict-names.ts';
import { notThere, refusalOf } from '../requested/not-there.ts';
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
