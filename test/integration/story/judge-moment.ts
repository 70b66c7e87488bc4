import type { z } from 'zod';
import type { SaidCause, SaidHead, SaidObject, SaidObjects, SaidRange } from './said.ts';
import { nameOf, type Fault, type ScriptTruth } from './script-truth.ts';
import type { TriedLog } from './tried-log.ts';

/** Times of the API server are whole seconds: what began at .9 is told as .0 (ms). */
const wholeSecond = 1_000;
/** How long it takes to be heard and judged (ms). */
const latency = 3_000;
/** A commit in words: no part of a name, a digest or a uid. */
const commits = /(?<![-\w:])[0-9a-f]{7,40}(?![-\w])/g;
/** What is behind is told by the commit that it runs. */
const runsWords = /(?:runs|was made from) ([0-9a-f]{7,40}), not what its source offers/g;
const offeredWords = /though ([0-9a-f]{7,40}) is offered/g;
const rangeWords = /(?:worked|first failed|was failing|failed) at [0-9a-f]{7,40}/g;

/** The fault of an object that lasts, or lasted until just before. */
export function faultAt(truth: ScriptTruth, ref: Fault['ref'], at: number): Fault | null {
  return truth.faultsOf(ref).findLast((fault) => fault.from <= at && fault.overBy > at) ?? null;
}

/** Why a range contradicts the script; nothing where it does not. */
export function wrongRange(truth: ScriptTruth, fault: Fault | null, range: SaidRange): readonly string[] {
  if (range === null) return [];
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
  for (const hash of accused)
    if (!fault?.culprit?.startsWith(hash)) found.push(`"${text}" accuses ${hash}, not ${fault?.culprit ?? 'nothing'}`);
  const culprit = fault?.culprit ? truth.placeOf(fault.culprit) : null;
  for (const [clause, hash = ''] of text.matchAll(runsWords))
    if ((truth.placeOf(hash) ?? Infinity) >= (culprit ?? Infinity))
      found.push(`"${text}": ${clause} is no commit from before it fell behind`);
  for (const [clause] of text.matchAll(rangeWords)) {
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
  const tell = (at: number): string => new Date(at).toISOString();
  if (time < fault.from - wholeSecond) return [`since ${tell(time)}, and it began ${tell(fault.from)}`];
  const late = fault.knownBy + latency;
  return bound === 'exact' && time > late ? [`since ${tell(time)} exactly, and it was known by ${tell(late)}`] : [];
}

/** Whether a word is right of an object at a moment: by the script, or because the object itself said just then that it waits. */
export function isTrueThen(truth: ScriptTruth, tried: TriedLog, ref: Fault['ref'], word: string, at: number): boolean {
  if (word === 'waiting' && tried.waited(nameOf(ref), at)) return true;
  return truth.mayBe(ref, word, at) || truth.mayBe(ref, word, at - latency);
}

/** What contradicts the script in what is said of one object at a moment. */
export function wrongObject(truth: ScriptTruth, tried: TriedLog, object: SaidObject, now: number): readonly string[] {
  // What is only declared is none of the script's objects.
  if (object.role === 'declared') return [];
  const name = nameOf(object);
  const found: string[] = [];
  if (
    !isTrueThen(truth, tried, object, object.verdict, now) &&
    object.kind !== 'ProviderConfig' &&
    object.kind !== 'ClusterProviderConfig'
  )
    found.push(`is ${object.verdict}`);
  const fault = faultAt(truth, object, now);
  found.push(...wrongRange(truth, fault, object.range));
  const known = tried.lately(name, now);
  for (const [, hash = ''] of object.sentence.matchAll(offeredWords))
    if (truth.placeOf(hash) === null) found.push(`"${object.sentence}" names ${hash}, which there is not`);
  for (const hash of object.sentence.replaceAll(offeredWords, '').match(commits) ?? [])
    if (object.kind === 'Kustomization' && ![...known].some((commit) => commit.startsWith(hash)))
      found.push(`"${object.sentence}" names ${hash}, which it neither tried nor ran`);
  if (fault?.verdict === object.verdict && object.awaySince !== null)
    found.push(...wrongBeginning(fault, object.awaySince));
  return found.map((words) => `${name}: ${words}`);
}

/** What contradicts the script, or the list of objects, in the lines of causes. */
function wrongCause(
  truth: ScriptTruth,
  line: SaidCause,
  objects: readonly SaidObject[],
  now: number,
): readonly string[] {
  const { cause, text } = line;
  const found: string[] = [];
  const own = objects.filter((object) => object.verdict !== 'converged' && isUnder(object, cause));
  if (line.clusters === 1 && cause.type !== 'shared-error') {
    if (own.length !== line.objects) found.push(`${line.objects} objects, and ${own.length} name it as their cause`);
    for (const [, count = '', state = ''] of text.matchAll(/(\d+) (?:objects? (?:beneath )?)?(stale|unconfirmed)/g)) {
      const many = own.filter(({ verdict, rootCause }) => verdict === state && rootCause !== null).length;
      if (many !== Number(count)) found.push(`${count} ${state}, and ${many} are`);
    }
  }
  const self = cause.type === 'object' ? own.find((object) => nameOf(object) === nameOf(cause)) : undefined;
  const fault = self ? faultAt(truth, self, now) : null;
  if (line.clusters === 1 && self) found.push(...wrongAccusation(truth, fault, text));
  if (line.clusters === 1 && self && fault?.verdict === self.verdict)
    found.push(...wrongBeginning(fault, { time: line.since, bound: line.bound }));
  if (line.clusters > 1) {
    const selves = objects.filter(
      (one) => cause.name === one.name && cause.kind === one.kind && one.rootCause === null,
    );
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
  { head }: z.infer<typeof SaidHead>,
  { total, objects }: z.infer<typeof SaidObjects>,
  now: number,
): readonly string[] {
  const found: string[] = [];
  if (head.objects !== total || objects.length !== total)
    found.push(`${head.objects} objects in the head, ${total} in their list`);
  for (const [verdict, count] of Object.entries(head.counts)) {
    const listed = objects.filter((object) => object.verdict === verdict).length;
    if (listed !== count) found.push(`${count} ${verdict} in the head, ${listed} in the list`);
  }
  if (head.causes.length !== head.causesTotal) found.push(`${head.causes.length} of ${head.causesTotal} causes`);
  found.push(...objects.flatMap((object) => wrongObject(truth, tried, object, now)));
  found.push(...head.causes.flatMap((line) => wrongCause(truth, line, objects, now)));
  return found;
}
