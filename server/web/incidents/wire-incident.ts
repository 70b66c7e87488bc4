import type { WireIncident, WireIncidentNews, WireIncidentStep, WireMember } from '#lib/api/incident.ts';
import { clusterPath, incidentPath, objectPath } from '#lib/api/paths.ts';
import type { IncidentNews, Member } from '#lib/domain/incident/incident.ts';
import { causeWords, incidentTitle, isShared } from '#lib/domain/incident/incident-title.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import { refOnly, wireCause, wireRange } from '../wire/object/wire-object.ts';
import { wireCalls, type CalledIncident } from './incident-calls.ts';
import { wireTime, wireTimeOrNull } from '../wire/wire-time.ts';
import type { RecordQuestion } from '../history/ask-record.ts';

/** The fleet beside the record of incidents: clusters for their labels and planned work, objects for links to their commits. */
export type IncidentContext = Pick<RecordQuestion, 'clusters' | 'find' | 'context'>;

/** Clusters that an incident names on the wire. */
const clustersNamed = 20;

/** Makes incidents of one answer ready for the wire. */
export function incidentWire({
  clusters,
  find,
  context,
}: IncidentContext): (called: CalledIncident, knownAt?: number) => WireIncident {
  const byName = new Map(clusters.map((cluster) => [cluster.name, cluster]));
  const { alarmWithin } = context.policy;
  return (called, knownAt = context.now) => {
    const { incident } = called;
    const { cause, roots, range, now, most, closedAt } = incident;
    const onClusters = incident.clusters.map((name) => byName.get(name) ?? null);
    const allNamed = onClusters.length === incident.clusterCount;
    const environments = allNamed ? environmentsOf(onClusters) : null;
    return {
      id: incident.id,
      title: incidentTitle(incident),
      cause: wireCause(cause),
      takenFor: incident.takenFor.map((taken) => ({ title: causeWords(taken.cause), until: wireTime(taken.until) })),
      openedAt: wireTime(incident.openedAt),
      bound: incident.bound,
      noticedAt: wireTime(incident.noticedAt),
      closedAt: wireTimeOrNull(closedAt),
      ended: incident.ended,
      worst: incident.worst,
      reason: incident.reason,
      range: range === null ? null : wireRange(range, cause.type === 'object' ? find(cause.ref) : null, context),
      now: { ...now, environments: now.clusters === incident.clusterCount ? environments : null },
      most: { ...most, environments },
      returns: incident.returns,
      members: incident.members,
      objectTime: incident.objectTime,
      clusters: incident.clusters.slice(0, clustersNamed),
      clusterCount: incident.clusterCount,
      planned: closedAt === null && allNamed && onClusters.every(isUnderPlannedWork),
      calls: wireCalls(called, { now: knownAt, alarmWithin }),
      links: { self: incidentPath(incident.id), cause: isShared(roots) ? null : wireCause(cause).href },
    };
  };
}

/** Number of values that the label `environment` has on clusters; null where none of them carries it. */
function environmentsOf(clusters: readonly (KnownCluster | null)[]): number | null {
  const values = new Set(clusters.flatMap((cluster) => cluster?.labels['environment'] ?? []));
  return values.size === 0 ? null : values.size;
}

function isUnderPlannedWork(cluster: KnownCluster | null): boolean {
  return cluster !== null && cluster.plannedWork !== null;
}

/** A member on the wire. */
export function wireMember(member: Member): WireMember {
  const { incident, ref, cluster, objects, from, bound, noticedAt, to, ended, verdict, reason, own, cause } = member;
  return {
    incident,
    ref: ref === null ? null : refOnly(ref),
    cluster,
    objects,
    from: wireTime(from),
    bound,
    noticedAt: wireTime(noticedAt),
    to: wireTimeOrNull(to),
    ended,
    verdict,
    reason,
    own,
    cause: own ? null : wireCause(cause),
    links: { self: ref === null ? clusterPath(cluster) : objectPath(ref) },
  };
}

/** One step of an incident on the wire. */
export function wireStep({ type, at, now, cause, worst, reason, ended }: IncidentNews): WireIncidentStep {
  return { type, at: wireTime(at), ...now, title: causeWords(cause), worst, reason, ended };
}

/** The same with its position and incident, for the stream. */
export function wireNews(news: IncidentNews): WireIncidentNews {
  const { position, incident, into } = news;
  return { ...wireStep(news), position, incident, into };
}
