import type { CurrentCluster } from '#lib/domain/current.ts';
import { pastSentence } from '#lib/domain/past-sentence.ts';
import type { PastFleet } from '#server/store/record-port.ts';
import { createPicture, type Picture } from '../picture/picture.ts';

/**
 * The picture of the fleet at a past moment. `presentOf` gives the present record of a cluster: where nobody has vouched for it up
 * to that moment, it was not seen then either. (A collector that died tells of its gap only when it starts again.)
 */
export function pastPicture(
  { clusters, objects }: PastFleet,
  presentOf: (cluster: string) => CurrentCluster | null,
): Picture {
  const picture = createPicture();
  picture.apply(
    clusters.map((cluster) => ({ type: 'cluster', cluster: asVouchedFor(cluster, presentOf(cluster.name)) }) as const),
  );
  picture.apply(
    objects.map((object) => {
      const sentence = object.sentence === '' ? pastSentence(object) : object.sentence;
      return { type: 'object', object: { ...object, sentence } } as const;
    }),
  );
  return picture;
}

function asVouchedFor(past: CurrentCluster, present: CurrentCluster | null): CurrentCluster {
  if (present?.state !== 'live') return past;
  return { ...past, validUntil: Math.min(past.validUntil, present.validUntil) };
}
