import { refKey, type ObjectRef, type RefKey } from '#lib/domain/observation/ref.ts';
import { forgottenAtOnce, type WriteBatch } from '#server/store/port/port.ts';

/** Shares out what is told of objects to the parts that they are in; what is told of none of them stays for the last one. */
function sharedOut<T extends { readonly ref: ObjectRef | null }>(
  told: readonly T[],
  parts: ReadonlyMap<RefKey, number>,
): ReadonlyMap<number | undefined, readonly T[]> {
  return Map.groupBy(told, ({ ref }) => (ref === null ? undefined : parts.get(refKey(ref))));
}

/** So many objects are judged between two batches: what is no more than that stays as it is. */
const judgedAtOnce = 1_000;

/** The part that each object of a batch is in: what is gone first, then what has a new record, with its removal where it was made anew. */
function partsOf({ removed, objects }: WriteBatch, most: number): ReadonlyMap<RefKey, number> {
  const made = new Set(objects.map(({ object }) => refKey(object.ref)));
  const gone = removed.map(({ ref }) => refKey(ref)).filter((key) => !made.has(key));
  return new Map([...gone, ...made].map((key, place) => [key, Math.floor(place / most)]));
}

/**
 * A batch as several that follow each other, where it is of more objects than are written at once: a kind that is served no longer takes 50,000
 * with it, a cluster that is left has all judged that waited, and no other cluster waits for one commit of that. Each object goes with all that
 * is told of it, so its span ends with it. What vouches for the whole comes last: who ends in between finds the rest out again.
 */
export function boundedParts(batch: WriteBatch, most = forgottenAtOnce): readonly WriteBatch[] {
  if (batch.removed.length <= most && batch.objects.length <= Math.max(most, judgedAtOnce)) return [batch];
  const parts = partsOf(batch, most);
  const removed = sharedOut(batch.removed, parts);
  const objects = Map.groupBy(batch.objects, ({ object }) => parts.get(refKey(object.ref)));
  const transitions = sharedOut(batch.transitions, parts);
  const changes = sharedOut(batch.changes, parts);
  const corrections = sharedOut(batch.corrections, parts);
  const earlier = sharedOut(batch.earlier, parts);
  const arrivals = sharedOut(batch.arrivals, parts);
  const confirmations = sharedOut(batch.confirmations, parts);
  const listsOf = (part: number | undefined) => ({
    removed: removed.get(part) ?? [],
    objects: objects.get(part) ?? [],
    transitions: transitions.get(part) ?? [],
    changes: changes.get(part) ?? [],
    corrections: corrections.get(part) ?? [],
    earlier: earlier.get(part) ?? [],
    arrivals: arrivals.get(part) ?? [],
    confirmations: confirmations.get(part) ?? [],
  });
  const { setBackTo, ...others } = batch;
  const nothingElse = { at: batch.at, cluster: null, coverage: [], resume: [] };
  const before = Array.from({ length: Math.ceil(parts.size / most) }, (_, part) => ({
    ...nothingElse,
    ...listsOf(part),
  }));
  const [first, ...later]: readonly WriteBatch[] = [...before, { ...others, ...listsOf(undefined) }];
  if (first === undefined) return [batch];
  return [setBackTo === undefined ? first : { ...first, setBackTo }, ...later];
}
