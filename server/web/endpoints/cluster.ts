import { clusterApi } from '#lib/api/cluster.ts';
import { wholeFleet } from '#lib/api/scope.ts';
import { keptOf } from '../fleet/scoped-fleet.ts';
import { refuse } from '../http/problem.ts';
import { notThereOn, refusalOf } from '../requested/not-there.ts';
import { clusterPage } from '../wire/cluster-page.ts';
import { nearestClusters } from '../wire/lists/nearest.ts';
import { ofAnyMoment } from './served.ts';

export const cluster = ofAnyMoment(clusterApi, {
  ask(moment, { name, kind, namespace, q }) {
    const { fleet, policy } = moment;
    const now = moment.now();
    const known = fleet.cluster(name, now);
    if (!known) {
      const what = `There is no cluster ${name}.`;
      return refuse({ type: 'not-found', what, nearest: nearestClusters(name, fleet.all(now)) });
    }
    const scope = { ...wholeFleet, cluster: name, kind, namespace, q };
    const page = () => {
      const kept = keptOf(scope, known, policy, now);
      return clusterPage({ known, kept, scope, record: moment.recordOf(name) }, moment.context(now));
    };
    return refusalOf(notThereOn(known, { kind, namespace })) ?? page();
  },
});
