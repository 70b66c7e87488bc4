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
  const repositories: WireLagList['repositories'] = [];
  const lags: WireLag[] = [];
  let [left, leftOut] = [query.limit, 0];
  for (const [index, { key, url, objects }] of all.entries()) {
    const asked = index < mostRepositories ? objects.slice(0, left) : [];
    left -= asked.length;
    leftOut += objects.length - asked.length;
    if (asked.length === 0) continue;
    const told = await lagsOf(moment.git, url, asked, objectsAt(moment, now));
    repositories.push({ key, mirroredAt: wireTimeOrNull(told.mirroredAt), reason: told.reason });
    lags.push(...told.lags.map((one) => wireLag(one, key, now)));
  }
  return { asOf: wireTime(now), lags: lags.toSorted(furthestFirst), leftOut, repositories };
}

function meant(lists: readonly (readonly CurrentObject[])[], query: LagQuery): readonly CurrentObject[] {
  return lists.flatMap((list) => list.filter((one) => isMeant(one, query)));
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
