import {
  deadController,
  overIncident,
  wireIncident,
  wireIncidentPage,
  wireIncidents,
  wireMember,
  wireMemberships,
  wireStep,
} from '#components/testing/wire-incident.ts';
import { minutesAgo } from '#components/testing/wire-fleet.ts';
import { brokenRange, checkout } from '#components/testing/wire-object.ts';
import type {
  IncidentFilter,
  WireIncident,
  WireIncidentList,
  WireIncidentPage,
  WireMember,
  WireMemberships,
} from '#lib/api/incident.ts';
import { clusterPath, incidentPath } from '#lib/api/paths.ts';

const region = Array.from({ length: 200 }, (_, n) => `ap-southeast-${n + 1}`);

/** A bad commit on nine clusters, that was first taken for one object's own fault and came back twice. */
const badCommit = wireIncident({
  id: 'badcommit009',
  title: 'checkout on 9 clusters',
  takenFor: [{ title: 'Kustomization flux-system/checkout on eu-west-3', until: minutesAgo(41) }],
  now: { objects: 4, clusters: 3, environments: null },
  most: { objects: 14, clusters: 9, environments: 2 },
  returns: 2,
  members: 31,
  objectTime: 9 * 47 * 60_000,
  clusters: [
    'ap-northeast-1',
    'ap-south-1',
    'eu-central-1a',
    'eu-central-1b',
    'eu-west-3',
    'stg-us',
    'us-east-1',
    'us-east-2',
    'us-west-2',
  ],
  clusterCount: 9,
  links: { self: incidentPath('badcommit009'), cause: null },
});

const lostRegion = wireIncident({
  id: 'lostregion01',
  title: '200 clusters lost: ap-southeast-1, ap-southeast-10, ap-southeast-100 and 197 more',
  cause: {
    ...deadController,
    type: 'cluster',
    cluster: 'ap-southeast-1',
    name: '',
    title: 'ap-southeast-1',
    href: clusterPath('ap-southeast-1'),
  },
  worst: 'unobserved',
  reason: 'unreachable',
  range: null,
  openedAt: minutesAgo(1820),
  bound: 'at-least',
  noticedAt: minutesAgo(1818),
  closedAt: minutesAgo(1520),
  ended: 'seen',
  now: { objects: 0, clusters: 0, environments: null },
  most: { objects: 200_000, clusters: 200, environments: 3 },
  members: 1000,
  objectTime: 200_000 * 300 * 60_000,
  clusters: region.slice(0, 20),
  clusterCount: 200,
  links: { self: incidentPath('lostregion01'), cause: null },
});

const credentials = overIncident({
  id: 'credentials1',
  title: 'access denied at ProviderConfig aws-production-with-a-long-name on us-east-2',
  cause: { ...deadController, type: 'shared-error', cluster: 'us-east-2', title: 'ProviderConfig aws on us-east-2' },
  worst: 'diverged',
  reason: 'ReconcileError',
  bound: 'exact',
  openedAt: minutesAgo(2900),
  noticedAt: minutesAgo(2900),
  closedAt: minutesAgo(2700),
  ended: 'removed',
  most: { objects: 5, clusters: 1, environments: 1 },
  members: 5,
  clusters: ['us-east-2'],
  links: { self: incidentPath('credentials1'), cause: '/clusters/us-east-2' },
});

const planned = wireIncident({
  id: 'plannedwork1',
  title: 'HelmRelease mail/mail on stg-us',
  worst: 'drifted',
  reason: 'DriftDetected',
  range: null,
  planned: true,
  openedAt: minutesAgo(124),
  clusters: ['stg-us'],
  links: { self: incidentPath('plannedwork1'), cause: '/clusters/stg-us' },
});

const all: readonly WireIncident[] = [
  wireIncident(),
  badCommit,
  planned,
  overIncident(),
  lostRegion,
  credentials,
  ...Array.from({ length: 12 }, (_, n) =>
    overIncident({
      id: `older${n}`,
      openedAt: minutesAgo(3000 + n * 500),
      bound: n % 4 === 0 ? 'at-least' : 'exact',
      closedAt: minutesAgo(3000 + n * 480),
      worst: n % 2 === 0 ? 'stale' : 'unhealthy',
      reason: n % 2 === 0 ? 'ControllerDead' : 'HealthCheckFailed',
    }),
  ),
];

/** Incidents of a week, as far as a filter is read here: by state and by size; none of a cluster that is called nowhere. */
export function incidentsOf({ open, objects, cluster, limit }: IncidentFilter): WireIncidentList {
  const rows = all
    .slice(0, limit)
    .filter(
      ({ closedAt, most }) => (open === '' || (open === 'true') === (closedAt === null)) && most.objects >= objects,
    );
  const list = wireIncidents(all);
  if (cluster === 'nowhere') return wireIncidents([]);
  if (cluster === 'carried') return { ...list, rows, made: { upTo: minutesAgo(3000) } };
  return { ...list, rows };
}

/** The page of one of them; null of an id that none has. `merged00`: the address of one that is part of another now. */
export function incidentPageOf(id: string): WireIncidentPage | null {
  const incident = id === 'merged00' ? badCommit : all.find((each) => each.id === id);
  if (incident === undefined) return null;
  const page = wireIncidentPage({ incident });
  if (incident === badCommit) {
    const mergedFrom = id === 'merged00' ? { id, at: minutesAgo(38) } : null;
    return { ...page, ...badCommitStory(), mergedFrom };
  }
  if (incident === lostRegion) return { ...page, ...lostRegionStory() };
  if (incident.closedAt === null) return page;
  return {
    ...page,
    members: membersOf(incident, Math.min(16, incident.members)),
    steps: [
      wireStep('opened', 300, 9, { title: incident.title }),
      wireStep('grown', 298, 14, { title: incident.title }),
      wireStep('shrunk', 284, 3, { title: incident.title }),
      wireStep('closed', 278, 0, { title: incident.title }),
    ],
    blind: [{ cluster: 'stg-edge', from: minutesAgo(340), to: minutesAgo(300), reason: 'connect ETIMEDOUT' }],
  };
}

function membersOf(incident: WireIncident, count: number): WireMember[] {
  return Array.from({ length: count }, (_, n) =>
    wireMember({
      incident: incident.id,
      ref: { ...checkout, cluster: incident.clusters[n % incident.clusters.length] ?? 'stg-edge', name: `app-${n}` },
      from: incident.openedAt,
      bound: incident.bound,
      to: incident.closedAt,
      ended: incident.ended,
      verdict: n % 5 === 4 ? 'waiting' : incident.worst,
      reason: n % 5 === 4 ? 'DependencyNotReady' : incident.reason,
      own: n % 5 !== 4,
      cause: n % 5 === 4 ? incident.cause : null,
    }),
  );
}

function badCommitStory(): Pick<WireIncidentPage, 'members' | 'steps' | 'blind'> {
  const part = { title: 'checkout on 9 clusters', clusters: 5 };
  return {
    members: [
      wireMember(),
      ...membersOf(badCommit, 30).map((member, n) =>
        n < 3 ? member : { ...member, to: minutesAgo(20), ended: 'converged' as const },
      ),
    ],
    steps: [
      wireStep('opened', 46, 1),
      ...[45, 44, 43].map((minutes, n) => wireStep('grown', minutes, 2 + n * 3, part)),
      wireStep('recognised', 41, 9, part),
      wireStep('grown', 40, 14, part),
      wireStep('changed', 39, 14, part),
      wireStep('shrunk', 33, 2, part),
      wireStep('closed', 30, 0, part),
      wireStep('reopened', 26, 6, part),
      wireStep('shrunk', 20, 4, part),
    ],
    blind: [{ cluster: 'ap-south-1', from: minutesAgo(36), to: minutesAgo(31), reason: 'unreachable' }],
  };
}

function lostRegionStory(): Pick<WireIncidentPage, 'members' | 'steps' | 'nextCursor'> {
  const { title } = lostRegion;
  return {
    members: region.map((cluster) =>
      wireMember({
        ref: null,
        cluster,
        objects: 1000,
        from: lostRegion.openedAt,
        bound: 'at-least',
        to: lostRegion.closedAt,
        ended: 'seen',
        verdict: 'unobserved',
        reason: 'unreachable',
      }),
    ),
    steps: [
      wireStep('opened', 1818, 1000, { title, clusters: 1 }),
      ...Array.from({ length: 20 }, (_, n) =>
        wireStep('grown', 1818 - n * 0.1, 10_000 * (n + 1), { title, clusters: 10 * (n + 1) }),
      ),
      ...Array.from({ length: 19 }, (_, n) =>
        wireStep('shrunk', 1600 - n * 4, 10_000 * (19 - n), { title, clusters: 10 * (19 - n) }),
      ),
      wireStep('closed', 1519, 0, { title, ended: 'seen' }),
    ],
    nextCursor: 'more',
  };
}

/** Incidents that an object was part of. */
export function membershipsOf(): WireMemberships {
  const older = overIncident();
  return wireMemberships([
    { member: wireMember({ incident: badCommit.id }), incident: { ...badCommit, range: brokenRange } },
    {
      member: wireMember({
        incident: older.id,
        from: older.openedAt,
        bound: 'at-least',
        to: minutesAgo(284),
        ended: 'converged',
        verdict: 'stale',
        reason: 'ControllerDead',
        own: false,
        cause: deadController,
      }),
      incident: older,
    },
  ]);
}
