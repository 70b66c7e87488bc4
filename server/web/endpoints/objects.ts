import { objectsApi } from '#lib/api/object-filter.ts';
import { scopeOf } from '#lib/api/scope.ts';
import { missingIn } from '../requested/not-there.ts';
import { objectList, reconcilersOf } from '../wire/lists/object-list.ts';
import { partialTexts } from '../wire/partial.ts';
import { ofAnyMoment } from './served.ts';

export const objects = ofAnyMoment(objectsApi, {
  ask(moment, filter) {
    const now = moment.now();
    const all = moment.fleet.all(now);
    const missing = missingIn(all, filter);
    if (missing !== null) return missing;
    const { clusters, core } = moment.summaries.of(scopeOf(filter), now);
    const partial = [...partialTexts(clusters, moment.recordOf, now)];
    const { truth } = core.guarantee;
    const source = { clusters, truth, filter: core.filter, partial, reconcilers: reconcilersOf(all) };
    return objectList(source, filter, moment.context(now));
  },
});
