import type { BuildPath } from '#lib/domain/commit/build-path.ts';
import { buildKey } from '#server/git/port/build-key.ts';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import { commitOf } from '#lib/domain/observation/revision.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import { boundedMemo } from '#server/runtime/bounded-map.ts';
import type { KnownCluster } from '../../cache/known-cluster.ts';
import { buildsBy, type Find, type ObjectBuild } from '../build-of.ts';
import { whyBeyond } from '../built-from.ts';
import { branchOf } from '../fleet-repositories.ts';

/** One commit that objects of a repository run. */
export interface Run {
  readonly sha: string;
  readonly branch: string | null;
  readonly objects: number;
  /** Clusters with such an object, each with what its objects at the commit are built from. */
  readonly clusters: readonly RunOnCluster[];
  /** Commits that sources offer to objects at it. */
  readonly offered: ReadonlySet<string>;
  /** True if nothing is known that is offered to them, and something may be. */
  readonly isUnread: boolean;
}

/** One commit on one cluster. */
export interface RunOnCluster {
  readonly cluster: string;
  /** Of what runs it; sources run nothing. */
  readonly places: readonly Place[];
  /** True if something there runs the commit of which not all is known that it is built from: a chart, components that are not read. */
  readonly hasUnknown: boolean;
}

/** Something that is built from at a commit, and the branch that is followed; null where none is. */
export interface Place {
  readonly build: BuildPath;
  readonly branch: string | null;
  /** The same text for the same build, branch and commit. */
  readonly key: string;
}

/** Commits that objects of one repository run. */
export interface RunsOf {
  readonly key: string;
  readonly url: string;
  readonly objects: number;
  readonly runs: readonly Run[];
}

/** One commit of one repository on one cluster, as it is counted. */
interface Counted extends RunOnCluster {
  readonly key: string;
  readonly url: string;
  readonly sha: string;
  branch: string | null;
  objects: number;
  hasUnknown: boolean;
  readonly places: Place[];
  readonly offered: Set<string>;
  /** Of objects at it: that what is offered to one is known, and that it is not. */
  hasRead: boolean;
  hasUnread: boolean;
}

type Objects = KnownCluster['objects'];

const ofClusters = new WeakMap<Objects, readonly Counted[]>();
const keyOf = boundedMemo(10_000, repositoryKey);

/**
 * Commits that objects which are seen run, the repository first that most objects are built from. Of clusters that have not changed nothing is
 * looked at again. `find`: any object of the same clusters, for their sources, which stand where what they feed does.
 */
export function fleetRuns(clusters: readonly KnownCluster[], find: Find): readonly RunsOf[] {
  const found = new Map<string, Map<string, Counted[]>>();
  for (const { name, objects } of clusters)
    for (const counted of runsOn(name, objects, find)) {
      let runs = found.get(counted.key);
      if (runs === undefined) found.set(counted.key, (runs = new Map()));
      const known = runs.get(counted.sha);
      if (known === undefined) runs.set(counted.sha, [counted]);
      else known.push(counted);
    }
  const all = [...found].map(([key, runs]): RunsOf => {
    const together = [...runs.values()].map(runOf);
    const [first] = runs.values();
    const objects = together.reduce((sum, run) => sum + run.objects, 0);
    return { key, url: first?.[0]?.url ?? '', objects, runs: together };
  });
  return all.toSorted((a, b) => b.objects - a.objects || compareText(a.key, b.key));
}

/** One commit over several clusters, at least one. */
function runOf(all: readonly Counted[]): Run {
  return {
    sha: all[0]?.sha ?? '',
    branch: all.find(({ branch }) => branch !== null)?.branch ?? null,
    objects: all.reduce((sum, { objects }) => sum + objects, 0),
    clusters: all,
    offered: new Set(all.flatMap(({ offered }) => [...offered])),
    isUnread: all.some(({ hasUnread }) => hasUnread) && !all.some(({ hasRead }) => hasRead),
  };
}

function runsOn(cluster: string, objects: Objects, find: Find): readonly Counted[] {
  const known = ofClusters.get(objects);
  if (known !== undefined) return known;
  const buildOf = buildsBy(find);
  const found = new Map<string, Counted>();
  for (const object of objects) {
    const { repository, commit, verdict } = object;
    if (repository === null || commit === null || verdict === 'unobserved') continue;
    const key = keyOf(repository);
    const id = `${key} ${commit}`;
    let one = found.get(id);
    if (one === undefined) {
      const nothing = {
        branch: null,
        objects: 0,
        hasUnknown: false,
        places: [],
        offered: new Set<string>(),
        hasRead: false,
        hasUnread: false,
      };
      found.set(id, (one = { key, url: repository, cluster, sha: commit, ...nothing }));
    }
    take(one, object, buildOf);
  }
  const made = [...found.values()];
  ofClusters.set(objects, made);
  return made;
}

function placeOf(sha: string, build: BuildPath, branch: string | null): Place {
  return { build, branch, key: `${sha} ${branch ?? ''}\n${buildKey(build)}` };
}

function take(run: Counted, object: CurrentObject, buildOf: (object: CurrentObject) => ObjectBuild): void {
  const branch = branchOf(object);
  run.objects += 1;
  run.branch ??= branch;
  if (object.role !== 'source') {
    const { build, source } = buildOf(object);
    if (object.role !== 'applier' || build === null || whyBeyond(object, source) !== null) run.hasUnknown = true;
    else run.places.push(placeOf(run.sha, build, branch));
  }
  run.hasUnread ||= object.commitDiffers === 'unknown';
  run.hasRead ||= object.revision.offered !== null;
  const offered =
    object.commitDiffers === 'yes' ? commitOf(object.revision.offered, object.source?.kind ?? null) : null;
  if (offered !== null) run.offered.add(offered);
}
