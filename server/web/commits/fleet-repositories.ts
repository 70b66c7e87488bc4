import type { CurrentObject } from '#lib/domain/record/current.ts';
import { parseRevision } from '#lib/domain/observation/revision.ts';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';

/** One repository that objects of the fleet are built from. */
export interface FleetRepository {
  readonly key: string;
  /** An address of it, as a source has it. */
  readonly url: string;
  /** Branches that its objects follow, by their name ("main"). */
  readonly branches: ReadonlySet<string>;
  /** Appliers that are built from a path of it. */
  readonly objects: readonly CurrentObject[];
}

interface Collected {
  readonly key: string;
  readonly url: string;
  readonly branches: Set<string>;
  readonly objects: CurrentObject[];
}

/** The repositories of a fleet, the one that most objects are built from first. */
export function repositoriesOf(clusters: readonly Pick<KnownCluster, 'objects'>[]): readonly FleetRepository[] {
  const found = new Map<string, Collected>();
  const keys = new Map<string, string>();
  for (const { objects } of clusters) {
    for (const object of objects) {
      const { repository, role, path } = object;
      if (repository === null || role !== 'applier' || path === null) continue;
      let key = keys.get(repository);
      if (key === undefined) keys.set(repository, (key = repositoryKey(repository)));
      let one = found.get(key);
      if (one === undefined) found.set(key, (one = { key, url: repository, branches: new Set(), objects: [] }));
      const branch = branchOf(object);
      if (branch !== null) one.branches.add(branch);
      one.objects.push(object);
    }
  }
  return [...found.values()].toSorted((a, b) => b.objects.length - a.objects.length || (a.key < b.key ? -1 : 1));
}

/** The branch that an object follows by its source; null where it follows none that is told: a tag, a commit, an artifact. */
export function branchOf({ revision, source }: Pick<CurrentObject, 'revision' | 'source'>): string | null {
  const text = revision.offered ?? revision.applied;
  const parsed = text === null ? null : parseRevision(text, source?.kind ?? null);
  if (parsed?.type !== 'git' || parsed.ref === null) return null;
  if (parsed.ref.startsWith('refs/') && !parsed.ref.startsWith('refs/heads/')) return null;
  return parsed.ref.replace(/^refs\/heads\//, '');
}
