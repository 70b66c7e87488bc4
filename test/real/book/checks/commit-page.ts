import type { WireCommitCluster, WireCommitPage } from '#lib/api/commit.ts';
import { type ForeignObject, textAt } from '#lib/foreign.ts';
import { conditionOf } from '../../harness/witness.ts';
import { type Check, noteOf, type Stage } from '../situation.ts';
import { gitRepositoryOf, kustomizationOf } from '../subjects.ts';

/** Distance that a time of a commit may have from the truth (ms). */
const exact = 5_000;
const times = ['offeredAt', 'firstAt', 'lastAt'] as const;
type TimeName = (typeof times)[number];

/** A commit on one cluster as it must be told. */
export interface ExpectedCluster {
  readonly cluster: 'alpha' | 'beta';
  readonly state: WireCommitCluster['state'];
  readonly why?: string;
  /** Times that must be told, each within 5 s of what the witness saw; the others must not be. null: they are not looked at. */
  readonly told: readonly TimeName[] | null;
}

/** A noted commit of the repository "outgoing" has come so far, and no further, by the API. */
export function hasCome(note: string, outcome: WireCommitPage['outcome'], expected: readonly ExpectedCluster[]): Check {
  const title = `commit "${note}"`;
  const words = expected.map(({ cluster, state, why, told }) => {
    const when = told === null ? '' : told.length === 0 ? ', no time' : `, ${told.join(', ')} within ${exact / 1000} s`;
    return `${state} on ${cluster}${why === undefined ? '' : ` (${why})`}${when}`;
  });
  return {
    expects: `${title} ${outcome}: ${words.join('; ') || 'it concerns no cluster'}`,
    async find(stage) {
      const page = await stage.plumbline.commit(noteOf(stage, note));
      if (page === null) return { fits: false, got: `${title}: no mirror holds it` };
      const wrong = expected.flatMap((one) => wrongWith(one, page, stage));
      const others = page.clusters.filter(({ cluster }) => !expected.some((one) => one.cluster === cluster));
      const found = [
        ...(page.outcome === outcome ? [] : [page.outcome]),
        ...wrong,
        ...others.map(({ cluster, state }) => `${state} on ${cluster} too`),
      ];
      return { fits: found.length === 0, got: `${title}: ${found.join('; ')}` };
    },
  };
}

function wrongWith({ cluster, state, why, told }: ExpectedCluster, page: WireCommitPage, stage: Stage): string[] {
  const line = page.clusters.find((one) => one.cluster === cluster);
  if (line === undefined) return [`not on ${cluster}`];
  const wrong: string[] = [];
  if (line.state !== state) wrong.push(`${line.state} on ${cluster} (${line.why})`);
  if (why !== undefined && line.why !== why) wrong.push(`on ${cluster} because of "${line.why}"`);
  if (told === null) return wrong;
  for (const name of times) {
    const time = line[name];
    if (!told.includes(name)) {
      if (time !== null) wrong.push(`${name} on ${cluster} is ${time}`);
      continue;
    }
    const truth = truthOf(name, cluster, page.commit.sha, stage);
    if (time === null || truth === null) wrong.push(`${name} on ${cluster} is ${time}, the witness saw ${truth}`);
    else if (Math.abs(Date.parse(time) - truth) > exact)
      wrong.push(`${name} on ${cluster} is ${Date.parse(time) - truth} ms from the truth`);
  }
  return wrong;
}

/** When it was offered there, and the first and the last of what is built from it ran it, as the witness saw it (ms). */
function truthOf(name: TimeName, cluster: string, sha: string, stage: Stage): number | null {
  const offered = (object: ForeignObject): boolean =>
    (textAt(object, 'status', 'artifact', 'revision') ?? '').endsWith(sha);
  if (name === 'offeredAt') return stage.witness.first(gitRepositoryOf(cluster, 'outgoing'), 0, offered)?.at ?? null;
  const runs = (object: ForeignObject): boolean =>
    (textAt(object, 'status', 'lastAppliedRevision') ?? '').endsWith(sha) &&
    conditionOf(object, 'Ready').startsWith('True');
  const seen = ['outgoing', 'beside-outgoing'].map(
    (one) => stage.witness.first(kustomizationOf(cluster, one), 0, runs)?.at ?? null,
  );
  const came = seen.filter((at) => at !== null);
  if (came.length === 0 || (name === 'lastAt' && came.length < seen.length)) return null;
  return name === 'firstAt' ? Math.min(...came) : Math.max(...came);
}

/** `plumbline check --commit` of a noted commit ends so. */
export function checkEnds(note: string, code: number, sentence: string): Check {
  return {
    expects: `plumbline check --commit of "${note}": exit ${code}, "${sentence}"`,
    async find(stage) {
      const args = ['check', '--commit', noteOf(stage, note), '--url', stage.plumbline.origin];
      const ran = await stage.plumbline.run(...args);
      const fits = ran.code === code && ran.stdout.split('\n').some((line) => line.startsWith(sentence));
      return { fits, got: `exit ${ran.code}: ${[ran.stdout, ran.stderr].join(' ').replaceAll('\n', ' | ')}` };
    },
  };
}

/** Somebody waits for a noted commit by `plumbline check --commit --wait` while something is done; how that ended is noted. */
export function waitsFor(note: string, meanwhile: (stage: Stage) => Promise<void>) {
  return async (stage: Stage): Promise<void> => {
    const args = ['check', '--commit', noteOf(stage, note), '--url', stage.plumbline.origin, '--wait', '80s'];
    const ended = stage.plumbline.run(...args).then((ran) => ({ ...ran, at: Date.now() }));
    await meanwhile(stage);
    const { code, stdout, at } = await ended;
    stage.notes.set(`waited for "${note}"`, `exit ${code}: ${stdout.split('\n')[1] ?? ''}`);
    stage.notes.set(`waited for "${note}" until`, String(at));
  };
}

/** Who waited for a noted commit was answered with this, no later than 20 s after the witness saw its end: that it came to a cluster, or failed on the first of the two. */
export function waitEnded(note: string, words: string, end: 'came to alpha' | 'came to beta' | 'failed'): Check {
  return {
    expects: `who waited for "${note}" was told "${words}" within 20 s after it ${end}`,
    async find(stage) {
      const said = noteOf(stage, `waited for "${note}"`);
      const sha = noteOf(stage, note);
      const truth =
        end === 'failed' ? firstFailed(sha, stage) : cameAt(end === 'came to alpha' ? 'alpha' : 'beta', sha, stage);
      const after = truth === null ? null : Number(noteOf(stage, `waited for "${note}" until`)) - truth;
      // The witness may see it some moments after Plumbline.
      const fits = said.startsWith(words) && after !== null && after > -exact && after < 20_000;
      return { fits, got: `"${said}", ${after} ms after it` };
    },
  };
}

const cameAt = (cluster: string, sha: string, stage: Stage): number | null => truthOf('lastAt', cluster, sha, stage);

/** When a commit first failed, wherever that was (ms). */
function firstFailed(sha: string, stage: Stage): number | null {
  const failed = (object: ForeignObject): boolean =>
    (textAt(object, 'status', 'lastAttemptedRevision') ?? '').endsWith(sha) &&
    conditionOf(object, 'Ready').startsWith('False');
  const times = ['alpha', 'beta'].flatMap(
    (cluster) => stage.witness.first(kustomizationOf(cluster, 'outgoing'), 0, failed)?.at ?? [],
  );
  return times.length === 0 ? null : Math.min(...times);
}
