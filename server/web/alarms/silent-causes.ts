import type { AlarmsQuery, WireAlarms } from '#lib/api/alarm/alarms.ts';
import { listPath } from '#lib/api/paths.ts';
import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { causesWithObjects } from '#lib/domain/cause/cause-group.ts';
import { compareCauses } from '#lib/domain/cause/cause-order.ts';
import { wireCauseLine } from '../wire/wire-fleet-summary.ts';

const mostCauses = 50;

/** Objects for which nobody is being called by their causes, the worst first, each with the list of its objects. */
export function silentCauses(
  objects: readonly KnownObject[],
  { cluster, group, kind }: Pick<AlarmsQuery, 'cluster' | 'group' | 'kind'>,
): Pick<WireAlarms, 'silent' | 'silentCauses' | 'silentTotal'> {
  const causes = causesWithObjects(objects)
    .map(({ group: cause }) => cause)
    .toSorted(compareCauses);
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
