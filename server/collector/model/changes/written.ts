import type { CurrentCluster } from '#lib/domain/record/current.ts';
import { kindKey, refKey, type RefKey } from '#lib/domain/observation/ref.ts';
import type { StoredClusterState, StoredResume, WriteBatch } from '#server/store/port/port.ts';

type Recorded = StoredClusterState['objects'][number];

/** Record written of one cluster, as a store would give it back: for a single look, which needs no store. */
export type Written = ReturnType<typeof createWritten>;

/** Starts with what was there before; null for nothing. */
export function createWritten(before: StoredClusterState | null = null) {
  const objects = new Map<RefKey, Recorded>((before?.objects ?? []).map((one) => [refKey(one.object.ref), one]));
  const resume = new Map<string, StoredResume>();
  let cluster: CurrentCluster | null = before?.cluster ?? null;
  return {
    take(batch: WriteBatch): void {
      cluster = batch.cluster ?? cluster;
      for (const { ref } of batch.removed) objects.delete(refKey(ref));
      for (const one of batch.objects) objects.set(refKey(one.object.ref), one);
      for (const point of batch.resume) resume.set(kindKey(point), point);
      for (const { ref, ...times } of batch.confirmations) {
        const known = objects.get(refKey(ref));
        if (known) objects.set(refKey(ref), { ...known, object: { ...known.object, ...times } });
      }
    },
    state: (): StoredClusterState => ({ cluster, objects: [...objects.values()], resume: [...resume.values()] }),
  };
}
