import type { AlarmsQuery, WireAlarms } from '#lib/api/alarm/alarms.ts';
import { listPath } from '#lib/api/paths.ts';
import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { causesWithObjects, type CauseGroup } from '#lib/domain/cause/cause-group.ts';
import { compareCauses } from '#lib/domain/cause/cause-order.ts';
import { wireCauseLine } from '../wire/wire-fleet-summary.ts';

const mostCauses = 50;

/** Causes of a list of objects, the worst first: a page that is kept has the same list for all who ask. */
const ordered = new WeakMap<readonly KnownObject[], readonly CauseGroup[]>();

function causesOf(objects: readonly KnownObject[]): readonly CauseGroup[] {
  const kept = ordered.get(objects);
  if (kept !== undefined) return kept;
  const causes = causesWithObjects(objects)
    .map(({ group }) => group)
    .toSorted(compareCauses);
  ordered.set(objects, causes);
  return causes;
}

/** Objects for which nobody is being called by their causes, the worst first, each with the list of its objects. */
export function silentCauses(
  objects: readonly KnownObject[],
  { cluster, group, kind }: Pick<AlarmsQuery, 'cluster' | 'group' | 'kind'>,
): Pick<WireAlarms, 'silent' | 'silentCauses' | 'silentTotal'> {
  const causes = causesOf(objects);
  const asked = Object.fromEntries(Object.entries({ cluster, group, kind }).filter(([, value]) => value !== ''));
  return {
    silent: causes.slice(0, mostCauses).map((cause) => ({
      ...wireCauseLine(cause),
      href: listPath({ ...asked, guarantee: 'broken', cause: cause.key }),
    })),
    silentCauses: causes.length,
    silentTotal: objects.length,
  };
}
