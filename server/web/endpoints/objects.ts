import { objectsApi, type ObjectFilter } from '#lib/api/object-filter.ts';
import { scopeOf } from '#lib/api/scope.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { isRefused } from '../http/problem.ts';
import { csvFile } from '../http/send-lines.ts';
import { missingIn } from '../requested/not-there.ts';
import { listedSuspects, suspectsNotAsked, type SuspectOf } from '../suspects/listed-suspects.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { objectCsv } from '../wire/lists/object-csv.ts';
import { everyObject, objectList, reconcilersOf } from '../wire/lists/object-list.ts';
import { partialTexts } from '../wire/partial.ts';
import { ofAnyMoment } from './served.ts';

export const objects = ofAnyMoment(objectsApi, {
  async ask(moment, filter) {
    const now = moment.now();
    const all = moment.fleet.all(now);
    const missing = missingIn(all, filter);
    if (missing !== null) return missing;
    const { clusters, core } = moment.summaries.of(scopeOf(filter), now);
    const partial = [...partialTexts(clusters, moment.recordOf, now)];
    const { truth } = core.guarantee;
    const source = {
      clusters,
      alarms: moment.alarms,
      truth,
      filter: core.filter,
      partial,
      reconcilers: reconcilersOf(all),
    };
    const page = objectList(source, filter, moment.context(now));
    if (isRefused(page)) return page;
    const known = page.objects.map((object) => moment.find(object, now));
    const suspectOf = await suspectsFor(moment, filter, known.values());
    return {
      ...page,
      objects: page.objects.map((object, index) => {
        const at = known[index] ?? null;
        return { ...object, suspect: at === null ? null : suspectOf(at) };
      }),
    };
  },
  async file(moment, filter) {
    if (filter.format !== 'csv') return null;
    const now = moment.now();
    const missing = missingIn(moment.fleet.all(now), filter);
    if (missing !== null) return missing;
    const { clusters } = moment.summaries.of(scopeOf(filter), now);
    const { alarms } = moment;
    const context = moment.context(now);
    const deviating = clusters.map((cluster) => ({ ...cluster, objects: cluster.deviating }));
    const suspectOf = await suspectsFor(
      moment,
      filter,
      eachOf(everyObject({ clusters: deviating, alarms }, filter, context)),
    );
    return csvFile('objects.csv', objectCsv({ clusters, alarms }, filter, context, suspectOf));
  },
});

function suspectsFor(
  moment: KnownMoment,
  { suspects }: ObjectFilter,
  objects: Iterable<CurrentObject | null>,
): SuspectOf | Promise<SuspectOf> {
  return suspects === 'true' ? listedSuspects(moment, objects) : suspectsNotAsked(moment);
}

function* eachOf(pages: Iterable<readonly CurrentObject[]>): Generator<CurrentObject> {
  for (const page of pages) yield* page;
}
