import type { WireRepositories, WireRepository } from '#lib/api/commit.ts';
import type { RepositoryState } from '#server/git/port/shapes.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { wireTime, wireTimeOrNull } from '../wire/wire-time.ts';
import { repositoriesOf } from './fleet-repositories.ts';

/** Repositories that are mirrored, or should be, those first that most objects are built from. */
export async function repositories(moment: KnownMoment): Promise<WireRepositories> {
  const told = await moment.git.repositories();
  const now = moment.now();
  if (told.type === 'not-told') return { asOf: wireTime(now), repositories: [], reason: told.reason };
  const objects = new Map(repositoriesOf(moment.fleet.all(now)).map((one) => [one.key, one.count]));
  const wire = told.answer.map((state) => wireRepository(state, objects.get(state.key) ?? 0));
  return {
    // Several may have been told the same: it is as old as that.
    asOf: wireTime(Math.min(now, told.asOf)),
    repositories: wire.toSorted((a, b) => b.objects - a.objects || (a.key < b.key ? -1 : 1)),
    reason: wire.length === 0 ? 'No repository is mirrored: name one under repositories in plumbline.yaml.' : null,
  };
}

function wireRepository(state: RepositoryState, objects: number): WireRepository {
  const { triedAt: _, fetchedAt, failingSince, branches, rewritten, gaps, ...rest } = state;
  return {
    ...rest,
    fetchedAt: wireTimeOrNull(fetchedAt),
    failingSince: wireTimeOrNull(failingSince),
    branches: branches.map(({ movedAt, ...branch }) => ({ ...branch, movedAt: wireTime(movedAt) })),
    rewritten: rewritten.map(({ at, ...move }) => ({ ...move, at: wireTime(at) })),
    gaps: gaps.map(({ from, to, reason }) => ({ from: wireTime(from), to: wireTimeOrNull(to), reason })),
    objects,
  };
}
