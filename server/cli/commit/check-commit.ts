import { CommitQuery, type WireCommitPage } from '#lib/api/commit.ts';
import { legibleJson } from '#lib/domain/observation/legible.ts';
import { shortCommit } from '#lib/domain/observation/revision.ts';
import { parseDuration } from '#lib/domain/time/parse-duration.ts';
import { day } from '#lib/domain/time/length.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import type { Output } from '../output.ts';
import { originOf } from '../report.ts';
import { addressOf } from '../serving/serve-options.ts';
import { type Asking, awaitCommit, type Question } from './await-commit.ts';
import { commitLine, commitLines } from './commit-lines.ts';

/** Options of `plumbline check` that go with a commit. */
export interface CommitOptions {
  readonly commit?: string | undefined;
  readonly wait?: string | undefined;
  readonly url?: string | undefined;
  readonly cluster?: string | undefined;
  readonly label?: string | undefined;
}

/** Verdicts of the command on a commit, as exit codes. */
const verdictCode = { arrived: 0, failed: 1, unknown: 2, nothing: 2, waiting: 3 } as const;

const longestWait = day;

type Environment = Readonly<Record<string, string | undefined>>;

/** The option that has no meaning without --commit; null where there is none. */
export function withoutCommit({ commit, wait, url, cluster, label }: CommitOptions): string | null {
  if (commit !== undefined) return null;
  const given = Object.entries({ wait, url, cluster, label }).find(([, value]) => value !== undefined);
  return given === undefined ? null : `--${given[0]} goes with --commit.`;
}

/** `plumbline check --commit`: asks the Plumbline that runs where a commit has come, and waits for it where told to. Gives the exit code. */
export async function checkCommit(
  options: CommitOptions & { readonly output: 'table' | 'json' },
  environment: Environment,
  output: Output,
  { clock, ask }: Pick<Asking, 'clock' | 'ask'>,
): Promise<number> {
  const question = questionOf(options, environment);
  if (typeof question === 'string') {
    output.say(question);
    return exitCode.usage;
  }
  const end = await awaitCommit({ clock, ask, say: output.say }, question);
  switch (end.type) {
    case 'page':
      if (options.output === 'json') output.out(legibleJson(end.text.trim().replace(/[\t\r\n]+/g, ' ')));
      else for (const line of [commitLine(end.page), ...commitLines(end.page)]) output.out(line);
      output.say(verdictLine(end.page, options.wait));
      return verdictCode[end.page.outcome];
    case 'not-held':
      output.say(`Unknown: ${end.why}`);
      return verdictCode.unknown;
    case 'refused':
      output.say(`${question.origin}: ${end.why}`);
      return end.code;
    case 'lost':
      output.say(
        end.isNobody && question.isGuess
          ? `No Plumbline runs at ${question.origin}: name the one that does by --url, such as --url https://plumbline.example.org.`
          : `${question.origin} cannot be asked: ${end.why}.`,
      );
      return exitCode.unavailable;
  }
}

/** The question that the options ask, or a line that says why they ask none. */
function questionOf(options: CommitOptions, environment: Environment): Question | string {
  const { commit = '', wait = '0s', url, cluster, label } = options;
  const ms = parseDuration(wait);
  if (ms === null || ms > longestWait) return `"${wait}" is no time to wait: a duration such as 15m, at most 1d.`;
  const filter = { ...(cluster === undefined ? {} : { cluster }), ...(label === undefined ? {} : { label }) };
  const read = CommitQuery.safeParse({ sha: commit, ...filter });
  if (!read.success) {
    const [issue] = read.error.issues;
    const name = String(issue?.path[0] ?? 'sha');
    return `--${name === 'sha' ? 'commit' : name} ${issue?.message ?? 'is not valid'}.`;
  }
  const named = originOf(url);
  if (named.type === 'wrong') return named.line;
  if (named.origin !== null) return { origin: named.origin, sha: commit, filter, wait: ms, isGuess: false };
  const own = addressOf({}, environment);
  if (own.type !== 'ok') return own.line;
  return { origin: `http://${inUrl(own.host)}:${own.port}`, sha: commit, filter, wait: ms, isGuess: true };
}

function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function verdictLine({ outcome, commit, counts }: WireCommitPage, wait: string | undefined): string {
  const name = shortCommit(commit.sha);
  switch (outcome) {
    case 'arrived':
      return `Arrived: ${name} is out.`;
    case 'failed':
      return counts['failed-later'] > 0 && counts.stuck === 0
        ? `Failed: ${name} came, and something that runs it failed later.`
        : `Failed: ${name} is stuck.`;
    case 'waiting':
      return wait === undefined
        ? `Not arrived: ${name} is on its way.`
        : `Not arrived within ${wait}: ${name} is on its way.`;
    case 'unknown':
      return `Unknown: of some that ${name} concerns nothing is known.`;
    case 'nothing':
      return `Nothing: no object here is known to be concerned by ${name}.`;
  }
}
