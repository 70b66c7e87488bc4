import { WireCommitPage } from '#lib/api/commit.ts';
import { commitOutcome } from '#lib/api/waiting/commit-outcome.ts';
import { WireProblem } from '#lib/api/refusals/problem.ts';
import { parseForeign } from '#lib/foreign.ts';
import { legibleLine } from '#lib/domain/observation/legible.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import type { Answer } from './ask.ts';

/** Longest line that is told of what another program says, in UTF-16 units. */
const longestLine = 1_024;

/** One answer of the API on a commit, understood. `why` is a sentence or a few words, clean. */
export type Reading =
  /** `text`: the answer as it came. */
  | { readonly type: 'page'; readonly page: WireCommitPage; readonly text: string }
  /** Plumbline answers, and knows no such commit, or not yet. */
  | { readonly type: 'not-held'; readonly why: string }
  /** No answer of Plumbline came, and one may come later. `isCut`: somebody between did not wait as long. */
  | { readonly type: 'lost'; readonly why: string; readonly isCut: boolean; readonly isNobody: boolean }
  /** None will come. `code` is the exit code. */
  | { readonly type: 'refused'; readonly why: string; readonly code: number };

/** Words of another program on one line: bounded, and nothing in them steers a terminal. */
export function foreignLine(text: string): string {
  return legibleLine(text.length > longestLine ? `${text.slice(0, longestLine - 1)}…` : text);
}

/** Understands an answer to the question for a commit by its first digits. */
export function readAnswer(answer: Answer, digits: string): Reading {
  switch (answer.type) {
    case 'too-large':
      return unavailable('The answer is larger than any of Plumbline: name fewer clusters, by --cluster or --label.');
    case 'lost':
      return {
        type: 'lost',
        why: foreignLine(answer.why),
        isCut: answer.code === null || answer.code === 'UND_ERR_SOCKET' || answer.code === 'ECONNRESET',
        isNobody: answer.code === 'ECONNREFUSED',
      };
    case 'answer':
      return answer.status === 200 ? pageOf(answer.text, digits) : refusalOf(answer);
  }
}

function pageOf(text: string, digits: string): Reading {
  const parsed = WireCommitPage.safeParse(parseForeign(text));
  if (!parsed.success) return unavailable('What answers there is no Plumbline that this command understands.');
  if (!parsed.data.commit.sha.startsWith(digits)) return unavailable('The answer is about another commit.');
  // A half of it is wrong, and nobody knows which.
  if (parsed.data.outcome !== commitOutcome(parsed.data.counts))
    return unavailable('The answer contradicts itself: what it says of the commit does not follow from its counts.');
  return { type: 'page', page: parsed.data, text };
}

function refusalOf({ status, text, location }: Extract<Answer, { readonly type: 'answer' }>): Reading {
  if (status >= 300 && status < 400) {
    const where = location === null ? '' : ` to ${foreignLine(location)}`;
    return unavailable(`It sends on${where}: name by --url where the API answers without a login.`);
  }
  if (status === 401 || status === 403)
    return unavailable(`It answers ${status}: name by --url where the API answers without a login.`);
  const problem = WireProblem.safeParse(parseForeign(text));
  const said = problem.success ? foreignLine(problem.data.detail) : null;
  if (status >= 500 || status === 408 || status === 429) {
    // Of Plumbline itself: it answers, and cannot tell now.
    if (status === 503 && said !== null) return { type: 'not-held', why: said };
    return { type: 'lost', why: `it answers ${status}`, isCut: status === 504 || status === 408, isNobody: false };
  }
  if (said === null)
    return unavailable(`What answers there (${status}) is no Plumbline that this command understands.`);
  if (status === 404 && problem.data?.notThere === undefined) return { type: 'not-held', why: said };
  const isOurs = status === 404 || status === 400;
  return { type: 'refused', why: said, code: isOurs ? exitCode.usage : exitCode.unavailable };
}

function unavailable(why: string): Reading {
  return { type: 'refused', why, code: exitCode.unavailable };
}
