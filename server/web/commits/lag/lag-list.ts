import type { LagQuery, WireLag, WireLagList } from '#lib/api/commit.ts';
import { objectPath } from '#lib/api/paths.ts';
import { clusterMatcher } from '#lib/api/scope.ts';
import { lagText } from '#lib/format/git/lag-text.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import type { KnownMoment } from '../../fleet/known-moment.ts';
import { refOnly } from '../../wire/object/wire-object.ts';
import { wireTime, wireTimeOrNull } from '../../wire/wire-time.ts';
import { objectsAt } from '../build-of.ts';
import { repositoriesOf } from '../fleet-repositories.ts';
import { turnsOf } from '#lib/turns-of.ts';
import { sharedAnswers } from '../../git/shared-answers.ts';
import { type ObjectLag, lagsOf } from './lags.ts';

/** So many repositories are asked for one answer. */
const mostRepositories = 50;

/** Objects with a path and their lags, told once for all who ask while neither the fleet nor git has changed. */
export const lagList = sharedAnswers(listLags, ({ lags }) => lags.length);

/** Objects with a path, those first that the most commits which touch them have not reached, then those of which that is not known. */
async function listLags(moment: KnownMoment, query: LagQuery): Promise<WireLagList> {
  const now = moment.now();
  const clusters = moment.fleet.all(now).filter(clusterMatcher({ cluster: query.cluster, label: '' }));
  const all = repositoriesOf(clusters)
    .map(({ key, url, lists }) => ({ key, url, objects: meant(lists, query) }))
    .toSorted((a, b) => b.objects.length - a.objects.length || compareText(a.key, b.key));
  const { asked, leftOut } = chosen(all, query.limit);
  const repositories: WireLagList['repositories'] = [];
  const lags: WireLag[] = [];
  for (const { key, url } of all) {
    const objects = asked.get(key);
    if (objects === undefined) continue;
    const told = await lagsOf(moment.git, url, objects, objectsAt(moment, now));
    repositories.push({ key, mirroredAt: wireTimeOrNull(told.mirroredAt), reason: told.reason });
    lags.push(...told.lags.map((one) => wireLag(one, key, now)));
  }
  return { asOf: wireTime(now), lags: lags.toSorted(furthestFirst), leftOut, repositories };
}

function meant(lists: readonly (readonly CurrentObject[])[], query: LagQuery): readonly CurrentObject[] {
  return lists.flatMap((list) => list.filter((one) => isMeant(one, query)));
}

/**
 * The objects that are asked for, by repository, and the number of those that are not. Each cluster has its turn: one with tens of thousands of objects, or a
 * repository for each, leaves out none but its own.
 */
function chosen(
  repositories: readonly { readonly key: string; readonly objects: readonly CurrentObject[] }[],
  limit: number,
): { readonly asked: ReadonlyMap<string, CurrentObject[]>; readonly leftOut: number } {
  const all = repositories.flatMap(({ key, objects }) => objects.map((object) => ({ key, object })));
  const asked = new Map<string, CurrentObject[]>();
  const byCluster = [...Map.groupBy(all, ({ object }) => object.ref.cluster).values()];
  let left = limit;
  for (const { key, object } of turnsOf(byCluster)) {
    if (left === 0) break;
    const objects = asked.get(key) ?? [];
    if (objects.length === 0 && asked.size >= mostRepositories) continue;
    objects.push(object);
    asked.set(key, objects);
    left -= 1;
  }
  return { asked, leftOut: all.length - limit + left };
}

function isMeant({ ref }: CurrentObject, { group, kind, namespace, name }: LagQuery): boolean {
  const any = (wanted: string, own: string): boolean => wanted === '' || (wanted === '-' ? '' : wanted) === own;
  const isOfKind = kind === '' || (any(group, ref.group) && kind === ref.kind);
  return isOfKind && any(namespace, ref.namespace) && any(name, ref.name);
}

function wireLag({ object, lag, oldest }: ObjectLag, repository: string, now: number): WireLag {
  const isKnown = lag.type === 'known';
  return {
    ref: refOnly(object.ref),
    href: objectPath(object.ref),
    repository,
    path: object.path ?? '',
    branch: lag.branch,
    runs: object.commit,
    commits: isKnown ? lag.commits : null,
    touching: isKnown ? lag.touching : null,
    atLeast: isKnown && lag.atLeast,
    oldest: oldest === null ? null : { sha: oldest.sha, subject: oldest.subject, at: wireTime(oldest.committedAt) },
    why: isKnown ? null : lag.why,
    text: lagText(lag, now),
  };
}

function furthestFirst(a: WireLag, b: WireLag): number {
  return (
    rank(a) - rank(b) ||
    (b.touching ?? 0) - (a.touching ?? 0) ||
    compareText(a.ref.cluster, b.ref.cluster) ||
    compareText(a.ref.name, b.ref.name)
  );
}

/** Those behind, then those of which that is not known, then the others. */
function rank({ touching }: WireLag): number {
  if (touching === null) return 1;
  return touching > 0 ? 0 : 2;
}
