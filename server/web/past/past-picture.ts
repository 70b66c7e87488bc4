import type { CurrentCluster, CurrentObject } from '#lib/domain/current.ts';
import { pastSentence } from '#lib/domain/past-sentence.ts';
import type { PastFleet } from '#server/store/record-port.ts';
import { createPicture, type Picture } from '../picture/picture.ts';

/**
 * The picture of the fleet at a past moment. Where nobody has vouched for a cluster up to that moment, by the present picture, it
 * was not seen then either: a collector that died tells of its gap only when it starts again.
 */
export function pastPicture({ clusters, objects }: PastFleet, present: Picture): Picture {
  const picture = createPicture();
  const declared = new Set(
    objects.filter(({ role }) => role === 'declared').map(({ ref }) => `${ref.group}/${ref.kind}`),
  );
  for (const past of clusters) {
    const vouched = asVouchedFor(past, present.shelf(past.name)?.record ?? null);
    // What is only declared is read of no cluster.
    const feeds = vouched.feeds.filter(({ group, kind }) => !declared.has(`${group}/${kind}`));
    picture.apply([{ type: 'cluster', cluster: { ...vouched, feeds } }]);
  }
  picture.apply(
    objects.map((object) => {
      const known = { ...object, ...ownerOf(object, present) };
      return { type: 'object', object: { ...known, sentence: pastSentence(known) } } as const;
    }),
  );
  return picture;
}

function asVouchedFor(past: CurrentCluster, present: CurrentCluster | null): CurrentCluster {
  if (present?.state !== 'live') return past;
  return { ...past, validUntil: Math.min(past.validUntil, present.validUntil) };
}

/** Whose it is was not kept with the oldest records: an object changes it by being made anew only. */
function ownerOf(past: CurrentObject, present: Picture): Partial<CurrentObject> {
  const now = past.reconciler === '' ? present.object(past.ref) : null;
  return now === null ? {} : { reconciler: now.reconciler, role: now.role };
}
