import { createHash } from 'node:crypto';
import { causeKey } from '#lib/domain/cause/cause.ts';
import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import { countsAtOnceOnly, faultOf, faultOfLoss, isLoss, type Fault } from '#lib/domain/incident/fault.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import type { CoverageChange } from '../../port/port.ts';
import type { AwayRecord } from '../absence-rules.ts';
import type { FaultNote, NotedSubject, SubjectIds } from './book.ts';

/** Part of an object's record that its fault is read from. */
export type FaultRecord = AwayRecord & Pick<CurrentObject, 'repository' | 'message'>;

/** An absence with the ids that an engine gives to it, to its cluster and to its object. */
export interface KnownAbsence extends SubjectIds {
  readonly absence: Pick<Absence, 'ref' | 'uid' | 'openedAt' | 'bound' | 'noticedAt'>;
}

/** An absence as what can be in an incident. */
export function subjectOfAbsence({ id, cluster, object, absence }: KnownAbsence): NotedSubject {
  const { ref, uid, openedAt, bound, noticedAt } = absence;
  const self = shortKey(causeKey({ type: 'object', ref }));
  const identity = `${refKey(ref)} ${uid} ${openedAt}`;
  return { id, cluster, object, objects: 1, openedAt, bound, noticedAt, self, identity };
}

/** True if a record with this verdict may make a note. */
export function isNoted(verdict: Verdict): boolean {
  return isAway(verdict) || verdict === 'suspended';
}

/** The note that a record of an object makes of the absence that it is in; null for none. `at`: when that was noticed (ms). */
export function noteOfRecord(known: KnownAbsence, record: FaultRecord, at: number): FaultNote | null {
  const { id, cluster, object } = known;
  // Switched off on purpose: that is no incident, for as long as it is so.
  if (record.verdict === 'suspended')
    return { type: 'over', at: Math.min(record.onset.time, at), subject: { id, cluster, object }, ended: 'suspended' };
  if (!isAway(record.verdict)) return null;
  const subject = subjectOfAbsence(known);
  const fault = withShortKeys(faultOf(record));
  return { type: 'away', at, since: Math.min(record.onset.time, at), subject, fault, planned: false };
}

/** A loss of a cluster, by the id that an engine gives to the row of it, and what it took down. */
export interface KnownLoss {
  readonly id: number;
  readonly cluster: number;
  readonly objects: number;
}

/** A cluster that is lost since `at` (ms), as what can be in an incident. */
export function subjectOfLoss({ id, cluster, objects }: KnownLoss, name: string, at: number): NotedSubject {
  const times = { openedAt: at, bound: 'exact' as const, noticedAt: at };
  return { id: -id, cluster, object: 0, objects, ...times, self: null, identity: `${name} ${at}` };
}

/** The note that a change of coverage makes of its whole cluster; null for none. `lost`: the loss that lasts, if one does. */
export function noteOfCoverage(
  { cluster, kind, at, observed, state }: CoverageChange,
  loss: KnownLoss,
  lost: number | null,
): FaultNote | null {
  if (kind !== null) return null;
  if (observed || state === 'forgotten') {
    const ended = observed ? 'seen' : 'forgotten';
    return lost === null ? null : { type: 'over', at, subject: { id: lost, cluster: loss.cluster, object: 0 }, ended };
  }
  if (lost !== null || !isLoss(state)) return null;
  const fault = withShortKeys(faultOfLoss(cluster, state));
  return { type: 'away', at, since: at, subject: subjectOfLoss(loss, cluster, at), fault, planned: false };
}

/** Notes of one batch in the order in which they are folded: by time, those of one subject as they were written. */
export function inOrder(notes: readonly FaultNote[]): readonly FaultNote[] {
  const reached = new Map<number, number>();
  const timed = notes.map((note) => {
    const turn = Math.max(note.at, reached.get(note.subject.id) ?? note.at);
    reached.set(note.subject.id, turn);
    return { note, turn };
  });
  return timed.toSorted((a, b) => a.turn - b.turn).map(({ note }) => note);
}

/** Of a longer key its hash will do. */
const longestKey = 96;

/** Keys stand with every fault. One that holds a message is kept as a hash only: what is redacted must not be found there. */
function withShortKeys(fault: Fault): Fault {
  const [cause = '', ...alike] = fault.keys;
  return { ...fault, keys: [shortKey(cause), ...alike.map((key) => (countsAtOnceOnly(key) ? key : hashed(key)))] };
}

function shortKey(key: string): string {
  return key.length <= longestKey ? key : hashed(key);
}

function hashed(key: string): string {
  return `#${createHash('sha256').update(key).digest('base64url').slice(0, 22)}`;
}
