import { longestWait, mostSuspected, objectWords } from '#lib/api/git/suspect.ts';
import { notLookedAt, type WireNamedSuspect } from '#lib/api/git/named-suspect.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { isRefused } from '../http/problem.ts';
import { namedSuspect } from './named-suspect.ts';
import { suspectRows } from './suspect-rows.ts';

/** The suspect of an object of a list; null where neither it nor what it waits for broke in a range of revisions. */
export type SuspectOf = (object: CurrentObject) => WireNamedSuspect | null;

const notAsked = notLookedAt('It was not looked at: it was not asked for.');
const tooMany = notLookedAt(`It was not looked at: git is asked for the first ${mostSuspected} causes of a list.`);
const noRecord = notLookedAt('It was not looked at: the record cannot be read.');

/** Those of a list for which git is not asked. */
export function suspectsNotAsked(moment: KnownMoment): SuspectOf {
  const now = moment.now();
  return (object) => (brokenIn(moment, object, now) === null ? null : notAsked);
}

/**
 * Suspects of the objects of a list. What broke is asked for once, whatever waits for it: git is asked in one question for the first 100 of the
 * list, and waited for no longer than for any suspects (1.5 s). Of others, and where it is late, nothing was looked at.
 */
export async function listedSuspects(moment: KnownMoment, objects: Iterable<CurrentObject | null>): Promise<SuspectOf> {
  const now = moment.now();
  const words = new Map<string, string>();
  for (const object of objects) {
    const broken = object === null ? null : brokenIn(moment, object, now);
    if (broken !== null) words.set(refKey(broken), objectWords(broken));
    if (words.size >= mostSuspected) break;
  }
  if (words.size === 0) return (object) => (brokenIn(moment, object, now) === null ? null : tooMany);
  const query = { incident: '', object: [...words.values()].join(','), wait: longestWait };
  const answer = await suspectRows(moment, query);
  const rows = isRefused(answer) ? [] : answer.rows;
  const told = new Map(rows.map(({ of, suspicion }) => [of, suspicion === null ? null : namedSuspect(suspicion)]));
  return (object) => {
    const broken = brokenIn(moment, object, now);
    if (broken === null) return null;
    const asked = words.get(refKey(broken));
    if (asked === undefined) return tooMany;
    // An object that ceased to be broken meanwhile has no range any more.
    return isRefused(answer) ? noRecord : (told.get(asked) ?? null);
  };
}

/** The one that broke in a range of revisions: the object itself, else what stands at the far end of its chain; null where neither did. */
function brokenIn(moment: KnownMoment, { ref, range, rootCause }: CurrentObject, now: number): ObjectRef | null {
  if (range !== null) return ref;
  if (rootCause?.type !== 'object') return null;
  return moment.find(rootCause.ref, now)?.range ? rootCause.ref : null;
}
