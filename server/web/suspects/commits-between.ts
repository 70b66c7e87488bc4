import type { CommitsBetweenQuery, WireCommitsBetween } from '#lib/api/git/suspect.ts';
import { longestWait, refOfWords } from '#lib/api/git/suspect.ts';
import { beyondText } from '#lib/domain/commit/beyond.ts';
import { suspicionText } from '#lib/domain/commit/suspect-text.ts';
import type { Untold } from '#lib/domain/commit/suspect.ts';
import { buildsBy, objectsAt } from '../commits/build-of.ts';
import { whyBeyond } from '../commits/built-from.ts';
import { commitName } from '../commits/commit-name.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { wireTime } from '../wire/wire-time.ts';
import { inTime } from '../git/in-time.ts';
import { wireSuspect } from './suspect-rows.ts';

/** Commits between two, those apart that touch what an object builds from. */
export async function commitsBetween(moment: KnownMoment, query: CommitsBetweenQuery): Promise<WireCommitsBetween> {
  const now = moment.now();
  const ref = refOfWords(query.object);
  const object = ref === null ? null : moment.find(ref, now);
  const asOf = wireTime(now);
  const nothing = (reason: string): WireCommitsBetween => ({
    ...{ asOf, touching: [], touchingCount: 0, others: [], othersCount: 0, beyond: null },
    reason,
  });
  if (object === null || object.repository === null || object.path === null) return nothing(textOf('no-path'));
  const { repository } = object;
  const { build, source } = buildsBy(objectsAt(moment, now))(object);
  const beyond = whyBeyond(object, source);
  const to = { type: 'commit', sha: query.to } as const;
  const asked = [
    { path: build, from: query.from, to },
    { path: null, from: query.from, to },
  ];
  const answer = await inTime(moment, longestWait, moment.git.between(repository, asked));
  if (answer === null) return nothing(textOf('late'));
  if (answer.type === 'not-told') return nothing(answer.reason);
  const [own, all] = answer.answer;
  if (own === undefined || all === undefined) return nothing(textOf('unreadable'));
  if (own.type === 'unknown') return nothing(textOf(own.why));
  if (all.type === 'unknown') return nothing(textOf(all.why));
  const { links } = moment.context(now);
  const touching = new Set(own.touching.map(({ commit }) => commit.sha));
  // A large answer lists fewer: beyond the last that is listed nobody knows which of the others touch it.
  const last = own.touching.at(-1)?.commit.sha;
  const cut =
    own.touchingCount > own.touching.length ? all.touching.findIndex(({ commit }) => commit.sha === last) : -1;
  const told = cut < 0 ? all.touching : all.touching.slice(0, cut);
  const others = told.filter(({ commit }) => !touching.has(commit.sha));
  const othersCount = all.commits - own.touchingCount;
  return {
    asOf,
    touching: own.touching.map((touch) => wireSuspect(touch, repository, links)),
    touchingCount: own.touchingCount,
    others: others.map(({ commit }) => commitName(commit, repository, links)),
    othersCount,
    beyond: beyond === null || othersCount === 0 ? null : beyondText(beyond),
    reason: null,
  };
}

function textOf(why: Untold): string {
  return suspicionText({ type: 'not-told', why }, { elsewhere: [], reason: null });
}
