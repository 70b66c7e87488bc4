import type { CompareQuery, WireComparePage, WireComparison, WireFileDiff } from '#lib/api/git/compare.ts';
import type { WireRepository } from '#lib/api/commit.ts';
import type { GitPlace } from '#server/git/port/git-reader.ts';
import type { Comparison } from '#server/git/port/shapes.ts';
import { commitName } from '../commits/commit-name.ts';
import type { FleetRepository } from '../commits/fleet-repositories.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { wireTime } from '../wire/wire-time.ts';
import { builtFrom } from './built-objects.ts';
import { beneath, type Places } from './places.ts';

interface Asked {
  readonly repository: WireRepository;
  /** Objects that are built from it; undefined where nothing is. */
  readonly fleet: FleetRepository | undefined;
  readonly query: CompareQuery;
  readonly places: Places;
}

/** Files that are listed. */
const mostListed = 500;

type Compared = Pick<WireComparePage, 'comparison' | 'diff' | 'reason'>;

/** Compares two directories, and the lines of one file where that is asked for. */
export async function compared(moment: KnownMoment, asked: Asked): Promise<Compared & Partial<WireComparePage>> {
  const { repository, query, places } = asked;
  const told = await moment.git.compare(repository.key, places.left, places.right);
  if (told.type === 'not-told') return { comparison: null, diff: null, reason: told.reason };
  // All else is asked of the commits that were compared: a branch may have moved meanwhile.
  const at = { ...asked, places: { left: placeOf(told.answer.left), right: placeOf(told.answer.right) } };
  const [comparison, diff] = await Promise.all([
    comparisonOf(moment, at, told.answer),
    query.file === '' ? null : diffOf(moment, at, query.file),
  ]);
  const reason = typeof diff === 'string' ? diff : repository.reason;
  return { comparison, diff: typeof diff === 'string' ? null : diff, reason, mirroredAt: wireTime(told.asOf) };
}

function placeOf({ commit, path }: Comparison['left']): GitPlace {
  return { at: { type: 'commit', sha: commit.sha }, path };
}

async function comparisonOf(
  moment: KnownMoment,
  { repository, fleet, query, places }: Asked,
  { left, right, files, counts }: Comparison,
): Promise<WireComparison> {
  const wanted = files.filter(({ status }) => (query.only === '' ? status !== 'equal' : status === query.only));
  const listed = wanted.slice(0, mostListed);
  const objects = await builtFrom(moment, { repository: repository.key, fleet, places, files: listed });
  const { links } = moment.context(moment.now());
  const side = ({ commit, path, exists }: Comparison['left']) => ({
    path,
    exists,
    commit: commitName(commit, fleet?.url ?? repository.url, links),
  });
  return {
    left: side(left),
    right: side(right),
    counts,
    files: listed.map(({ path, status, content }, index) => {
      const built = objects[index] ?? null;
      return {
        path,
        status,
        content,
        objects: built === null ? null : [...built.first],
        objectCount: built?.count ?? 0,
      };
    }),
    asked: askedCount(counts, query.only),
  };
}

function askedCount(
  { equal, different, leftOnly, rightOnly }: Comparison['counts'],
  only: CompareQuery['only'],
): number {
  switch (only) {
    case '':
      return different + leftOnly + rightOnly;
    case 'equal':
      return equal;
    case 'different':
      return different;
    case 'left-only':
      return leftOnly;
    case 'right-only':
      return rightOnly;
  }
}

/** The lines of a file; a sentence where they are not told. */
async function diffOf(
  { git }: KnownMoment,
  { repository, places }: Asked,
  file: string,
): Promise<WireFileDiff | string> {
  const [left, right] = [beneath(places.left, file), beneath(places.right, file)];
  const told = await git.diff(repository.key, left, right);
  if (told.type === 'not-told') return `The lines of ${file} are not told: ${told.reason}`;
  const { content, hunks, cut } = told.answer;
  return { file, content, hunks, cut };
}
