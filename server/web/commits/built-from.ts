import type { Beyond } from '#lib/domain/commit/beyond.ts';
import { type BuildPath, holdsPath } from '#lib/domain/commit/build-path.ts';
import { buildKey } from '#server/git/port/build-key.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { buildsBy, type Find } from './build-of.ts';

/** Objects that build from one path, with the same said beside it. */
export interface BuiltObjects {
  readonly build: BuildPath;
  readonly key: string;
  readonly objects: readonly CurrentObject[];
}

/** Objects by what they are built from. */
export interface BuiltFrom {
  /** By `buildKey`. */
  readonly builds: ReadonlyMap<string, BuiltObjects>;
  readonly of: ReadonlyMap<CurrentObject, BuiltObjects>;
  /** Those that build from more than their path says, and why: that a commit does not touch the path says nothing of them. */
  readonly beyond: ReadonlyMap<CurrentObject, Beyond>;
}

const kept = new WeakMap<readonly CurrentObject[], BuiltFrom>();

/** Looks at objects once: many clusters build from the same paths, and the same list is asked about commit after commit. */
export function builtFrom(objects: readonly CurrentObject[], find: Find): BuiltFrom {
  const known = kept.get(objects);
  if (known !== undefined) return known;
  const builds = new Map<string, BuiltObjects & { readonly objects: CurrentObject[] }>();
  const of = new Map<CurrentObject, BuiltObjects>();
  const beyond = new Map<CurrentObject, Beyond>();
  const buildOf = buildsBy(find);
  for (const object of objects) {
    const { build, source } = buildOf(object);
    if (build === null) continue;
    const key = buildKey(build);
    let built = builds.get(key);
    if (built === undefined) builds.set(key, (built = { build, key, objects: [] }));
    built.objects.push(object);
    of.set(object, built);
    const why = whyBeyond(object, source);
    if (why !== null) beyond.set(object, why);
  }
  const made = { builds, of, beyond };
  kept.set(objects, made);
  return made;
}

/** Why an object builds from more, or less, than is asked of git; null where it does not. */
export function whyBeyond(object: CurrentObject, source: CurrentObject | null): Beyond | null {
  if (mayHaveMore(object)) return 'unknown-components';
  if (source === null) return null;
  if (source.upstreams.sources.length > 0) return 'other-sources';
  return source.builds !== null && !holdsPath(source.builds, object.path ?? '') ? 'sparse-source' : null;
}

/** True of a Kustomization with components that are not known, or of which it is not known that it has none, as at a past moment. */
function mayHaveMore({ exemptions, builds }: CurrentObject): boolean {
  if (builds !== null && builds.components === null) return true;
  const components = builds?.components ?? [];
  return components.length === 0 && exemptions.some(({ field }) => field === 'spec.components');
}
