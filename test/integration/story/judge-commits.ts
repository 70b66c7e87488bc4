import type { SaidObject } from './said.ts';
import { commitOf, latency, nameOf } from './judged.ts';
import type { ScriptTruth } from './script-truth.ts';
import type { TriedLog } from './tried-log.ts';

/** A commit in words: no part of a name, a digest or a uid. */
export const commits = /(?<![-\w:])[0-9a-f]{7,40}(?![-\w])/g;

/** Revisions that the cluster itself says an object runs, has tried and is offered, by its status at about the moment that is told. */
interface Known {
  readonly runs: ReadonlySet<string | null>;
  readonly tried: ReadonlySet<string | null>;
  readonly offered: ReadonlySet<string | null>;
}

/** In which words a sentence names a commit, and what it has to be. Other words name none. */
const clauses: readonly (readonly [words: RegExp, what: keyof Known])[] = [
  [/\bwas applied at ([0-9a-f]{7,40})\b/g, 'runs'],
  [/\bThe cluster runs ([0-9a-f]{7,40})\b/g, 'runs'],
  [/\bruns ([0-9a-f]{7,40})(?=, though\b)/g, 'runs'],
  [/, though ([0-9a-f]{7,40}) is offered/g, 'offered'],
  [/\blast tried at ([0-9a-f]{7,40})\b/g, 'tried'],
  [/\bParts of ([0-9a-f]{7,40}) may run/g, 'tried'],
  [/\bhas fetched ([0-9a-f]{7,40})\b/g, 'offered'],
];

function knownOf(tried: TriedLog, object: SaidObject, now: number): Known | null {
  // What is not seen is told as it was last.
  const from = object.verdict === 'unobserved' ? 0 : now - latency;
  const name = nameOf(object);
  if (object.kind === 'GitRepository')
    return { runs: new Set(), tried: new Set(), offered: tried.offered(object.cluster, from, now) };
  const applied = tried.applied(name, from, now);
  if (applied === null) return null;
  const last = tried.tried(name, from, now);
  // Where only its health checks fail, what was tried was applied. What was applied in part is told as such.
  const runs = object.reason === 'HealthCheckFailed' || object.was === 'unhealthy' ? last.union(applied) : applied;
  return { runs, tried: last, offered: tried.offered(object.cluster, from, now) };
}

function names(known: ReadonlySet<string | null>, hash: string): boolean {
  return [...known].some((revision) => commitOf(revision)?.startsWith(hash) ?? false);
}

function wrongWords(truth: ScriptTruth, sentence: string, known: Known | null): readonly string[] {
  truth.judged.sentences += 1;
  let rest = sentence;
  const found: string[] = [];
  for (const [words, what] of clauses)
    for (const [clause, hash = ''] of sentence.matchAll(words)) {
      truth.judged.commits += 1;
      rest = rest.replace(clause, '');
      if (known === null || !names(known[what], hash))
        found.push(`"${sentence}" names ${hash}, which it never ${what}`);
    }
  for (const hash of rest.match(commits) ?? []) found.push(`"${sentence}" names ${hash}, and nobody knows as what`);
  return found;
}

/** Contradictions to the clusters' own status in the commits that are told of one object, in words and in fields. */
export function wrongCommits(truth: ScriptTruth, tried: TriedLog, object: SaidObject, now: number): readonly string[] {
  const known = knownOf(tried, object, now);
  const found = [...wrongWords(truth, object.sentence, known)];
  if (known === null || object.kind !== 'Kustomization') return found;
  const { revision, commit, commitDiffers } = object;
  truth.judged.commits += 3;
  if (
    !(tried.applied(nameOf(object), object.verdict === 'unobserved' ? 0 : now - latency, now) ?? known.runs).has(
      revision.applied,
    )
  )
    found.push(`applied ${revision.applied}, and it has ${[...known.runs].join(' or ')}`);
  if (!known.tried.has(revision.attempted))
    found.push(`tried ${revision.attempted}, and it did ${[...known.tried].join(' or ')}`);
  // What comes from elsewhere is not offered by the control repository.
  if (object.source?.name !== 'control-repo') return found;
  if (commit !== null && !names(known.runs, commit) && !names(known.tried, commit)) found.push(`runs ${commit}`);
  if (revision.offered !== null && !known.offered.has(revision.offered))
    found.push(`is offered ${revision.offered}, and it is ${[...known.offered].join(' or ')}`);
  if (
    commit !== null &&
    revision.offered !== null &&
    commitDiffers !== (commit === commitOf(revision.offered) ? 'no' : 'yes')
  )
    found.push(`its commit ${commitDiffers === 'yes' ? 'differs from' : 'is'} what is offered, it is said`);
  return found;
}
