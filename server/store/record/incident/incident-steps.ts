import { causeKey } from '#lib/domain/cause/cause.ts';
import type { Fault } from '#lib/domain/incident/fault.ts';
import type { IncidentEnd, IncidentNewsType } from '#lib/domain/incident/incident.ts';
import { verdictRank } from '#lib/domain/verdict/verdict.ts';
import type { FaultNote, FaultSubject, IncidentBook, IncidentState, IncidentStep, MemberState } from './book.ts';
import { incidentId } from './incident-id.ts';

/** In the order of their age. */
export function olderFirst(a: IncidentState, b: IncidentState): number {
  return a.openedAt - b.openedAt || a.noticedAt - b.noticedAt || a.row - b.row;
}

/** With no more members than this none counts as far larger than another. */
const few = 64;

/**
 * The one of some open incidents that lives on where they become one: the oldest, unless another is far larger. All members of the others are written
 * anew, and one after the other might take in what is ever larger.
 */
export function survivorOf(first: IncidentState, others: readonly IncidentState[]): IncidentState {
  const [oldest = first, ...younger] = [first, ...others].toSorted(olderFirst);
  return younger.reduce(
    (living, one) => (one.members > few && one.members > 2 * living.members ? one : living),
    oldest,
  );
}

/** A new incident, still without members; what waits beneath its cause comes with the first. */
export function foundedBy(
  book: IncidentBook,
  { subject, fault, at }: Extract<FaultNote, { type: 'away' }>,
  openedAt: number,
): IncidentState {
  return book.addIncident({
    id: newId(book, subject.identity, fault.keys[0] ?? '', at),
    cause: fault.cause,
    openedAt,
    bound: subject.bound,
    noticedAt: at,
    closedAt: null,
    ended: null,
    mergedInto: null,
    mergedAt: null,
    worst: fault.verdict,
    reason: fault.reason,
    range: fault.range,
    returns: 0,
    open: 0,
    objects: 0,
    clusters: 0,
    mostObjects: 0,
    mostClusters: 0,
    members: 0,
    objectTime: 0,
    changedAt: at,
    grownAt: at,
    leftAt: openedAt,
  });
}

/** The same founder may begin twice at one moment. */
function newId(book: IncidentBook, founder: string, key: string, at: number): string {
  let id = incidentId(founder, key, at);
  for (let again = 1; book.hasId(id); again++) id = incidentId(`${founder} ${again}`, key, at);
  return id;
}

/** A subject that comes into an incident: since when it is away by it, and when that was noticed (ms). */
interface Coming {
  readonly subject: FaultSubject;
  readonly fault: Fault;
  readonly from: number;
  readonly at: number;
}

/** Takes a subject in, and what waits beneath its fault. */
export function takeIn(book: IncidentBook, state: IncidentState, coming: Coming): IncidentState {
  const { subject, fault, from, at } = coming;
  const isNew = state.members === 0;
  const returned = state.closedAt !== null && !book.wasMember(state.row, subject.id);
  // A cluster that comes and goes would draw in whatever else is lost while it does.
  const isBack =
    state.closedAt === null && fault.cause.type === 'cluster' && book.holds(state.row, fault.keys[0] ?? '') > 0;
  book.addMember({ incident: state.row, subject, from, joinedAt: at, to: null, ended: null, fault, faultAt: at });
  for (const key of fault.keys) book.hold(state.row, key);
  const first = book.shift(state.row, subject.cluster, 1, at) === 1;
  const type = isNew ? 'opened' : state.closedAt === null ? 'grown' : 'reopened';
  const joined = step(book, withFault(state, fault), at, type, {
    ...openedBy(state, from, subject.bound),
    closedAt: null,
    ended: null,
    returns: state.returns + (returned ? 1 : 0),
    open: state.open + 1,
    objects: state.objects + subject.objects,
    clusters: state.clusters + (first ? 1 : 0),
    members: state.members + 1,
    grownAt: isBack ? state.grownAt : Math.max(at, state.grownAt),
  });
  return fault.opens ? adopt(book, joined, fault, at) : joined;
}

/** Takes in all that was waiting for a cause: it is in its incident from its beginning on. */
export function adopt(book: IncidentBook, state: IncidentState, { keys }: Fault, at: number): IncidentState {
  let grown = state;
  for (const { subject, fault, from } of book.pendingBeneath(keys[0] ?? '')) {
    book.dropPending(subject.id);
    const elsewhere = book.timeOf(subject.id);
    if (elsewhere?.to === null) {
      if (elsewhere.incident === grown.row) continue;
      takeOut(book, elsewhere, { to: from, at, ended: 'moved' });
    }
    const its = { ...fault, own: false };
    grown = takeIn(book, grown, { subject, fault: its, from: Math.max(from, state.openedAt), at });
  }
  return grown;
}

/** Takes a member out: since when it is not away by this incident any more, and when that was noticed (ms). */
export function takeOut(
  book: IncidentBook,
  member: MemberState,
  { to, at, ended }: { readonly to: number; readonly at: number; readonly ended: IncidentEnd },
): void {
  const state = book.incident(member.incident);
  const left = Math.max(to, member.from);
  book.putMember({ ...member, to: left, ended });
  const last = book.shift(state.row, member.subject.cluster, -1, at) === 0;
  const leftAt = Math.max(left, state.leftAt);
  const over = state.open === 1;
  // An incident that is over is still known by its last fault, and goes on where that comes back.
  if (ended === 'moved' && !over) for (const key of member.fault.keys) book.release(state.row, key);
  step(book, state, at, over ? 'closed' : 'shrunk', {
    ...(over ? { closedAt: leftAt, ended: endedBy(book, state, ended) } : {}),
    open: state.open - 1,
    objects: state.objects - member.subject.objects,
    clusters: state.clusters - (last ? 1 : 0),
    leftAt,
  });
}

/** The end of the incident: a member that only moved out last says nothing of those that came home before it. */
function endedBy(book: IncidentBook, { row, members }: IncidentState, ended: IncidentEnd): IncidentEnd {
  return ended === 'moved' && members > 1 ? (book.lastEnd(row) ?? ended) : ended;
}

/** A member is in its incident for another fault. */
export function changeFault(
  book: IncidentBook,
  state: IncidentState,
  member: MemberState,
  fault: Fault,
  at: number,
): IncidentState {
  for (const key of fault.keys) book.hold(state.row, key);
  for (const key of member.fault.keys) book.release(state.row, key);
  book.putMember({ ...member, fault, faultAt: at });
  const { worst, reason, range } = withFault(state, fault);
  const isSame = worst === state.worst && reason === state.reason && range === state.range;
  return isSame ? state : step(book, state, at, 'changed', { worst, reason, range });
}

/** The cause is another than it was taken for: the incident stays. */
export function recognise(
  book: IncidentBook,
  state: IncidentState,
  member: MemberState,
  fault: Fault,
  at: number,
): void {
  const changed = changeFault(book, state, member, fault, at);
  adopt(book, step(book, changed, at, 'recognised', { cause: fault.cause }), fault, at);
}

/** Two turn out to be one, by the fault of a member of the one that is the fault of the other. */
export function merge(
  book: IncidentBook,
  own: IncidentState,
  other: IncidentState,
  { member, fault, at }: { readonly member: MemberState; readonly fault: Fault; readonly at: number },
): void {
  const changed = changeFault(book, own, member, fault, at);
  const survivor = survivorOf(changed, [other]);
  const living = unite(book, survivor, survivor === changed ? other : changed, at);
  const isKnown = fault.own || causeKey(living.cause) === causeKey(fault.cause);
  adopt(book, isKnown ? living : step(book, living, at, 'recognised', { cause: fault.cause }), fault, at);
}

/** Takes all members of one incident into another, which lives on, and is told to have begun, and by what, as the older of both. */
export function unite(book: IncidentBook, living: IncidentState, leaving: IncidentState, at: number): IncidentState {
  const { members, clusters } = book.handOver(leaving.row, living.row, at);
  const mergedAt = Math.max(at, leaving.changedAt);
  const gone = { mergedInto: living.row, mergedAt, open: 0, objects: 0, clusters: 0 };
  step(book, leaving, at, 'merged', gone, living.row);
  const [older, younger] = olderFirst(living, leaving) <= 0 ? [living, leaving] : [leaving, living];
  const stepAt = Math.max(at, living.changedAt);
  const open = living.open + leaving.open;
  const returned = younger.open > 0 && older.closedAt !== null && younger.openedAt > older.closedAt;
  return step(book, living, at, living.closedAt !== null && open > 0 ? 'reopened' : 'grown', {
    cause: older.cause,
    openedAt: older.openedAt,
    bound: older.bound,
    noticedAt: Math.min(older.noticedAt, younger.noticedAt),
    ...(open > 0 ? { closedAt: null, ended: null } : lastEnd(older, younger)),
    ...worseOf(older, younger),
    range: older.range ?? younger.range,
    returns: older.returns + younger.returns + (returned ? 1 : 0),
    open,
    objects: living.objects + leaving.objects,
    clusters,
    members: living.members + members,
    grownAt: Math.max(older.grownAt, younger.grownAt),
    leftAt: Math.max(older.leftAt, younger.leftAt),
    objectTime: timeUpTo(living, stepAt) + timeUpTo(leaving, stepAt),
  });
}

function lastEnd(a: IncidentState, b: IncidentState): Pick<IncidentState, 'closedAt' | 'ended'> {
  const { closedAt, ended } = (a.closedAt ?? 0) >= (b.closedAt ?? 0) ? a : b;
  return { closedAt, ended };
}

function worseOf(a: IncidentState, b: IncidentState): Pick<IncidentState, 'worst' | 'reason'> {
  const { worst, reason } = verdictRank(b.worst) < verdictRank(a.worst) ? b : a;
  return { worst, reason };
}

function withFault(state: IncidentState, { verdict, reason, range, opens }: Fault): IncidentState {
  const worse = opens && verdictRank(verdict) < verdictRank(state.worst);
  return { ...state, ...(worse ? { worst: verdict, reason } : {}), range: state.range ?? range };
}

/** It began with the first of its members; of several at once with the one that is known best. */
function openedBy(
  { openedAt, bound }: IncidentState,
  from: number,
  its: FaultSubject['bound'],
): Pick<IncidentState, 'openedAt' | 'bound'> {
  const isFirst = from < openedAt || (from === openedAt && its === 'exact');
  return isFirst ? { openedAt: from, bound: its } : { openedAt, bound };
}

function timeUpTo({ objectTime, objects, changedAt }: IncidentState, at: number): number {
  return objectTime + objects * Math.max(0, at - changedAt);
}

/** True if the one step takes the place of the other: all that grows, or shrinks, at one moment is one. */
export function isOneStep(before: IncidentStep, { type, at }: IncidentStep): boolean {
  return before.type === type && before.at === at && (type === 'grown' || type === 'shrunk');
}

/** Puts down how an incident stands from `at` on. */
function step(
  book: IncidentBook,
  before: IncidentState,
  at: number,
  type: IncidentNewsType,
  change: Partial<IncidentState>,
  into: number | null = null,
): IncidentState {
  const changedAt = Math.max(at, before.changedAt);
  const moved: IncidentState = { ...before, objectTime: timeUpTo(before, changedAt), ...change, changedAt };
  const next: IncidentState = {
    ...moved,
    mostObjects: Math.max(moved.mostObjects, moved.objects),
    mostClusters: Math.max(moved.mostClusters, moved.clusters),
  };
  book.putIncident(next);
  book.addStep({ ...standing(next), incident: next.row, type, at: changedAt, into });
  return next;
}

function standing(state: IncidentState): Omit<IncidentStep, 'incident' | 'type' | 'at' | 'into'> {
  const { cause, openedAt, bound, noticedAt, closedAt, ended, worst, reason, range, returns } = state;
  const { objects, clusters, mostObjects, mostClusters, members, objectTime } = state;
  const known = { cause, openedAt, bound, noticedAt, closedAt, ended, worst, reason, range, returns };
  return { ...known, objects, clusters, mostObjects, mostClusters, members, objectTime };
}
