import type { FateState, WireCommitCluster, WireCommitPage } from '#lib/api/commit.ts';
import { timesNotKnownWords } from '#lib/api/git/times-not-known.ts';
import { shortCommit } from '#lib/domain/observation/revision.ts';
import { afterText, waveWord } from '#lib/draw/wave/wave-text.ts';
import { countOf } from '#lib/format/number.ts';
import { parseTime } from '#lib/format/time.ts';
import { inColumns } from '../columns.ts';
import { foreignLine } from './reading.ts';

/** Clusters that are printed, the ones to look at first; JSON has all. */
const mostLines = 1_000;
/** Longest cell of the table but the last, in UTF-16 units. */
const longestCell = 100;

/** The commit itself: "2d81a0c Raise checkout (#12), by Ada". */
export function commitLine({ commit }: WireCommitPage): string {
  return foreignLine(`${shortCommit(commit.sha)} ${commit.subject}, by ${commit.author}`);
}

/** Where it has come: a sentence, then a line a cluster. */
export function commitLines(page: WireCommitPage): readonly string[] {
  const shown = page.clusters.slice(0, mostLines);
  const left = page.clusters.length - shown.length;
  const committedAt = parseTime(page.commit.at);
  const rows = shown.map((line) => rowOf(line, committedAt));
  return [
    foreignLine(page.sentence),
    ...(rows.length === 0 ? [] : ['', ...inColumns([['STATE', 'CLUSTER', 'ENVIRONMENT', 'CAME', ''], ...rows])]),
    ...(left === 0 ? [] : [`and ${countOf(left, 'cluster')} more`]),
  ];
}

function rowOf(line: WireCommitCluster, committedAt: number | null): readonly string[] {
  const { state, cluster, environment, lastAt, notKnown, why } = line;
  const last = lastAt === null ? null : parseTime(lastAt);
  const none = notKnown === null ? '' : timesNotKnownWords[notKnown];
  const came = last === null || committedAt === null ? none : afterText(last, committedAt);
  return [wordOf(state), cell(cluster), cell(environment), came, foreignLine(why)];
}

function wordOf(state: FateState): string {
  return state === 'not-concerned' ? 'not concerned' : waveWord[state];
}

function cell(text: string): string {
  return text.length > longestCell ? `${text.slice(0, longestCell - 1)}…` : text;
}
