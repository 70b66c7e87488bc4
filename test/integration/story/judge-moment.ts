import type { z } from 'zod';
import { commits, wrongCommits } from './judge-commits.ts';
import { wrongSummary } from './judge-summary.ts';
import type { SaidCause, SaidSummary, SaidObject, SaidObjects, SaidRange } from './said.ts';
import { latency, nameOf, tell, wholeSecond } from './judged.ts';
import type { Fault, ScriptTruth } from './script-truth.ts';
import type { TriedLog } from './tried-log.ts';

/** Times before its beginning when something surely was otherwise, each second (ms): a wait is over some seconds after it is told. */
const soLong = [1, 2, 3, 4, 5, 6, 7, 8].map((seconds) => seconds * 1_000);
/** Words on an object that is behind: told by the commit that it runs. */
const runsWords = /(?:runs|was made from) ([0-9a-f]{7,40}), not what its source offers/g;
const rangeWords = /(?:worked|first failed|was failing|failed) at [0-9a-f]{7,40}/g;

/** The fault of an object that lasts, or lasted until just before. */
export function faultAt(truth: ScriptTruth, ref: Fault['ref'], at: number): Fault | null {
  return truth.faultsOf(ref).findLast((fault) => fault.from <= at && fault.overBy > at) ?? null;
}

/** Why a range contradicts the script; nothing where it does not. */
export function wrongRange(truth: ScriptTruth, fault: Fault | null, range: SaidRange): readonly string[] {
  if (range === null) return [];
  truth.judged.commits += 2;
  truth.judged.numbers += 1;
  if (fault === null) return [`there is no fault, and it names "${range.text}"`];
  const placed = (end: SaidRange & object, side: 'lastGood' | 'firstBad'): number | null =>
    end[side]?.commit ? (truth.placeOf(end[side].commit) ?? NaN) : null;
  const [good, bad] = [placed(range, 'lastGood'), placed(range, 'firstBad')];
  const found: string[] = [];
  if (Number.isNaN(good) || Number.isNaN(bad)) found.push(`"${range.text}" names a commit that there is not`);
  if (good !== null && bad !== null && good > bad) found.push(`"${range.text}" runs backwards`);
  if (good !== null && bad !== null && range.seenBetween !== null && range.seenBetween > Math.max(0, bad - good - 1))
    found.push(`"${range.text}" has ${bad - good - 1} commits between, not ${range.seenBetween}`);
  const culprit = fault.culprit === null ? null : truth.placeOf(fault.culprit);
  if (culprit !== null && good !== null && good >= culprit) found.push(`"${range.text}": it did not work there`);
  if (culprit !== null && bad !== null && bad < culprit) found.push(`"${range.text}": it did not fail there`);
  return found;
}

/** Why the commits of a line contradict the script: any but the ends of a range is accused. */
function wrongAccusation(truth: ScriptTruth, fault: Fault | null, text: string): readonly string[] {
  const found: string[] = [];
  const accused = text.replaceAll(rangeWords, '').replaceAll(runsWords, '').match(commits) ?? [];
  truth.judged.commits += accused.length;
  for (const hash of accused)
    if (!fault?.culprit?.startsWith(hash)) found.push(`"${text}" accuses ${hash}, not ${fault?.culprit ?? 'nothing'}`);
  const culprit = fault?.culprit ? truth.placeOf(fault.culprit) : null;
  for (const [clause, hash = ''] of text.matchAll(runsWords))
    if ((truth.placeOf(hash) ?? Infinity) >= (culprit ?? Infinity))
      found.push(`"${text}": ${clause} is no commit from before it fell behind`);
  for (const [clause] of text.matchAll(rangeWords)) {
    truth.judged.commits += 1;
    const hash = clause.split(' ').at(-1) ?? '';
    const place = truth.placeOf(hash);
    if (place === null) found.push(`"${text}" names ${hash}, which there is not`);
    else if (culprit !== null && clause.startsWith('worked') !== place < culprit)
      found.push(`"${text}": ${clause} is on the wrong side of ${fault?.culprit}`);
  }
  return found;
}

/** Why a beginning contradicts the script: it may be told later than it was, where it says "at least", but never earlier. */
export function wrongBeginning(
  fault: Fault,
  { time, bound }: { readonly time: number; readonly bound: string },
): readonly string[] {
  const { continues } = fault;
  if (continues && (continues.surely || time < fault.from - wholeSecond))
    return wrongBeginning(continues.fault, { time, bound });
  if (time < fault.from - wholeSecond) return [`since ${tell(time)}, and it began ${tell(fault.from)}`];
  const late = fault.knownBy + latency;
  return bound === 'exact' && time > late ? [`since ${tell(time)} exactly, and it was known by ${tell(late)}`] : [];
}

/** True if a word is right of an object at a moment, by the script. */
export function isTrueThen(truth: ScriptTruth, ref: Fault['ref'], word: string, at: number): boolean {
  return truth.mayBe(ref, word, at) || truth.mayBe(ref, word, at - latency);
}

/** Why the beginning of the present verdict contradicts the script: it cannot be older than what it is the beginning of. */
function wrongTimes(truth: ScriptTruth, object: SaidObject, now: number): readonly string[] {
  const { onset, awaySince, verdict } = object;
  const found: string[] = [];
  for (const began of [onset, ...(awaySince ? [awaySince] : [])]) {
    truth.judged.times += 2;
    if (began.time > began.noticedAt || began.noticedAt > now) found.push('was noticed before it began, or is to come');
  }
  const began = onset.time + wholeSecond;
  if (began >= truth.observedFrom && began <= now && !isTrueThen(truth, object, verdict, began))
    found.push(`${verdict} since ${new Date(onset.time).toISOString()}, and it was not so then`);
  const earlier = soLong.map((ms) => onset.time - ms);
  const wasSo = earlier.every((at) => at >= truth.observedFrom && truth.isOnly(object, verdict, at));
  if (onset.bound === 'exact' && wasSo)
    found.push(`${verdict} since ${new Date(onset.time).toISOString()} exactly, and it was so before`);
  return found;
}

/** Contradictions to the script in what is said of one object at a moment. */
export function wrongObject(truth: ScriptTruth, tried: TriedLog, object: SaidObject, now: number): readonly string[] {
  // What is only declared is none of the script's objects.
  if (object.role === 'declared') return [];
  const name = nameOf(object);
  const found: string[] = [...wrongCommits(truth, tried, object, now)];
  if (object.kind !== 'ProviderConfig' && object.kind !== 'ClusterProviderConfig') {
    if (!isTrueThen(truth, object, object.verdict, now)) found.push(`is ${object.verdict}`);
    else found.push(...wrongTimes(truth, object, now));
  }
  const fault = faultAt(truth, object, now);
  found.push(...wrongRange(truth, fault, object.range));
  if (fault?.verdict === object.verdict && object.awaySince !== null)
    found.push(...wrongBeginning(fault, object.awaySince));
  return found.map((words) => `${name}: ${words}`);
}

/** "14 objects beneath unconfirmed", "2 objects wait for it", "stopped: 12 objects stale, 20 unconfirmed", "not observed: 70 objects" */
const counted =
  /(\d+)(?: objects?)?(?: beneath)? (stale|unconfirmed|unobserved|unhealthy|diverged|progressing|behind|waits? for it)/g;

/** Why the numbers of a line contradict the objects beneath it. */
function wrongCounts(truth: ScriptTruth, text: string, own: readonly SaidObject[]): readonly string[] {
  const beneath = own.filter(({ rootCause }) => rootCause !== null);
  const found: string[] = [];
  for (const [, count = '', state = ''] of text.matchAll(counted)) {
    truth.judged.numbers += 1;
    const verdict = state.startsWith('wait') ? 'waiting' : state;
    const many = beneath.filter((object) => object.verdict === verdict).length;
    if (many !== Number(count)) found.push(`${count} ${state}, and ${many} are`);
  }
  const whole = /(?:not observed|cannot be read): (\d+) objects?$/.exec(text)?.[1];
  if (whole !== undefined && Number(whole) !== own.length)
    found.push(`${whole} are not seen, and ${own.length} are not`);
  return found;
}

/** Contradictions to the script, or to the list of objects, in the lines of causes. */
function wrongCause(
  truth: ScriptTruth,
  line: SaidCause,
  objects: readonly SaidObject[],
  now: number,
): readonly string[] {
  const { cause, text } = line;
  const found: string[] = [];
  const own = objects.filter((object) => object.verdict !== 'converged' && isUnder(object, cause));
  truth.judged.sentences += 1;
  truth.judged.numbers += 1;
  truth.judged.times += 1;
  if (line.clusters === 1 && cause.type !== 'shared-error') {
    if (own.length !== line.objects) found.push(`${line.objects} objects, and ${own.length} name it as their cause`);
    found.push(...wrongCounts(truth, text, own));
  }
  const self = cause.type === 'object' ? own.find((object) => nameOf(object) === nameOf(cause)) : undefined;
  const fault = self ? faultAt(truth, self, now) : null;
  if (line.clusters === 1 && self) found.push(...wrongAccusation(truth, fault, text));
  if (line.clusters === 1 && self && fault?.verdict === self.verdict)
    found.push(...wrongBeginning(fault, { time: line.since, bound: line.bound }));
  if (line.clusters > 1) {
    const selves = objects.filter(
      (one) =>
        one.verdict !== 'converged' && cause.name === one.name && cause.kind === one.kind && one.rootCause === null,
    );
    const clusters = new Set(selves.map(({ cluster }) => cluster)).size;
    if (cause.type === 'object' && line.clusters > clusters)
      found.push(`on ${line.clusters} clusters, and it is not converged on ${clusters}`);
    for (const one of selves.filter(({ verdict }) => verdict === line.verdict))
      found.push(...wrongAccusation(truth, faultAt(truth, one, now), text));
  }
  return found.map((words) => `the cause ${cause.title} (${text}): ${words}`);
}

function isUnder(object: SaidObject, cause: SaidCause['cause']): boolean {
  const { rootCause } = object;
  if (rootCause === null) return cause.type === 'object' && nameOf(object) === nameOf(cause);
  return rootCause.type === cause.type && nameOf(rootCause) === nameOf(cause);
}

/** All that the front page and the list of objects say at one moment, against the script and against each other. */
export function wrongMoment(
  truth: ScriptTruth,
  tried: TriedLog,
  { summary }: z.infer<typeof SaidSummary>,
  { total, objects }: z.infer<typeof SaidObjects>,
  now: number,
): readonly string[] {
  const found = [...wrongSummary(truth, summary, total, objects, now)];
  found.push(...objects.flatMap((object) => wrongObject(truth, tried, object, now)));
  found.push(...summary.causes.flatMap((line) => wrongCause(truth, line, objects, now)));
  return found;
}
