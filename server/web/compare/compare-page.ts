import { isWholeHash, type WireRepository } from '#lib/api/commit.ts';
import type { CompareQuery, WireComparePage } from '#lib/api/git/compare.ts';
import { pairsOf } from '#lib/domain/commit/pairs.ts';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import type { GitPoint } from '#server/git/port/shapes.ts';
import { type FleetRepository, repositoriesOf } from '../commits/fleet-repositories.ts';
import { repositories } from '../commits/repositories.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { refuse, type Refused } from '../http/problem.ts';
import type { Present } from '../present.ts';
import { wireTime } from '../wire/wire-time.ts';
import { compared } from './compared.ts';
import type { Places } from './places.ts';

/** Two directories compared, or the pairs that may be. Refused where the repository is not mirrored. */
export async function comparePage(present: Present, query: CompareQuery): Promise<WireComparePage | Refused> {
  const now = present.now();
  const all = await repositories(present);
  const asked = query.repository === '' ? null : repositoryKey(query.repository);
  const repository = all.repositories.find(({ key }) => asked === null || key === asked);
  const fleet = repositoriesOf(present.fleet.all(now)).find(({ key }) => key === repository?.key);
  const nothing: WireComparePage = {
    asOf: wireTime(now),
    repositories: all.repositories.map(({ key }) => key),
    repository: repository?.key ?? null,
    ...(await pairsNow(present, now, { asked, shown: repository?.key ?? null, fleet })),
    ...{ comparison: null, diff: null },
    reason: all.reason ?? repository?.reason ?? null,
    mirroredAt: repository?.fetchedAt ?? null,
  };
  if (repository === undefined) {
    if (asked === null || all.reason !== null) return nothing;
    return refuse({ type: 'not-found', what: `No repository ${query.repository} is mirrored.`, nearest: [] });
  }
  if (query.left === '' && query.right === '') return nothing;
  const places = await placesOf(present, repository, query);
  if (typeof places === 'string') return { ...nothing, reason: places };
  return { ...nothing, ...(await compared(present, { repository, fleet, query, places })) };
}

interface ShownRepository {
  /** Key of the one that was asked for; null where none was. */
  readonly asked: string | null;
  /** Key of the one that is shown. */
  readonly shown: string | null;
  readonly fleet: FleetRepository | undefined;
}

/** Pairs that are named, of the repository that was asked for, else of all, then those that are found in the one that is shown. */
async function pairsNow(
  { fleet, pairs: configured }: Present,
  now: number,
  { asked, shown, fleet: repository }: ShownRepository,
): Promise<Pick<WireComparePage, 'pairs' | 'morePairs'>> {
  const places = fleet.all(now).flatMap(({ name, labels }) => [name, labels['environment'] ?? '']);
  const paths = (repository?.objects ?? []).flatMap(({ path }) => path ?? []);
  const { pairs, more } = pairsOf(paths, places);
  const named = (await configured())
    .map(({ left, right, repository: url }) => {
      return { left, right, configured: true, repository: url === null ? shown : repositoryKey(url) };
    })
    .filter((one) => asked === null || one.repository === asked);
  const isNamed = (left: string, right: string): boolean =>
    named.some(
      (one) =>
        one.repository === shown &&
        ((one.left === left && one.right === right) || (one.left === right && one.right === left)),
    );
  const found = pairs.filter(({ left, right }) => !isNamed(left, right));
  const told = found.map((pair) => ({ ...pair, configured: false, repository: shown }));
  return { pairs: [...named, ...told], morePairs: more };
}

/** Both sides as git takes them; a sentence where one cannot be told. */
async function placesOf(
  moment: KnownMoment,
  repository: WireRepository,
  query: CompareQuery,
): Promise<Places | string> {
  const [left, right] = [query.left || query.right, query.right || query.left];
  const leftAt = await pointOf(moment, repository, query.leftAt);
  const rightAt = query.rightAt === '' ? leftAt : await pointOf(moment, repository, query.rightAt);
  if (typeof leftAt === 'string') return leftAt;
  if (typeof rightAt === 'string') return rightAt;
  return { left: { path: left, at: leftAt }, right: { path: right, at: rightAt } };
}

const digits = /^[0-9a-f]{7,63}$/;

/** A commit by its digits, else a branch; a sentence where there is none, or several. */
async function pointOf({ git }: KnownMoment, repository: WireRepository, text: string): Promise<GitPoint | string> {
  if (isWholeHash(text)) return { type: 'commit', sha: text };
  if (text === '')
    return repository.defaultBranch === null
      ? 'Its default branch is not known: name a commit or a branch.'
      : { type: 'branch', name: repository.defaultBranch };
  if (!digits.test(text) || repository.branches.some(({ name }) => name === text))
    return { type: 'branch', name: text };
  const found = await git.find(text);
  if (found.type === 'not-told') return found.reason;
  const here = found.answer.filter((one) => one.repository === repository.key);
  const [one, ...more] = here;
  if (more.length > 0) return `Several commits begin with ${text}: write more of its digits.`;
  return one === undefined ? { type: 'branch', name: text } : { type: 'commit', sha: one.commit.sha };
}
