import type { SuspectsQuery, WireSuspect, WireSuspects, WireSuspicion } from '#lib/api/git/suspect.ts';
import { refOfWords } from '#lib/api/git/suspect.ts';
import { wordsOf } from '#lib/api/params.ts';
import { suspicionText } from '#lib/domain/commit/suspect-text.ts';
import type { Suspicion } from '#lib/domain/commit/suspect.ts';
import type { Touch } from '#server/git/port/shapes.ts';
import { commitName } from '../commits/commit-name.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { sharedAnswers } from '../git/shared-answers.ts';
import { isRefused, unreadable, type Refused } from '../http/problem.ts';
import type { LinksOf } from '../wire/wire-context.ts';
import { wireTime, wireTimeOrNull } from '../wire/wire-time.ts';
import { askGit, type GitConclusion } from './ask-git.ts';
import { inTime } from '../git/in-time.ts';
import { questionOfIncident, questionOfObject, type SuspectQuestion } from './suspect-question.ts';

/** Ranges that end at more commits than this: owners are not told. */
const mostWithOwners = 5;
const mostMembers = { one: 200, each: 20 };
const mostSuspects = 20;

interface Asked {
  readonly of: string;
  readonly question: SuspectQuestion | null;
}

/**
 * The suspects of incidents and objects, told once for all who ask while neither the fleet nor git has changed. What did not come in time is not
 * kept: it has often come a little later.
 */
export const suspectRows = sharedAnswers(
  listSuspects,
  (answer) =>
    isRefused(answer) || answer.rows.some(({ suspicion }) => suspicion?.late === true) ? null : answer.rows.length,
  // The wait for the answer itself is still to come.
  ({ wait }) => wait / 4,
);

/** The suspects of incidents and objects. Git is waited for no longer than asked; refused where the record cannot be read. */
async function listSuspects(moment: KnownMoment, query: SuspectsQuery): Promise<WireSuspects | Refused> {
  const incidents = wordsOf(query.incident);
  const most = incidents.length === 1 ? mostMembers.one : mostMembers.each;
  const read = [
    ...incidents.map(async (of): Promise<Asked> => ({ of, question: await questionOfIncident(moment, of, most) })),
    ...wordsOf(query.object).map(async (of): Promise<Asked> => {
      const ref = refOfWords(of);
      return { of, question: ref === null ? null : await questionOfObject(moment, ref) };
    }),
  ];
  const asked = await Promise.all(read).catch(() => null);
  if (asked === null) return unreadable;
  const questions = asked.flatMap(({ question }) => (question?.type === 'ask' ? [question] : []));
  const owners = new Set(questions.map(({ repository, to }) => `${repository} ${to}`)).size <= mostWithOwners;
  const answers =
    questions.length === 0 ? new Map() : await inTime(moment, query.wait, askGit(moment.git, questions, { owners }));
  const now = moment.now();
  const { links } = moment.context(now);
  return {
    asOf: wireTime(now),
    rows: asked.map(({ of, question }) => {
      if (question === null) return { of, suspicion: null };
      if (question.type === 'known') return { of, suspicion: wireSuspicion(bare(question.suspicion), '', links) };
      const found = answers?.get(question) ?? bare({ type: 'not-told', why: 'late' });
      return { of, suspicion: wireSuspicion(found, question.repository, links) };
    }),
  };
}

/** A conclusion for which git was not asked, or did not answer. */
function bare(suspicion: Suspicion): GitConclusion {
  return { suspicion, touches: new Map(), elsewhere: [], owners: null, reason: null, asOf: null };
}

function wireSuspicion(found: GitConclusion, url: string, links: LinksOf): WireSuspicion {
  const { suspicion, touches, owners, asOf } = found;
  const shas = shasOf(suspicion);
  const listed = shas.flatMap((sha) => touches.get(sha) ?? []);
  const newest = listed.toSorted((a, b) => b.commit.committedAt - a.commit.committedAt).slice(0, mostSuspects);
  return {
    type: suspicion.type,
    sentence: suspicionText(suspicion, found),
    late: suspicion.type === 'not-told' && suspicion.why === 'late',
    commits: suspicion.type === 'not-told' ? null : suspicion.commits,
    suspects: newest.map((touch) => wireSuspect(touch, url, links)),
    more: (suspicion.type === 'suspects' && suspicion.more) || shas.length > newest.length,
    owners: owners === null ? null : [...owners],
    asOf: wireTimeOrNull(asOf),
  };
}

function shasOf(suspicion: Suspicion): readonly string[] {
  switch (suspicion.type) {
    case 'culprit':
      return [suspicion.sha];
    case 'suspects':
      return suspicion.shas;
    case 'none':
    case 'not-told':
      return [];
  }
}

/** A commit that touches what something builds from, on the wire. */
export function wireSuspect({ commit, files, fileCount }: Touch, url: string, links: LinksOf): WireSuspect {
  return { ...commitName(commit, url, links), files: [...files], fileCount };
}
