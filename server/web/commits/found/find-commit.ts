import { shortCommit } from '#lib/domain/observation/revision.ts';
import type { FoundCommit, GitCommit } from '#server/git/port/shapes.ts';
import type { KnownMoment } from '../../fleet/known-moment.ts';
import { refuse, type Refused } from '../../http/problem.ts';
import { wireTime } from '../../wire/wire-time.ts';
import { repositoriesOf } from '../fleet-repositories.ts';

/** A commit that was found. */
export interface Found {
  readonly commit: GitCommit;
  /** Keys of the repositories that hold it, forks among them: first those that are configured, then those that most is built from. */
  readonly repositories: readonly string[];
  /** Address of the first of them. */
  readonly url: string;
  /** When that was last fetched (ms). */
  readonly asOf: number;
}

/** The commit that some digits name, in whichever repository; refused where that is none, or several. */
export async function findCommit(moment: KnownMoment, digits: string): Promise<Found | Refused> {
  const told = await moment.git.find(digits);
  if (told.type === 'not-told') return refuse({ type: 'not-ready', message: told.reason });
  const distinct = Map.groupBy(told.answer, ({ commit }) => commit.sha);
  const [same, ...more] = distinct.values();
  const [one] = same ?? [];
  if (same === undefined || one === undefined) {
    const what = `No repository that is mirrored holds a commit ${shortCommit(digits)}. They were last fetched at ${wireTime(told.asOf)}.`;
    return refuse({ type: 'not-found', what, nearest: [] });
  }
  if (more.length > 0) {
    const each = told.answer
      .filter(({ commit }, index, all) => all.findIndex((other) => other.commit.sha === commit.sha) === index)
      .map(({ commit }) => `${commit.sha} (${commit.subject})`)
      .join(', ');
    return refuse({ type: 'bad-parameter', name: 'sha', message: `is the beginning of several commits: ${each}` });
  }
  const inOrder = await byStanding(moment, same);
  return {
    commit: one.commit,
    repositories: inOrder.map(({ repository }) => repository),
    url: inOrder[0]?.url ?? one.url,
    asOf: told.asOf,
  };
}

/** One commit in several repositories: first those that are configured, which no cluster can be, then those that most is built from. */
async function byStanding(
  { git, fleet, now }: KnownMoment,
  found: readonly FoundCommit[],
): Promise<readonly FoundCommit[]> {
  if (found.length === 1) return found;
  const told = await git.repositories();
  const configured = new Set(
    told.type === 'told' ? told.answer.flatMap(({ key, origin }) => (origin === 'configured' ? [key] : [])) : [],
  );
  const built = repositoriesOf(fleet.all(now())).map(({ key }) => key);
  const placeOf = ({ repository }: FoundCommit): number => {
    const place = built.indexOf(repository);
    return (configured.has(repository) ? 0 : built.length + 1) + (place < 0 ? built.length : place);
  };
  return found.toSorted((a, b) => placeOf(a) - placeOf(b));
}
