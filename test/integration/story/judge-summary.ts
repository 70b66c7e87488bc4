import type { z } from 'zod';
import { minute } from '#lib/domain/time/length.ts';
import type { SaidCause, SaidSummary, SaidObject } from './said.ts';
import type { ScriptTruth } from './script-truth.ts';

type Summary = z.infer<typeof SaidSummary>['summary'];

/** Time until a cluster is known to be lost, by the script (ms). */
const lostWithin = 45_000;

/** Number of clusters that have an object in one of these verdicts. */
function clustersWith(objects: readonly SaidObject[], isOne: (object: SaidObject) => boolean): number {
  return new Set(objects.filter(isOne).map(({ cluster }) => cluster)).size;
}

const nowhere: ReadonlySet<string> = new Set(['stale', 'suspended', 'unobserved', 'unconfirmed', 'converged']);

/** Why the numbers of the sentence contradict the list: "2 of 14 clusters are not seen. Not as in git on 3 of 14 clusters: 2 diverged, ..." */
function wrongSentence(truth: ScriptTruth, { guarantee }: Summary, objects: readonly SaidObject[]): readonly string[] {
  const found: string[] = [];
  const text = `${guarantee.lead} ${guarantee.body}`;
  const own = objects.filter(({ role }) => role !== 'declared');
  const must = (what: string, number: string, is: number): void => {
    truth.judged.numbers += 1;
    if (Number(number.replaceAll(',', '')) !== is) found.push(`${number} ${what}, and it is ${is}`);
  };
  truth.judged.sentences += 1;
  for (const [, count = '', verdict = ''] of text.matchAll(
    /([\d,]+) (diverged|drifted|unhealthy|behind|waiting|progressing|stale|unobserved|unconfirmed)\b/g,
  ))
    must(verdict, count, own.filter((object) => object.verdict === verdict && object.guarantee === 'unknown').length);
  for (const [, count = ''] of text.matchAll(/([\d,]+) objects?\b/g)) must('objects', count, own.length);
  for (const [, count = ''] of text.matchAll(/of ([\d,]+) clusters?\b/g))
    must('clusters', count, truth.clusters.length);
  for (const [, count = ''] of text.matchAll(/Not as in git on ([\d,]+) of/g))
    must(
      'clusters away',
      count,
      clustersWith(own, ({ verdict }) => !nowhere.has(verdict)),
    );
  for (const [, count = ''] of text.matchAll(/([\d,]+) of [\d,]+ clusters? (?:is|are) not seen/g))
    must(
      'clusters not seen',
      count,
      clustersWith(own, ({ verdict }) => verdict === 'unobserved'),
    );
  const { holds, broken, off, unknown, planned, declared } = guarantee;
  must('objects by their guarantee', String(holds + broken + off + unknown + planned), own.length);
  must('declared', String(declared), objects.length - own.length);
  return found;
}

/** Why what is told of clusters that are not seen contradicts the script: "ap-northeast-1 unreachable for 3 min". */
function wrongPartial(truth: ScriptTruth, { partial }: Summary, now: number): readonly string[] {
  return partial.flatMap((text) => {
    truth.judged.sentences += 1;
    const [, cluster = '', state = '', count = '0'] =
      /^(\S+) (unreachable|is being connected)(?: for (\d+) min)?$/.exec(text) ?? [];
    const lost = truth.lostSince(cluster, now);
    if (lost === null) return truth.mayBeUnseen(cluster, now) ? [] : [`"${text}", and nothing is the matter there`];
    truth.judged.times += 1;
    const [least, most] = [Math.floor((now - lost - lostWithin) / minute), Math.floor((now - lost) / minute)];
    const isRight = state === 'unreachable' && Number(count) >= least && Number(count) <= most;
    return isRight ? [] : [`"${text}", and it was lost ${new Date(lost).toISOString()}`];
  });
}

/** Verdicts as docs/fleet-page.md ranks them, the worst first. */
const ranked = ['diverged', 'drifted', 'unhealthy', 'stale', 'unobserved', 'suspended', 'behind', 'waiting'];
const rankedLast = ['progressing', 'unconfirmed', 'converged'];

/** Weight of a cause, the least first: by docs/fleet-page.md its verdict, each doubling of its objects, and how long it lasts. */
function weightOf({ verdict, objects, since }: SaidCause): readonly number[] {
  const rank = [...ranked, ...rankedLast].indexOf(verdict);
  let stake = objects === 0 ? 0 : rank;
  for (let half = objects; half >= 2; half /= 2) stake -= 1;
  return [stake, rank, -objects, since];
}

function isAfter(one: readonly number[], other: readonly number[]): boolean {
  const place = one.findIndex((weight, index) => weight !== other[index]);
  return place !== -1 && (one[place] ?? 0) > (other[place] ?? 0);
}

/** Why the order of the causes contradicts what they weigh, or their objects do not add up. */
function wrongReach(truth: ScriptTruth, { causes, causesObjects }: Summary): readonly string[] {
  truth.judged.numbers += 1;
  const sum = causes.reduce((all, { objects }) => all + objects, 0);
  const found = sum === causesObjects ? [] : [`${causesObjects} objects under causes, and their lines have ${sum}`];
  const tell = ({ cause, verdict, objects }: SaidCause): string => `${cause.title} (${objects} ${verdict})`;
  for (const [index, line] of causes.entries()) {
    const before = causes[index - 1];
    if (before && isAfter(weightOf(before), weightOf(line)))
      found.push(`the cause ${tell(before)} stands before ${tell(line)}, which weighs more`);
  }
  return found;
}

const speaking: ReadonlySet<string> = new Set(['diverged', 'drifted', 'unhealthy', 'behind']);

/** Causes that are wrong by themselves, and have no line. What fails alike is named by one of the same kind and name. */
function missingCauses(truth: ScriptTruth, { causes }: Summary, objects: readonly SaidObject[]): readonly string[] {
  truth.judged.numbers += 1;
  const lines = new Set(causes.map(({ cause }) => `${cause.kind} ${cause.name}`));
  return objects.flatMap(({ verdict, rootCause, cluster, kind, name }) =>
    speaking.has(verdict) && rootCause === null && !lines.has(`${kind} ${name}`)
      ? [`${kind} ${name} on ${cluster} is ${verdict} by itself, and no cause tells of it`]
      : [],
  );
}

/** Contradictions to the list of objects, and to the script, in the summary of the front page. */
export function wrongSummary(
  truth: ScriptTruth,
  summary: Summary,
  total: number,
  objects: readonly SaidObject[],
  now: number,
): readonly string[] {
  const found: string[] = [];
  if (summary.objects !== total || objects.length !== total)
    found.push(`${summary.objects} objects in the summary, ${total} in their list`);
  for (const [verdict, count] of Object.entries(summary.counts)) {
    truth.judged.numbers += 1;
    const listed = objects.filter((object) => object.verdict === verdict).length;
    if (listed !== count) found.push(`${count} ${verdict} in the summary, ${listed} in the list`);
  }
  if (summary.causes.length !== summary.causesTotal)
    found.push(`${summary.causes.length} of ${summary.causesTotal} causes`);
  found.push(...wrongReach(truth, summary), ...missingCauses(truth, summary, objects));
  found.push(...wrongSentence(truth, summary, objects), ...wrongPartial(truth, summary, now));
  return found;
}
