import { exemptionsApi, type ExemptionFilter } from '#lib/api/exemption.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { csvFile } from '../http/send-lines.ts';
import type { Refused } from '../http/problem.ts';
import { namesOfExemptions } from '../requested/exemption-names.ts';
import { notThere, refusalOf } from '../requested/not-there.ts';
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
