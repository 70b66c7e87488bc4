import { countsAtOnceOnly, isSilence, type Fault } from '#lib/domain/incident/fault.ts';
import { lostTogether, type IncidentPolicy } from '#lib/domain/incident/incident.ts';
import type { FaultNote, IncidentBook, IncidentState, MemberState, Pending } from './book.ts';
import {
  adopt,
  changeFault,
  foundedBy,
  merge,
  olderFirst,
  recognise,
  survivorOf,
  takeIn,
  takeOut,
  unite,
} from './incident-steps.ts';

type Away = Extract<FaultNote, { type: 'away' }>;
type Over = Extract<FaultNote, { type: 'over' }>;

/**
 * Takes what was noticed of one object or cluster into the incidents: the one home of the rule in docs/design/incidents.md. Every engine
 * calls it for each note, in the order in which they are noticed.
 */
export function foldFault(book: IncidentBook, note: FaultNote, policy: IncidentPolicy): void {
  if (note.type === 'over') return leave(book, note);
  const time = book.timeOf(note.subject.id);
  if (time === null || time.to !== null) arrive(book, note, policy, time);
  else goOn(book, note, time, policy);
}

function leave(book: IncidentBook, { at, subject, ended }: Over): void {
  book.dropPending(subject.id);
  const member = book.timeOf(subject.id);
  if (member?.to === null) takeOut(book, member, { to: at, at, ended });
}

/** A subject that is in no incident; `last`: its time in the one that it was in last. */
function arrive(book: IncidentBook, note: Away, policy: IncidentPolicy, last: MemberState | null): void {
  const { at, since, subject, fault, planned } = note;
  const before = book.dropPending(subject.id);
  const earliest = earliestOf(note, before, last?.to ?? null);
  const found = planned ? null : (resumed(book, fault, last) ?? homeOf(book, note, policy, () => true));
  if (found === null && (planned || !fault.opens))
    return book.putPending({ subject, fault, planned, at, since, from: earliest });
  // What waited or had not settled is away by another's fault only since that is so; its own fault began with its absence.
  const from = before !== null && !fault.own ? Math.max(earliest, since) : earliest;
  takeIn(book, found ?? foundedBy(book, note, from), { subject, fault, from, at });
}

/** The incident of a member that was switched off meanwhile, where it still fails by that: however long that took. */
function resumed(book: IncidentBook, fault: Fault, last: MemberState | null): IncidentState | null {
  if (last?.ended !== 'suspended') return null;
  return fault.keys.some((key) => book.holds(last.incident, key) > 0) ? book.incident(last.incident) : null;
}

/** The earliest time from which it may be in an incident (ms): an absence may go on after all, and what was away by plan is so no longer. */
function earliestOf({ at, since, subject, planned }: Away, before: Pending | null, leftAt: number | null): number {
  if (before?.planned === true && !planned) return at;
  return before?.from ?? (leftAt === null ? subject.openedAt : Math.max(since, leftAt));
}

/** A member that is away for another reason than before. */
function goOn(book: IncidentBook, note: Away, member: MemberState, policy: IncidentPolicy): void {
  const { at, fault } = note;
  book.dropPending(note.subject.id);
  const own = book.incident(member.incident);
  const stays = fault.keys.some((key) => book.holds(own.row, key) > 0);
  if (!stays && isTheSame(book, member, fault)) return;
  if (!saysMore(fault)) return stays ? undefined : wait(book, note, member, policy);
  const target = homeOf(book, note, policy, ({ row, closedAt }) => row !== own.row && (!stays || closedAt === null));
  if (target === null && stays) return void adopt(book, changeFault(book, own, member, fault, at), fault, at);
  const leaving = leavingWith(book, note, member);
  const all = wasSo(note, member, own) && isWhole(book, own, leaving);
  if (target !== null && (all || othersHold(book, own, leaving, fault)))
    return merge(book, own, target, { member, fault, at });
  if (all) return recognise(book, own, member, fault, at);
  move(book, note, leaving, target);
}

/** True if these members are all that an incident is made of, and dated by: none that was in it is home, or gone. */
function isWhole(book: IncidentBook, { row, open, openedAt }: IncidentState, leaving: readonly MemberState[]): boolean {
  const dates = leaving.some(({ from }) => from <= openedAt);
  return leaving.length === open && dates && book.lastEnd(row) === null;
}

/**
 * True if all of an incident may have failed by the new fault of a member all along. What lay beneath a controller, a cluster or a feed did
 * so: then its cause is another from now on.
 */
function wasSo(note: Away, member: MemberState, { cause, worst, reason }: IncidentState): boolean {
  const isGuess = cause.type === 'object' || cause.type === 'shared-error';
  const mayBeIts = member.fault.own || !note.fault.own;
  return isGuess && mayBeIts && isSameFault(note, member) && mayGoOn({ verdict: worst, reason }, note.fault);
}

/** True if the new fault of a member may be the one that it had, of which only the cause was not known. */
function isSameFault(note: Away, { fault: before, faultAt }: MemberState): boolean {
  if (before.verdict === note.fault.verdict && note.since > faultAt) return false;
  // It is behind by itself until something holds it up.
  const isHeldUp = before.own && note.fault.verdict === 'behind';
  return !isHeldUp && mayGoOn(before, note.fault);
}

/** True if one fault may be only how another one showed at first: it says the same, or nothing of why. What is silent is behind before that. */
function mayGoOn(before: Pick<Fault, 'verdict' | 'reason'>, fault: Fault): boolean {
  if (before.verdict === 'behind' && isSilence(fault)) return true;
  return before.verdict === fault.verdict && (isSilence(before) || before.reason === fault.reason);
}

/** True if a fault tells of a member why it is away now. What waits, has not settled or is behind by itself has no fault of its own yet. */
function saysMore({ opens, own, verdict }: Fault): boolean {
  return opens && !(own && verdict === 'behind');
}

/**
 * True if a member fails as before, and is only told to fail by itself, or beneath another member: what was recognised stays recognised
 * when too few are left to tell it by.
 */
function isTheSame(book: IncidentBook, { incident, fault: before }: MemberState, fault: Fault): boolean {
  if (before.own || fault.verdict !== before.verdict || fault.reason !== before.reason) return false;
  return fault.own || (fault.cause.type === 'object' && book.isMember(incident, fault.cause.ref));
}

/**
 * A member that only waits now, has not settled or is behind, and not for what its incident is: it stays until it is home, or until there is an
 * incident of what it waits for. What was away before its incident, and is again as it was then, leaves.
 */
function wait(book: IncidentBook, note: Away, member: MemberState, policy: IncidentPolicy): void {
  const { at, since, subject, fault, planned } = note;
  const target = homeOf(book, note, policy, ({ row, closedAt }) => row !== member.incident && closedAt === null);
  const from = begunAt(note, member);
  const leaves = target !== null || isAsBefore(note, member);
  if (leaves) takeOut(book, member, { to: from, at, ended: 'moved' });
  if (target !== null) takeIn(book, book.incident(target.row), { subject, fault, from, at });
  else if (leaves || !planned) book.putPending({ subject, fault, planned, at, since, from });
}

/** True if a member that waits now was away before another's fault took it in. */
function isAsBefore({ subject, fault }: Away, member: MemberState): boolean {
  return !fault.opens && !member.fault.own && member.from > subject.openedAt;
}

/** When the new fault of a member began (ms). A verdict that goes on by another fault says nothing of when that was. */
function begunAt(note: Away, member: MemberState): number {
  const { at, since } = note;
  return Math.min(at, Math.max(member.from, isDated(note, member) ? since : at));
}

/** True if the verdict of a member tells when its new fault began. */
function isDated(note: Away, member: MemberState): boolean {
  const { fault, faultAt } = member;
  if (note.since > faultAt || note.fault.verdict !== fault.verdict) return true;
  return fault.own && isSameFault(note, member);
}

/** A member that leaves takes with it what lies beneath it. */
function leavingWith(book: IncidentBook, { subject }: Away, member: MemberState): readonly MemberState[] {
  const beneath = subject.self === null ? [] : book.membersBeneath(member.incident, subject.self);
  return [member, ...beneath.filter(({ row }) => row !== member.row)];
}

/** True if a fault is that of members, too, that would stay. */
function othersHold(
  book: IncidentBook,
  { row }: IncidentState,
  leaving: readonly MemberState[],
  fault: Fault,
): boolean {
  const byThese = (key: string): number => leaving.filter(({ fault: { keys } }) => keys.includes(key)).length;
  return fault.keys.some((key) => book.holds(row, key) > byThese(key));
}

/** The fault of a member turned out to be another one. Where nothing tells when that began, it began before it was noticed: at least then. */
function move(book: IncidentBook, note: Away, leaving: readonly MemberState[], target: IncidentState | null): void {
  const { at, fault } = note;
  const [member] = leaving;
  if (member === undefined) return;
  const from = begunAt(note, member);
  const bound = isDated(note, member) ? note.subject.bound : 'at-least';
  const moved = leaving.map((one) => {
    const isLater = one.from >= from;
    const subject = isLater ? one.subject : { ...one.subject, bound };
    return { one, subject, from: isLater ? one.from : from, fault: one === member ? fault : one.fault, at };
  });
  for (const { one, from: to } of moved) takeOut(book, one, { to, at, ended: 'moved' });
  const founder = { ...note, subject: { ...note.subject, bound: moved[0]?.subject.bound ?? bound } };
  let into = target === null ? foundedBy(book, founder, from) : book.incident(target.row);
  for (const coming of moved) into = takeIn(book, into, coming);
}

/**
 * The incident that a fault is part of, of those that may be: an open one before one that is over and may go on. Where several are open
 * they become one.
 */
function homeOf(
  book: IncidentBook,
  { fault, at }: Away,
  policy: IncidentPolicy,
  mayBe: (state: IncidentState) => boolean,
): IncidentState | null {
  const found = new Map<number, IncidentState>();
  for (const key of fault.keys) {
    // A cluster that comes and goes is where it was: it makes no one incident of those that are lost meanwhile.
    if (countsAtOnceOnly(key) && found.values().some(({ closedAt }) => closedAt === null)) continue;
    for (const state of book.holders(key))
      if (mayBe(state) && mayTake(state, key, at, policy)) found.set(state.row, state);
  }
  const all = [...found.values()];
  const [first, ...others] = all.filter(({ closedAt }) => closedAt === null).toSorted(olderFirst);
  if (first === undefined)
    return all.toSorted((a, b) => (b.closedAt ?? 0) - (a.closedAt ?? 0) || b.row - a.row)[0] ?? null;
  const living = survivorOf(first, others);
  return [first, ...others]
    .filter((other) => other !== living)
    .reduce((into, other) => unite(book, into, other, at), living);
}

function mayTake({ closedAt, grownAt }: IncidentState, key: string, at: number, { quiet }: IncidentPolicy): boolean {
  if (countsAtOnceOnly(key)) return closedAt === null && Math.abs(at - grownAt) <= lostTogether;
  return closedAt === null || at - closedAt <= quiet;
}
