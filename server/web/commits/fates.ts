import { fateOf, type Fate } from '#lib/domain/commit/fate.ts';
import { commitOf } from '#lib/domain/observation/revision.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { type GitReader, mostAsked } from '#server/git/port/git-reader.ts';

/** An object with its state for one commit. */
export interface ObjectFate {
  readonly object: CurrentObject;
  readonly fate: Fate;
}

/** Answers of git, by what was asked; null where it does not know. */
interface Known<Answer> {
  readonly answers: ReadonlyMap<string, Answer>;
  /** Why it does not know, where it does not know any; null else. */
  readonly reason: string | null;
}

/** It may be newer than the last fetch, or of a history that was rewritten. */
const notHeld = 'the mirror does not hold the commit that it runs';

/** The states of objects that are built from the repository at `url` for one of its commits. What git does not tell is unknown. */
export async function fatesOf(
  git: GitReader,
  url: string,
  sha: string,
  objects: readonly CurrentObject[],
): Promise<readonly ObjectFate[]> {
  const touches = await askEach(unique(objects.map(({ path }) => path)), mostAsked.ranges, (paths) =>
    git.touches(url, sha, paths),
  );
  const concerned = objects.filter(({ path }) => path !== null && touches.answers.get(path) !== false);
  const holds = await askEach(
    unique(concerned.flatMap((object) => [object.commit, triedOf(object)])),
    mostAsked.commits,
    (commits) => git.contain(url, sha, commits),
  );
  const later = await laterOf(git, url, sha, concerned, holds);
  return objects.map((object) => {
    const { path, commit, verdict, reason } = object;
    const tried = triedOf(object);
    const runs = commit === null ? null : (holds.answers.get(commit) ?? null);
    const fate = fateOf({
      verdict,
      reason,
      touches: path === null ? false : (touches.answers.get(path) ?? null),
      runs,
      tried: tried === null ? null : (holds.answers.get(tried) ?? null),
      later: path === null || commit === null ? null : (later.get(pairKey(path, commit)) ?? null),
      laterKnown: commit === sha || (path !== null && commit !== null && later.has(pairKey(path, commit))),
      unknown: touches.reason ?? holds.reason ?? (commit !== null && runs === null ? notHeld : null),
    });
    return { object, fate };
  });
}

/** The commit that was tried last; null where it is not known. */
function triedOf({ revision, source }: CurrentObject): string | null {
  return commitOf(revision.attempted, source?.kind ?? null);
}

function unique(texts: readonly (string | null)[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== null))];
}

function pairKey(path: string, commit: string): string {
  return `${commit} ${path}`;
}

/** Asks in pieces of at most `most`. */
async function askEach<Answer>(
  texts: readonly string[],
  most: number,
  ask: (
    texts: readonly string[],
  ) => Promise<{ type: 'told'; answer: readonly (Answer | null)[] } | { type: 'not-told'; reason: string }>,
): Promise<Known<Answer>> {
  const answers = new Map<string, Answer>();
  let reason: string | null = null;
  for (let from = 0; from < texts.length; from += most) {
    const asked = texts.slice(from, from + most);
    const told = await ask(asked);
    if (told.type === 'not-told') reason = told.reason;
    else
      told.answer.forEach((answer, index) => {
        const text = asked[index];
        if (answer !== null && text !== undefined) answers.set(text, answer);
      });
  }
  return { answers, reason };
}

/** The newest commit after `sha` that touches what an object is built from, by path and by what runs; null for none, absent where that is not told. */
async function laterOf(
  git: GitReader,
  url: string,
  sha: string,
  objects: readonly CurrentObject[],
  holds: Known<boolean>,
): Promise<ReadonlyMap<string, string | null>> {
  const pairs = new Map<string, { readonly path: string; readonly commit: string }>();
  for (const { path, commit } of objects)
    if (path !== null && commit !== null && commit !== sha && holds.answers.get(commit) === true)
      pairs.set(pairKey(path, commit), { path, commit });
  const ranges = [...pairs.values()].slice(0, mostAsked.ranges);
  const found = new Map<string, string | null>();
  if (ranges.length === 0) return found;
  const told = await git.between(
    url,
    ranges.map(({ path, commit }) => ({ path, from: sha, to: { type: 'commit', sha: commit } })),
  );
  if (told.type === 'not-told') return found;
  told.answer.forEach((between, index) => {
    const range = ranges[index];
    if (range === undefined || between.type === 'unknown') return;
    // A large answer leaves touches out, and still counts them.
    const [newest] = between.touching;
    if (newest !== undefined) found.set(pairKey(range.path, range.commit), newest.commit.sha);
    else if (between.touchingCount === 0) found.set(pairKey(range.path, range.commit), null);
  });
  return found;
}
