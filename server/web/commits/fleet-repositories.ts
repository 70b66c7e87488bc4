import type { CurrentObject } from '#lib/domain/record/current.ts';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import { parseRevision } from '#lib/domain/observation/revision.ts';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import { boundedMemo } from '#server/runtime/bounded-map.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';

/** One repository that objects of the fleet are built from. */
export interface FleetRepository {
  readonly key: string;
  /** An address of it, as sources have it: of https where one is, and the one that most clusters name. */
  readonly url: string;
  /** Branches that its objects follow, by their name ("main"). */
  readonly branches: ReadonlySet<string>;
  /** Appliers that are built from a path of it, by cluster: each list is the same one until something changes on its cluster. */
  readonly lists: readonly (readonly CurrentObject[])[];
  /** All of them. */
  readonly objects: readonly CurrentObject[];
  /** Number of them. */
  readonly count: number;
  /** Number of clusters with such an object. */
  readonly clusters: number;
}

interface OnCluster {
  readonly key: string;
  /** Number of its objects by the address that they name. */
  readonly urls: Map<string, number>;
  readonly branches: Set<string>;
  readonly objects: CurrentObject[];
}

type Objects = KnownCluster['objects'];

/** Lists of clusters whose repositories are kept: the fleet's, and those of a few scopes of it. */
const mostKept = 8;
/** Of fewer clusters nothing is kept together: that is quickly made, and would push out what is not. */
const fewestKept = 10;

const ofClusters = new WeakMap<Objects, ReadonlyMap<string, OnCluster>>();
const kept: { readonly of: readonly Objects[]; readonly repositories: readonly FleetRepository[] }[] = [];
const keyOf = boundedMemo(10_000, repositoryKey);

/**
 * The repositories of a fleet, the one that most objects are built from first. Of clusters that have not changed nothing is looked at again, and
 * while none of many has the answer is the same one.
 */
export function repositoriesOf(clusters: readonly Pick<KnownCluster, 'objects'>[]): readonly FleetRepository[] {
  const of = clusters.map(({ objects }) => objects);
  if (of.length < fewestKept) return collected(of);
  const index = kept.findIndex((one) => one.of.length === of.length && one.of.every((each, at) => each === of[at]));
  const [known] = index < 0 ? [] : kept.splice(index, 1);
  const found = known ?? { of, repositories: collected(of) };
  kept.unshift(found);
  kept.length = Math.min(kept.length, mostKept);
  return found.repositories;
}

function collected(clusters: readonly Objects[]): readonly FleetRepository[] {
  const found = new Map<string, OnCluster[]>();
  for (const objects of clusters)
    for (const [key, one] of repositoriesOn(objects)) {
      const known = found.get(key);
      if (known === undefined) found.set(key, [one]);
      else known.push(one);
    }
  return [...found.values()].map(together).toSorted((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
}

/** One repository of several clusters, at least one. */
function together(all: readonly OnCluster[]): FleetRepository {
  const lists = all.map(({ objects }) => objects);
  let flat: readonly CurrentObject[] | null = null;
  return {
    key: all[0]?.key ?? '',
    url: addressOf(all),
    branches: new Set(all.flatMap(({ branches }) => [...branches])),
    lists,
    get objects() {
      return (flat ??= lists.flat());
    },
    count: lists.reduce((sum, { length }) => sum + length, 0),
    clusters: all.length,
  };
}

/**
 * The address of a repository that clusters name in several ways: one cluster is not to say for all others where it is fetched from, or have it
 * refused. Between as many clusters the plain one counts.
 */
function addressOf(all: readonly OnCluster[]): string {
  const named = new Map<string, { clusters: number; objects: number }>();
  for (const { urls } of all)
    for (const [url, count] of urls) {
      const known = named.get(url) ?? { clusters: 0, objects: 0 };
      named.set(url, { clusters: known.clusters + 1, objects: known.objects + count });
    }
  if (named.size <= 1) return named.keys().next().value ?? '';
  const plain = `https://${all[0]?.key ?? ''}`;
  const isWeb = (url: string): number => Number(/^https:\/\//i.test(url));
  const isPlain = (url: string): number => Number(url === plain || url === `${plain}.git`);
  const [[first] = ['']] = [...named].toSorted(
    ([a, one], [b, other]) =>
      isWeb(b) - isWeb(a) ||
      other.clusters - one.clusters ||
      isPlain(b) - isPlain(a) ||
      other.objects - one.objects ||
      compareText(a, b),
  );
  return first;
}

/** The repositories of one cluster, by key. */
function repositoriesOn(objects: Objects): ReadonlyMap<string, OnCluster> {
  const known = ofClusters.get(objects);
  if (known !== undefined) return known;
  const found = new Map<string, OnCluster>();
  for (const object of objects) {
    const { repository, role, path } = object;
    if (repository === null || role !== 'applier' || path === null) continue;
    const key = keyOf(repository);
    let one = found.get(key);
    if (one === undefined) found.set(key, (one = { key, urls: new Map(), branches: new Set(), objects: [] }));
    one.urls.set(repository, (one.urls.get(repository) ?? 0) + 1);
    const branch = branchOf(object);
    if (branch !== null) one.branches.add(branch);
    one.objects.push(object);
  }
  ofClusters.set(objects, found);
  return found;
}

/** The branch that an object follows by its source; null where it follows none that is told: a tag, a commit, an artifact. */
export function branchOf({ revision, source }: Pick<CurrentObject, 'revision' | 'source'>): string | null {
  const text = revision.offered ?? revision.applied;
  const parsed = text === null ? null : parseRevision(text, source?.kind ?? null);
  if (parsed?.type !== 'git' || parsed.ref === null) return null;
  if (parsed.ref.startsWith('refs/') && !parsed.ref.startsWith('refs/heads/')) return null;
  return parsed.ref.replace(/^refs\/heads\//, '');
}
