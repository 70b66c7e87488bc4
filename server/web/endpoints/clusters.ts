import { clustersApi } from '#lib/api/cluster.ts';
import { wireCluster } from '../wire/wire-cluster.ts';
import { wireTime } from '../wire/wire-time.ts';
import { ofAnyMoment } from './served.ts';

export const clusters = ofAnyMoment(clustersApi, {
  ask({ fleet, now: read, recordOf }) {
    const now = read();
    return {
      asOf: wireTime(now),
      clusters: fleet.all(now).map((known) => wireCluster(known, recordOf(known.name), now)),
    };
  },
});
