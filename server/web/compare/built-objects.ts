import type { WireBuiltObject } from '#lib/api/git/compare.ts';
import { objectPath } from '#lib/api/paths.ts';
import type { BuildPath } from '#lib/domain/commit/build-path.ts';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { verdictRank } from '#lib/domain/verdict/verdict.ts';
import { type GitPlace, mostAsked } from '#server/git/port/git-reader.ts';
import type { ComparedFile } from '#server/git/port/shapes.ts';
import { builtFrom as builtBy } from '../commits/built-from.ts';
import { objectsAt } from '../commits/fates.ts';
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
  return files.map((_, index) => {
    const users = new Set([...(left[index] ?? []), ...(right[index] ?? [])]);
    const objects = [...users].flatMap((user) => built[user]?.objects ?? []);
    const seen = objects.flatMap(({ ref }) => moment.find(ref, now) ?? []).toSorted(worstFirst);
    return { first: seen.slice(0, mostShown).map(wireBuilt), count: seen.length };
  });
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
