import type { ObjectRef } from '../observation/ref.ts';
import { causeKey } from './cause.ts';
import { withoutEnd } from '../../text/without-end.ts';
import type { CurrentObject } from '../record/current.ts';
import type { Verdict } from '../verdict/verdict.ts';

/**
 * Verdicts that a commit (or a chart's version, or a repository) gives to whatever takes it up. What is behind has not taken it up:
 * that the same is offered to others explains nothing.
 */
const catching: Readonly<Record<Verdict, boolean>> = {
  diverged: true,
  drifted: false,
  unhealthy: true,
  stale: false,
  unobserved: false,
  suspended: false,
  behind: false,
  waiting: false,
  progressing: false,
  unconfirmed: false,
  converged: false,
};

/** Part of a record that tells what its object fails alike with. */
export type Alikeness = Pick<
  CurrentObject,
  'ref' | 'verdict' | 'reason' | 'repository' | 'rootCause' | 'range' | 'message'
>;

const known = new WeakMap<Alikeness, readonly string[]>();
const none: readonly string[] = [];

/**
 * Traits of an object's failure shared with those that fail alike: two do where one of these texts is equal. [] for what fails alone.
 *
 * Alike is the same error (kind, verdict, reason, and message but for names, paths, hashes and numbers) with a cause in common:
 * - the same root cause, or
 * - the same name on several clusters, from the same repository, or
 * - the same repository, and ranges that overlap: they begin after the same commit, or end with the same. Of others that is not
 *   known without the contents of the repository. The commit that is tried now is no hint: every applier of a source moves to each of
 *   its commits. A range without both ends, or whose ends are one, overlaps none, nor does a failure that says nothing.
 */
export function likenesses(object: Alikeness): readonly string[] {
  const before = known.get(object);
  if (before !== undefined) return before;
  const found = foundIn(object);
  known.set(object, found);
  return found;
}

function foundIn(object: Alikeness): readonly string[] {
  const { ref, verdict, reason, repository, rootCause, range, message } = object;
  if (reason === '') return none;
  const error = [ref.kind, verdict, reason, errorShape(message, ref)];
  if (rootCause !== null) return [JSON.stringify(['cause', causeKey(rootCause), ...error])];
  if (!catching[verdict]) return none;
  const byName = JSON.stringify(['name', ref.group, ref.namespace, ref.name, repository, ...error]);
  const { lastGood = null, firstBad = null } = range ?? {};
  if (repository === null || message === '' || lastGood === null || firstBad === null || lastGood === firstBad)
    return [byName];
  return [
    byName,
    JSON.stringify(['after', repository, lastGood, ...error]),
    JSON.stringify(['by', repository, firstBad, ...error]),
  ];
}

/** Gives whether another object fails like this one. */
export function failsLike(object: CurrentObject): (other: CurrentObject) => boolean {
  const own = new Set(likenesses(object));
  const { verdict, reason, ref } = object;
  // Most are told apart without a look at what they say.
  return (other) =>
    other.verdict === verdict &&
    other.reason === reason &&
    other.ref.kind === ref.kind &&
    likenesses(other).some((likeness) => own.has(likeness));
}

/** The names of objects that fail alike and where: "checkout on eu-west-3", "checkout on 3 clusters", "a, b and 2 more on 3 clusters". */
export function alikeTitle(objects: readonly CurrentObject[]): string {
  const names = [...new Set(objects.map(({ ref }) => ref.name))].toSorted();
  const clusters = [...new Set(objects.map(({ ref }) => ref.cluster))];
  const [only = ''] = clusters;
  return namesOnClusters(names, names.length, clusters.length === 1 ? only : clusters.length);
}

/** The first of `count` different names, in order, on one cluster by its name or on a number of them: "a, b and 2 more on 3 clusters". */
export function namesOnClusters(names: readonly string[], count: number, where: string | number): string {
  const [first = '', second = ''] = names;
  const who = count < 2 ? first : count === 2 ? `${first} and ${second}` : `${first}, ${second} and ${count - 2} more`;
  return `${who} on ${typeof where === 'string' ? where : `${where} clusters`}`;
}

/** Of a longer message only so much is compared, in UTF-16 units. */
const longest = 600;
const quoted = /"[^"\n]*"|'[^'\n]*'|`[^`\n]*`/g;
const apart = /[\s()[\]{}<>,;=|!?"'`]+/;
/** Placeholder for what two failures of one cause may differ in. */
const something = '*';

/**
 * A message without what differs from object to object: what is quoted, paths, addresses, hashes, versions and numbers, compound names,
 * and the names of the object itself. Equal for two failures that say the same of different things; '' for no message. Linear in the
 * length, of which no more than the first 600 characters count.
 */
export function errorShape(message: string, { cluster, namespace, name }: ObjectRef): string {
  const own: ReadonlySet<string> = new Set([cluster, namespace, name]);
  const shape: string[] = [];
  for (const word of message.slice(0, longest).replace(quoted, ` ${something} `).split(apart)) {
    const plain = withoutEnd(word, '.:');
    if (plain === '') continue;
    const part = own.has(plain) || isName(plain) ? something : plain.toLowerCase();
    if (part !== something || shape.at(-1) !== something) shape.push(part);
  }
  return shape.join(' ');
}

/** True if a word is more than letters: a path, a host, a hash, a number, a name such as checkout-api. */
function isName(word: string): boolean {
  return !/^\p{L}+$/u.test(word);
}
