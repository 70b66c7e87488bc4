import { type BuildPath, buildPath } from '#lib/domain/commit/build-path.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';

/** Gives any object of the fleet; null where it is not known. */
export type Find = (ref: CurrentObject['ref']) => CurrentObject | null;

/** Any object of the fleet as it is known at `now` (ms). */
export function objectsAt(moment: KnownMoment, now: number): Find {
  return (ref) => moment.find(ref, now);
}

/** An object as git is asked about it. */
export interface ObjectBuild {
  /** null where it has no path. */
  readonly build: BuildPath | null;
  readonly source: CurrentObject | null;
}

const nothingSaid = { ignore: null, sparse: [] };

/** Tells what objects build from; of their sources each is looked up once. */
export function buildsBy(find: Find): (object: CurrentObject) => ObjectBuild {
  const sources = new Map<string, CurrentObject | null>();

  function sourceOf({ source }: CurrentObject): CurrentObject | null {
    if (source === null) return null;
    const key = refKey(source);
    const before = sources.get(key);
    if (before !== undefined) return before;
    const found = find(source);
    sources.set(key, found);
    return found;
  }

  return (object) => {
    const source = sourceOf(object);
    const { path } = object;
    const components = object.builds?.components ?? [];
    return { source, build: path === null ? null : buildPath(path, components, source?.builds ?? nothingSaid) };
  };
}
