import { exemptionsApi, type ExemptionFilter } from '#lib/api/exemption.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { csvFile } from '../http/send-lines.ts';
import type { Refused } from '../http/problem.ts';
import { namesFrom, namesIn, notThere, refusalOf, type Names } from '../requested/not-there.ts';
import { exemptionCsv, exemptionList } from '../wire/lists/exemption-list.ts';
import { partialTexts } from '../wire/partial.ts';
import { ofPresent } from './served.ts';

export const exemptions = ofPresent(exemptionsApi, {
  ask(moment, filter) {
    const now = moment.now();
    const clusters = moment.fleet.all(now);
    const partial = partialTexts(clusters, moment.recordOf, now);
    return missing(moment, filter) ?? exemptionList(clusters, filter, partial, moment.context(now));
  },
  file(moment, filter) {
    if (filter.format !== 'csv') return null;
    const clusters = moment.fleet.all(moment.now());
    return missing(moment, filter) ?? csvFile('exemptions.csv', exemptionCsv(clusters, filter));
  },
});

function missing({ fleet, now }: KnownMoment, { cluster, kind, namespace, by }: ExemptionFilter): Refused | null {
  return refusalOf(notThere({ cluster, kind, namespace, by }, namesOfExemptions(fleet.all(now()))));
}

/** Names in exemptions: all that can be in the fleet, and who set them. */
function namesOfExemptions(fleet: readonly KnownCluster[]): Names {
  const watched = namesIn(fleet);
  return namesFrom(function* (parameter) {
    yield* watched.all(parameter);
    if (parameter !== 'by') return;
    for (const { objects } of fleet)
      for (const { exemptions } of objects) for (const { by } of exemptions) if (by !== null) yield by;
  });
}
