import type { CurrentObject } from './current.ts';
import type { Verdict } from './verdict.ts';

/** Verdicts that a commit (or a chart's version, or a repository) gives to whatever takes it up. */
const catching: Readonly<Record<Verdict, boolean>> = {
  diverged: true,
  drifted: false,
  unhealthy: true,
  stale: false,
  unobserved: false,
  suspended: false,
  behind: true,
  waiting: false,
  progressing: false,
  unconfirmed: false,
  converged: false,
};

function named(object: CurrentObject): readonly string[] {
  const { kind, namespace, name } = object.ref;
  return [kind, namespace, name];
}

/**
 * What an object's failure has in common with those that are one and the same: equal for the object of one name that fails for one
 * reason at one revision of one repository, on whatever cluster, and for objects of different names that do so with the very same
 * message. Different names alone are no hint: every Kustomization of a source moves to each of its commits (facts/flux.md B9.7).
 * [] for what fails alone, or because of something else.
 */
export function likenesses(object: CurrentObject): readonly string[] {
  if (object.rootCause !== null || !catching[object.verdict] || object.reason === '') return [];
  const { reason, repository } = object;
  // A repository that cannot be fetched is one on every cluster that fetches it.
  if (object.role === 'source') return [JSON.stringify([...named(object), reason, repository])];
  const revision = object.verdict === 'behind' ? object.revision.offered : object.revision.attempted;
  if (object.role !== 'applier' || revision === null) return [];
  const failure = [object.ref.kind, object.verdict, reason, repository, revision];
  const byName = JSON.stringify([...named(object), ...failure]);
  return object.message === '' ? [byName] : [byName, JSON.stringify([...failure, object.message])];
}

/** The names of objects that fail alike and where: "checkout on eu-west-3", "checkout on 3 clusters", "a, b and 2 more on 3 clusters". */
export function alikeTitle(objects: readonly CurrentObject[]): string {
  const names = [...new Set(objects.map(({ ref }) => ref.name))].toSorted();
  const clusters = [...new Set(objects.map(({ ref }) => ref.cluster))];
  const [first = '', second] = names;
  const more = names.length > 2 ? ` and ${names.length - 2} more` : '';
  const who = second === undefined ? first : more === '' ? `${first} and ${second}` : `${first}, ${second}${more}`;
  return `${who} on ${clusters.length === 1 ? clusters[0] : `${clusters.length} clusters`}`;
}
