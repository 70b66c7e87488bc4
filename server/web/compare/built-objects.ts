import type { WireBuiltObject } from '#lib/api/git/compare.ts';
import { objectPath } from '#lib/api/paths.ts';
import type { BuildPath } from '#lib/domain/commit/build-path.ts';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { verdictRank } from '#lib/domain/verdict/verdict.ts';
import { type GitPlace, mostAsked } from '#server/git/port/git-reader.ts';
import type { ComparedFile } from '#server/git/port/shapes.ts';
import { builtFrom as builtBy } from '../commits/built-from.ts';
import { objectsAt } from '../commits/build-of.ts';
import type { FleetRepository } from '../commits/fleet-repositories.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { beneath, type Places } from './places.ts';

/** Objects that are built from one file: the first of them, and how many there are. */
interface Built {
  readonly first: readonly WireBuiltObject[];
  readonly count: number;
}

interface Asked {
  readonly repository: string;
  readonly fleet: FleetRepository | undefined;
  readonly places: Places;
  readonly files: readonly ComparedFile[];
}

const mostShown = 20;

/** Objects that are built from each file, on either side, at the commit of that side; null where that is not told. */
export async function builtFrom(moment: KnownMoment, asked: Asked): Promise<readonly (Built | null)[]> {
  const { fleet, places, files } = asked;
  const now = moment.now();
  const built = [...builtBy(fleet?.objects ?? [], objectsAt(moment, now)).builds.values()];
  if (built.length > mostAsked.ranges) return files.map(() => null);
  const paths = built.map(({ build }) => build);
  const [left, right] = await Promise.all([
    sideOf(moment, asked, { place: places.left, paths, not: 'right-only' }),
    sideOf(moment, asked, { place: places.right, paths, not: 'left-only' }),
  ]);
  if (left === null || right === null) return files.map(() => null);
  const ranked = rankedBuilds(built, (ref) => moment.find(ref, now));
  return files.map((_, index) => builtOf(ranked, left[index] ?? [], right[index] ?? []));
}

/** The builds that are asked about, each with its objects, worst first. */
interface Ranked {
  /** For each its place, the one with the worst object first. */
  readonly places: readonly number[];
  /** By place. */
  readonly objects: readonly (readonly CurrentObject[])[];
}

/** Every object is looked at once, however many files it is built from. */
function rankedBuilds(
  builds: readonly { readonly objects: readonly CurrentObject[] }[],
  find: (ref: CurrentObject['ref']) => CurrentObject | null,
): Ranked {
  const each = builds.map((build, index) => {
    const seen = build.objects.flatMap(({ ref }) => find(ref) ?? []);
    return { index, objects: seen.toSorted(worstFirst) };
  });
  const ordered = each.toSorted((a, b) => worstOfFirst(a.objects, b.objects));
  const places = builds.map(() => 0);
  ordered.forEach(({ index }, place) => (places[index] = place));
  return { places, objects: ordered.map(({ objects }) => objects) };
}

function worstOfFirst([a]: readonly CurrentObject[], [b]: readonly CurrentObject[]): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return worstFirst(a, b);
}

/** The worst objects of some paths are those of the paths that are first: so many of them are looked at, of the others only how many. */
function builtOf({ places, objects }: Ranked, left: readonly number[], right: readonly number[]): Built {
  const both = new Set([...left, ...right].flatMap((path) => places[path] ?? []));
  const ordered = Uint32Array.from(both).sort();
  let count = 0;
  for (const place of ordered) count += objects[place]?.length ?? 0;
  const candidates = [...ordered.subarray(0, mostShown)].flatMap((place) => (objects[place] ?? []).slice(0, mostShown));
  return { first: candidates.toSorted(worstFirst).slice(0, mostShown).map(wireBuilt), count };
}

interface Side {
  readonly place: GitPlace;
  readonly paths: readonly BuildPath[];
  /** Files that are so are not there. */
  readonly not: ComparedFile['status'];
}

/** For each file the indexes of the paths that build from it on one side; null where that is not told. */
async function sideOf(
  { git }: KnownMoment,
  { repository, files }: Asked,
  { place, paths, not }: Side,
): Promise<readonly (readonly number[])[] | null> {
  if (paths.length === 0 || files.length === 0) return files.map(() => []);
  const there = files.map(({ path, status }) => (status === not ? null : beneath(place, path).path));
  const asked = there.filter((path) => path !== null).slice(0, mostAsked.files);
  const told = await git.builtFrom(repository, place.at, { paths, files: asked });
  if (told.type === 'not-told') return null;
  const found = new Map(asked.map((path, index) => [path, told.answer[index] ?? []]));
  return there.map((path) => (path === null ? [] : (found.get(path) ?? [])));
}

function worstFirst(a: CurrentObject, b: CurrentObject): number {
  return (
    verdictRank(a.verdict) - verdictRank(b.verdict) ||
    compareText(a.ref.cluster, b.ref.cluster) ||
    compareText(a.ref.name, b.ref.name)
  );
}

function wireBuilt({ ref, verdict }: CurrentObject): WireBuiltObject {
  return { cluster: ref.cluster, name: ref.name, kind: ref.kind, href: objectPath(ref), verdict };
}
