import type { Incident, IncidentNews, Member } from '#lib/domain/incident/incident.ts';
import { hour, minute } from '#lib/domain/time/length.ts';
import { sampleNow, sampleRef } from './sample.ts';

/** An incident of checkout on eu-west-3 that began an hour before the samples and lasts, where nothing else is said. */
export function sampleIncident(part: Partial<Incident> = {}): Incident {
  return {
    id: 'abcdefgh0001',
    cause: { type: 'object', ref: sampleRef({ name: 'checkout' }) },
    roots: { names: ['checkout'], count: 1, clusters: 1 },
    openedAt: sampleNow - hour,
    bound: 'exact',
    noticedAt: sampleNow - hour + minute,
    closedAt: null,
    ended: null,
    worst: 'diverged',
    reason: 'BuildFailed',
    range: null,
    now: { objects: 3, clusters: 1 },
    most: { objects: 5, clusters: 2 },
    returns: 0,
    takenFor: [],
    objectTime: 3 * hour,
    clusters: ['eu-west-3'],
    clusterCount: 1,
    members: 3,
    ...part,
  };
}

/** The same object as a member of it that fails itself. */
export function sampleMember(part: Partial<Member> = {}): Member {
  const ref = sampleRef({ name: 'checkout' });
  return {
    incident: 'abcdefgh0001',
    ref,
    cluster: ref.cluster,
    objects: 1,
    from: sampleNow - hour,
    bound: 'exact',
    noticedAt: sampleNow - hour + minute,
    to: null,
    ended: null,
    verdict: 'diverged',
    reason: 'BuildFailed',
    cause: { type: 'object', ref },
    own: true,
    ...part,
  };
}

/** Its first step. */
export function sampleNews(part: Partial<IncidentNews> = {}): IncidentNews {
  return {
    position: 1,
    incident: 'abcdefgh0001',
    type: 'opened',
    at: sampleNow - hour + minute,
    now: { objects: 1, clusters: 1 },
    cause: { type: 'object', ref: sampleRef({ name: 'checkout' }) },
    worst: 'diverged',
    reason: 'BuildFailed',
    ended: null,
    into: null,
    ...part,
  };
}
