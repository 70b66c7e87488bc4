import { refKey } from '#lib/domain/observation/ref.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';

/** Gives any object of the fleet; null where it is not known. */
export type Find = (ref: CurrentObject['ref']) => CurrentObject | null;

/** Objects by what they are built from. */
export interface BuiltFrom {
  readonly byPath: ReadonlyMap<string, readonly CurrentObject[]>;
  /** Those that build from more than their path says, and why, in a few words: that a commit does not touch the path says nothing of them. */
  readonly beyond: ReadonlyMap<CurrentObject, string>;
}

const kept = new WeakMap<readonly CurrentObject[], BuiltFrom>();

/** Looks at objects once: many clusters build from the same paths, and the same list is asked about commit after commit. */
export function builtFrom(objects: readonly CurrentObject[], find: Find): BuiltFrom {
  const known = kept.get(objects);
  if (known !== undefined) return known;
  const byPath = new Map<string, CurrentObject[]>();
  const beyond = new Map<CurrentObject, string>();
  const sources = new Map<string, CurrentObject | null>();
  const sourceOf = ({ source }: CurrentObject): CurrentObject | null => {
    if (source === null) return null;
    const key = refKey(source);
    const before = sources.get(key);
    if (before !== undefined) return before;
    const found = find(source);
    sources.set(key, found);
    return found;
  };
  for (const object of objects) {
    if (object.path === null) continue;
    const built = byPath.get(object.path);
    if (built === undefined) byPath.set(object.path, [object]);
    else built.push(object);
    const why = whyBeyond(object, sourceOf(object));
    if (why !== null) beyond.set(object, why);
  }
  const made = { byPath, beyond };
  kept.set(objects, made);
  return made;
}

function whyBeyond({ exemptions }: CurrentObject, source: CurrentObject | null): string | null {
  if (exemptions.some(({ field }) => field === 'spec.components'))
    return 'it builds from spec.components too, which are not looked at';
  if (source !== null && source.upstreams.sources.length > 0)
    return 'its source includes other sources, which are not looked at';
  return null;
}
