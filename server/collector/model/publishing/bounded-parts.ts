import { refKey, type ObjectRef, type RefKey } from '#lib/domain/observation/ref.ts';
import { forgottenAtOnce, type WriteBatch } from '#server/store/port/port.ts';

/** Shares out what is told of objects to the parts that they are in; what is told of none of them stays for the last one. */
function sharedOut<T extends { readonly ref: ObjectRef | null }>(
  told: readonly T[],
  parts: ReadonlyMap<RefKey, number>,
): ReadonlyMap<number | undefined, readonly T[]> {
  return Map.groupBy(told, ({ ref }) => (ref === null ? undefined : parts.get(refKey(ref))));
}

/**
 * A batch as several that follow each other, where it removes more than is written at once: a kind that is served no longer takes 50,000
 * objects with it, and no other cluster waits for one commit of that. Each object goes with the end of its span and all that is told of it;
 * one that was made anew since stays with its new record. What vouches for the whole comes last: who ends in between finds the rest gone again.
 */
export function boundedParts(batch: WriteBatch, most = forgottenAtOnce): readonly WriteBatch[] {
  if (batch.removed.length <= most) return [batch];
  const anew = new Set(batch.objects.map(({ object }) => refKey(object.ref)));
  const gone = batch.removed.map(({ ref }) => refKey(ref)).filter((key) => !anew.has(key));
  const parts = new Map(gone.map((key, place) => [key, Math.floor(place / most)]));
  const removed = sharedOut(batch.removed, parts);
  const transitions = sharedOut(batch.transitions, parts);
  const changes = sharedOut(batch.changes, parts);
  const corrections = sharedOut(batch.corrections, parts);
  const earlier = sharedOut(batch.earlier, parts);
  const arrivals = sharedOut(batch.arrivals, parts);
  const listsOf = (part: number | undefined) => ({
    removed: removed.get(part) ?? [],
    transitions: transitions.get(part) ?? [],
    changes: changes.get(part) ?? [],
    corrections: corrections.get(part) ?? [],
    earlier: earlier.get(part) ?? [],
    arrivals: arrivals.get(part) ?? [],
  });
  const { setBackTo, ...others } = batch;
  const nothingElse = { at: batch.at, cluster: null, objects: [], confirmations: [], coverage: [], resume: [] };
  const before = Array.from({ length: Math.ceil(gone.length / most) }, (_, part) => ({
    ...nothingElse,
    ...listsOf(part),
  }));
  const [first, ...later]: readonly WriteBatch[] = [...before, { ...others, ...listsOf(undefined) }];
  if (first === undefined) return [batch];
  return [setBackTo === undefined ? first : { ...first, setBackTo }, ...later];
}
