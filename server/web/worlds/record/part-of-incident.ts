import type { Incident, IncidentEnd, IncidentNews, IncidentNewsType, Member } from '#lib/domain/incident/incident.ts';
import { verdictRank } from '#lib/domain/verdict/verdict.ts';
import { causeWithin, seesCause } from '../hide/cause.ts';
import type { Sight } from '../sight.ts';

/** Names of those that fail themselves, and clusters, that an incident tells. */
const named = { roots: 3, clusters: 1_000 } as const;

/** An incident of whose members these alone are seen, at least one, as known at `at` (ms): all that is told of it is of those. */
export function partOfIncident(incident: Incident, members: readonly Member[], at: number, sight: Sight): Incident {
  const reach = reachOver(members);
  const last = reach.at(-1);
  const first = members.reduce((a, b) => (b.from < a.from ? b : a));
  const own = members.filter((member) => member.own);
  const clusters = [...new Set(members.map(({ cluster }) => cluster))].toSorted();
  const roots = [...new Set(own.map(({ ref, cluster }) => ref?.name ?? cluster))].toSorted();
  const isCauseSeen = seesCause(incident.cause, sight);
  const { verdict, reason } = worstOf(members);
  return {
    id: incident.id,
    cause: isCauseSeen ? incident.cause : causeWithin(own[0]?.cause ?? incident.cause, sight),
    roots: {
      names: roots.slice(0, named.roots),
      count: roots.length,
      clusters: new Set(own.map(({ cluster }) => cluster)).size,
    },
    openedAt: first.from,
    bound: first.bound,
    noticedAt: members.reduce((least, { noticedAt }) => Math.min(least, noticedAt), Infinity),
    closedAt: endOf(members),
    ended: endingOf(members),
    worst: verdict,
    reason,
    range: isCauseSeen ? incident.range : null,
    now: { objects: last?.objects ?? 0, clusters: last?.clusters ?? 0 },
    most: {
      objects: reach.reduce((most, { objects }) => Math.max(most, objects), 0),
      clusters: reach.reduce((most, step) => Math.max(most, step.clusters), 0),
    },
    returns: reach.filter(({ type }) => type === 'reopened').length,
    takenFor: incident.takenFor.filter(({ cause }) => seesCause(cause, sight)),
    objectTime: objectTimeOf(members, at),
    clusters: clusters.slice(0, named.clusters),
    clusterCount: clusters.length,
    members: members.length,
  };
}

/** Object-ms of some members up to a moment (ms). */
export function objectTimeOf(members: readonly Member[], at: number): number {
  return members.reduce((sum, { objects, noticedAt, to }) => {
    return sum + objects * Math.max(0, Math.min(to ?? at, at) - noticedAt);
  }, 0);
}

/** Steps of an incident by when some of its members came and went, oldest first. */
export function stepsOfPart(part: Incident, members: readonly Member[]): readonly IncidentNews[] {
  return reachOver(members).map(({ at, type, objects, clusters }, index) => ({
    position: index + 1,
    incident: part.id,
    type,
    at,
    now: { objects, clusters },
    cause: part.cause,
    worst: part.worst,
    reason: part.reason,
    ended: objects === 0 ? endingOf(members.filter(({ to }) => to !== null && to <= at)) : null,
    into: null,
  }));
}

/** Reach from a moment (ms) on, and what happened then. */
interface ReachStep {
  readonly at: number;
  readonly type: IncidentNewsType;
  readonly objects: number;
  readonly clusters: number;
}

function reachOver(members: readonly Member[]): readonly ReachStep[] {
  const steps: ReachStep[] = [];
  const on = new Map<string, number>();
  let objects = 0;
  const events = Map.groupBy(
    members.flatMap((member) => [
      { at: member.noticedAt, member, sign: 1 },
      ...(member.to === null ? [] : [{ at: Math.max(member.to, member.noticedAt), member, sign: -1 }]),
    ]),
    ({ at }) => at,
  );
  for (const [at, of] of [...events].toSorted(([a], [b]) => a - b)) {
    const before = { objects, clusters: on.size };
    for (const { member, sign } of of) {
      objects += sign * member.objects;
      const count = (on.get(member.cluster) ?? 0) + sign;
      if (count === 0) on.delete(member.cluster);
      else on.set(member.cluster, count);
    }
    const after = { objects, clusters: on.size };
    const type = typeOf(before.clusters, after, before.objects, steps.length === 0);
    if (type !== null) steps.push({ at, type, ...after });
  }
  return steps;
}

function typeOf(
  clusters: number,
  after: Pick<ReachStep, 'objects' | 'clusters'>,
  objects: number,
  isFirst: boolean,
): IncidentNewsType | null {
  if (isFirst) return 'opened';
  if (clusters === 0) return after.clusters === 0 ? null : 'reopened';
  if (after.clusters === 0) return 'closed';
  if (after.objects === objects) return null;
  return after.objects > objects ? 'grown' : 'shrunk';
}

function endOf(members: readonly Member[]): number | null {
  return members.some(({ to }) => to === null)
    ? null
    : members.reduce((last, { to }) => Math.max(last, to ?? last), -Infinity);
}

/** The end of the last member that did not move out; null while one is in it. */
function endingOf(members: readonly Member[]): IncidentEnd | null {
  if (members.length === 0 || members.some(({ to }) => to === null)) return null;
  const inOrder = members.toSorted((a, b) => (a.to ?? 0) - (b.to ?? 0));
  return inOrder.findLast(({ ended }) => ended !== 'moved')?.ended ?? 'moved';
}

function worstOf(members: readonly Member[]): Pick<Member, 'verdict' | 'reason'> {
  const own = members.filter((member) => member.own);
  return (own.length > 0 ? own : members).reduce((a, b) => (verdictRank(b.verdict) < verdictRank(a.verdict) ? b : a));
}
