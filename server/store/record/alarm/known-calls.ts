import { notConfigured, type AlarmCall } from '#lib/domain/alarm/call.ts';
import { meaningOf, meansObject } from '#lib/domain/alarm/called/call-meaning.ts';
import { causeObject } from '#lib/domain/alarm/called/cause-object.ts';
import type { CalledFor } from '#lib/domain/alarm/alarm-figures.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import type { Recorded } from '../recorded.ts';

/** Calls for one object at one moment, by the rows of a record. */
export type KnownCalls = ReturnType<typeof knownCalls>;

/** Reads who was called by looking at every call. Moments in ms since the epoch; nothing from `until` on is looked at. */
export function knownCalls({ calls, alarmCoverage, incidents }: Recorded, until: number) {
  const inTime = calls.filter(({ from }) => from < until);
  const points = alarmCoverage.filter(({ at }) => at < until).toSorted((a, b) => a.at - b.at);
  const sources = new Set(points.map(({ source }) => source));
  const meanings = new Map(inTime.map((call) => [call, meaningOf(call)]));

  const lasts = ({ from, to }: AlarmCall, at: number): boolean => from <= at && at < (to ?? Infinity);

  /** The last words on the sources that spoke for a cluster. */
  function speaking(cluster: string, at: number) {
    return [...sources].flatMap((source) => {
      const last = points.findLast((point) => point.source === source && point.at <= at);
      if (last === undefined || last.reason === notConfigured) return [];
      return last.clusters.length === 0 || last.clusters.includes(cluster) ? [last] : [];
    });
  }

  function namesOf(call: AlarmCall, ref: ObjectRef): 'called' | 'perhaps' | null {
    const meaning = meanings.get(call) ?? meaningOf(call);
    if (meaning.type !== 'objects') return null;
    return meaning.cluster === ref.cluster ? meansObject(meaning.named, ref) : null;
  }

  function isPerhapsFor(call: AlarmCall, ref: ObjectRef, at: number): boolean {
    const meaning = meanings.get(call) ?? meaningOf(call);
    if (meaning.type !== 'cluster') return namesOf(call, ref) === 'perhaps';
    if (meaning.cluster !== null) return meaning.cluster === ref.cluster;
    return speaking(ref.cluster, at).some(({ source }) => source === call.source);
  }

  /** The root cause that was noted last of a subject. */
  function causeAt(subject: number, at: number): Cause | null {
    const note = incidents.faults.findLast((one) => one.subject.id === subject && one.at <= at);
    return note?.type === 'away' ? note.fault.cause : null;
  }

  const firstNoted = new Map<number, number>();
  for (const { subject, at } of incidents.faults)
    if (at < until) firstNoted.set(subject.id, Math.min(at, firstNoted.get(subject.id) ?? at));

  /** The object that a root cause is which is noted of a subject after a moment, and none before: it may have been the cause already. */
  function causeToCome(subject: number, at: number): ObjectRef | null {
    const first = firstNoted.get(subject) ?? at;
    const cause = at < first ? causeAt(subject, first) : null;
    return cause === null ? null : causeObject(cause);
  }

  function forWhat(call: AlarmCall, ref: ObjectRef | null, subject: number, at: number): CalledFor | null {
    if (!lasts(call, at)) return null;
    if (ref !== null && namesOf(call, ref) === 'called') return 'own';
    const cause = causeAt(subject, at);
    const object = cause === null ? null : causeObject(cause);
    return object !== null && namesOf(call, object) === 'called' ? 'cause' : null;
  }

  return {
    calls: inTime,
    /** For what a call was made of a subject (an absence of the object, or a loss) at a moment; null for another. */
    forWhat,
    /** The state at a moment of an object, or of a lost cluster (null). */
    stateAt(cluster: string, ref: ObjectRef | null, subject: number, at: number): 'called' | 'unknown' | 'silent' {
      if (inTime.some((call) => forWhat(call, ref, subject, at) !== null)) return 'called';
      const last = speaking(cluster, at);
      if (ref === null || last.length === 0 || last.some(({ read }) => !read)) return 'unknown';
      const cause = causeToCome(subject, at);
      const isPerhaps = (call: AlarmCall): boolean =>
        isPerhapsFor(call, ref, at) || (cause !== null && namesOf(call, cause) === 'called');
      return inTime.some((call) => lasts(call, at) && isPerhaps(call)) ? 'unknown' : 'silent';
    },
    /** True if a call names an object. */
    names: (call: AlarmCall, ref: ObjectRef): boolean => namesOf(call, ref) === 'called',
    /** Moments at which the answers about any of some subjects may change, and these, in order. */
    moments(subjects: ReadonlySet<number>, others: readonly number[]): readonly number[] {
      const noted = incidents.faults.filter(({ subject }) => subjects.has(subject.id)).map(({ at }) => at);
      const told = [...inTime.flatMap(({ from, to }) => [from, to ?? from]), ...points.map(({ at }) => at)];
      return [...new Set([...noted, ...told, ...others])].toSorted((a, b) => a - b);
    },
  };
}
