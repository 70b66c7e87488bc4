import type {
  WireIncident,
  WireIncidentCall,
  WireIncidentCalls,
  WireIncidentList,
  WireIncidentPage,
  WireIncidentStep,
  WireMember,
  WireMemberships,
} from '#lib/api/incident.ts';
import type { WireCause, WireRef } from '#lib/api/object.ts';
import { clusterPath, incidentPath, objectPath } from '#lib/api/paths.ts';
import { minutesAgo, moment } from './wire-fleet.ts';
import { brokenRange, checkout } from './wire-object.ts';

const day = 24 * 60;
const asOf = new Date(moment).toISOString();

/** checkout on eu-west-3 as the cause of its own fault. */
export const checkoutCause: WireCause = {
  ...checkout,
  type: 'object',
  title: 'Kustomization flux-system/checkout on eu-west-3',
  href: objectPath(checkout),
};

/** A controller that is dead on stg-edge. */
export const deadController: WireCause = {
  type: 'controller',
  cluster: 'stg-edge',
  group: '',
  kind: '',
  namespace: 'flux-system',
  name: 'kustomize-controller',
  title: 'kustomize-controller on stg-edge',
  href: clusterPath('stg-edge'),
};

/** Somebody was called after 4 min by FluxObjectNotReady. */
export function wireCalls(part: Partial<WireIncidentCalls> = {}): WireIncidentCalls {
  const first = {
    at: minutesAgo(43),
    afterMs: 240_000,
    bound: 'exact' as const,
    late: false,
    cluster: 'eu-west-3',
    source: 'monitoring',
    alert: 'FluxObjectNotReady',
    receivers: ['oncall'],
    by: 'own' as const,
  };
  return { first, count: 1, silentMs: 240_000, unknownMs: 0, due: true, ...part };
}

/** The call that came after 4 min, and lasts. */
export function wireCall(part: Partial<WireIncidentCall> = {}): WireIncidentCall {
  return {
    source: 'monitoring',
    alert: 'FluxObjectNotReady',
    receivers: ['oncall'],
    by: 'own',
    names: 'Kustomization flux-system/checkout on eu-west-3',
    from: minutesAgo(43),
    to: null,
    ...part,
  };
}

/** checkout fails on eu-west-3 for 47 min, by a commit; one object, and it lasts. */
export function wireIncident(part: Partial<WireIncident> = {}): WireIncident {
  const id = part.id ?? 'checkout0047';
  return {
    title: checkoutCause.title,
    cause: checkoutCause,
    takenFor: [],
    openedAt: minutesAgo(47),
    bound: 'exact',
    noticedAt: minutesAgo(47),
    closedAt: null,
    ended: null,
    worst: 'diverged',
    reason: 'BuildFailed',
    range: brokenRange,
    now: { objects: 1, clusters: 1, environments: null },
    most: { objects: 1, clusters: 1, environments: 1 },
    returns: 0,
    members: 1,
    objectTime: 47 * 60_000,
    clusters: ['eu-west-3'],
    clusterCount: 1,
    planned: false,
    calls: wireCalls(),
    links: { self: incidentPath(id), cause: checkoutCause.href },
    ...part,
    id,
  };
}

/** kustomize-controller on stg-edge was dead for 20 min and took down 14 objects; it had been so before anybody looked. */
export function overIncident(part: Partial<WireIncident> = {}): WireIncident {
  return wireIncident({
    id: 'kustomize300',
    title: deadController.title,
    cause: deadController,
    openedAt: minutesAgo(300),
    bound: 'at-least',
    noticedAt: minutesAgo(300),
    closedAt: minutesAgo(280),
    ended: 'converged',
    worst: 'stale',
    reason: 'ControllerDead',
    range: null,
    now: { objects: 0, clusters: 0, environments: null },
    most: { objects: 14, clusters: 1, environments: 1 },
    members: 16,
    objectTime: 14 * 20 * 60_000,
    clusters: ['stg-edge'],
    links: { self: incidentPath('kustomize300'), cause: deadController.href },
    ...part,
  });
}

/** A list with these incidents on its one page; its figures count them. */
export function wireIncidents(rows: readonly WireIncident[], part: Partial<WireIncidentList> = {}): WireIncidentList {
  const closed = rows.filter(({ ended }) => ended === 'converged' || ended === 'seen').length;
  const open = rows.filter(({ ended }) => ended === null).length;
  return {
    asOf,
    from: minutesAgo(7 * day),
    to: minutesAgo(0),
    recordedSince: minutesAgo(20 * day),
    rows: [...rows],
    figures: {
      opened: rows.length,
      openAtStart: 0,
      closed,
      closedFromBefore: 0,
      gone: rows.length - closed - open,
      open,
      large: rows.filter(({ most }) => most.objects >= 5).length,
      members: rows.reduce((sum, { members }) => sum + members, 0),
      medianToConverge: closed === 0 ? null : 1_200_000,
      medianToConvergeAtLeast: false,
      medianToNotice: rows.length === 0 ? null : 4000,
    },
    made: null,
    notRecorded: null,
    nextCursor: null,
    ...part,
  };
}

/** checkout in its own incident. */
export function wireMember(part: Partial<WireMember> = {}): WireMember {
  const ref: WireRef | null = part.ref === undefined ? checkout : part.ref;
  const cluster = part.cluster ?? ref?.cluster ?? checkout.cluster;
  return {
    incident: 'checkout0047',
    objects: 1,
    from: minutesAgo(47),
    bound: 'exact',
    noticedAt: minutesAgo(47),
    to: null,
    ended: null,
    verdict: 'diverged',
    reason: 'BuildFailed',
    own: true,
    cause: null,
    links: { self: ref === null ? clusterPath(cluster) : objectPath(ref) },
    ...part,
    ref,
    cluster,
  };
}

/** One step of an incident, some minutes ago, with so many objects from then on. */
export function wireStep(
  type: WireIncidentStep['type'],
  minutes: number,
  objects: number,
  part: Partial<WireIncidentStep> = {},
): WireIncidentStep {
  const clusters = Math.min(1, objects);
  return {
    type,
    at: minutesAgo(minutes),
    objects,
    clusters,
    worst: 'diverged',
    reason: 'BuildFailed',
    ended: type === 'closed' ? 'converged' : null,
    title: checkoutCause.title,
    ...part,
  };
}

/** The page of checkout's incident. */
export function wireIncidentPage(part: Partial<WireIncidentPage> = {}): WireIncidentPage {
  const incident = part.incident ?? wireIncident();
  return {
    asOf,
    mergedFrom: null,
    members: [wireMember()],
    steps: [wireStep('opened', 47, 1)],
    stepsLeftOut: false,
    blind: [],
    blindLeftOut: false,
    calls: [wireCall()],
    callsLeftOut: false,
    made: null,
    nextCursor: null,
    ...part,
    incident,
  };
}

/** The incidents that an object was part of. */
export function wireMemberships(
  rows: WireMemberships['rows'] = [],
  part: Partial<WireMemberships> = {},
): WireMemberships {
  return { asOf, rows, more: false, made: null, ...part };
}
