import type { WireCorrection, WireCorrectionList } from '#lib/api/correction.ts';
import type { WireHistory, WireLane, WireLaneRow, WireMarkOfTime, WireState } from '#lib/api/history.ts';
import type { WireAbsence, WireAbsenceList } from '#lib/api/absence.ts';
import type { WireIncidentList, WireMemberships } from '#lib/api/incident.ts';
import type { WireRef } from '#lib/api/object.ts';
import { clusterPath, historyPath, objectPath, refParams } from '#lib/api/paths.ts';
import { noRows, tableRows } from '../record/shown-period.ts';
import { minutesAgo, moment } from './wire-fleet.ts';
import { wireIncidents, wireMemberships } from './wire-incident.ts';
import { brokenRange, checkout, lastGood, wireObject } from './wire-object.ts';

const day = 24 * 60;

/** A mark from so many minutes ago to so many. */
export function wireMarkOfTime(
  from: number,
  to: number,
  state: WireState,
  part: Partial<WireMarkOfTime> = {},
): WireMarkOfTime {
  return {
    from: minutesAgo(from),
    to: minutesAgo(to),
    state,
    at: minutesAgo(from),
    changes: 0,
    objects: 1,
    of: 1,
    shares: [{ state, share: 1 }],
    reason: null,
    commit: null,
    onset: null,
    ...part,
  };
}

/** The rows of a lane whose marks are all told apart. */
export function wireRowsOf(marks: readonly WireMarkOfTime[]): WireLaneRow[] {
  return marks.map(({ from, to, state, objects, of, reason, commit, onset }) => ({
    from,
    to,
    state,
    objects,
    of,
    reason,
    commit,
    onset,
    steady: true,
  }));
}

/** checkout on eu-west-3 in the last 24 h: not seen for half an hour, since 47 min diverged. */
export function wireLane(part: Partial<WireLane> = {}): WireLane {
  const { cluster, group, kind, namespace, name } = wireObject();
  const marks = part.marks ?? [
    wireMarkOfTime(day, 180, 'converged'),
    wireMarkOfTime(180, 150, 'unobserved', { reason: 'no route' }),
    wireMarkOfTime(150, 47, 'converged'),
    wireMarkOfTime(47, 0, 'diverged', { reason: 'BuildFailed', commit: lastGood }),
  ];
  return {
    key: `${group}/${kind}/${namespace}/${name}`,
    title: name,
    note: `${kind} in ${namespace}`,
    objects: 1,
    href: objectPath({ cluster, group, kind, namespace, name }),
    history: null,
    marks,
    rows: wireRowsOf(marks),
    rowsTotal: marks.length,
    existed: day * 60_000,
    observed: (day - 30) * 60_000,
    converged: (day - 77) * 60_000,
    ...part,
  };
}

/** Timelines of the last 24 h; of checkout where nothing is told. */
export function wireHistory(part: Partial<WireHistory> = {}): WireHistory {
  const lanes = part.lanes ?? [wireLane()];
  const from = part.from ?? minutesAgo(day);
  return {
    asOf: new Date(moment).toISOString(),
    from,
    to: minutesAgo(0),
    askedFrom: from,
    recordedSince: minutesAgo(20 * day),
    tooMany: false,
    by: 'object',
    total: lanes.length,
    nextCursor: null,
    earlier: [],
    ...part,
    lanes,
  };
}

/** Record that a page of one object sends; of the last 24 h, and its absences of 90 d. */
export function wireRecordOf(
  ref: WireRef,
  history: WireHistory = wireHistory(),
  memberships: WireMemberships = wireMemberships(),
  absences: WireAbsenceList = wireAbsences([]),
) {
  const filter = refParams(ref);
  const { cluster, group, kind, namespace, name } = ref;
  return {
    history: { params: { ...filter, last: '24h', ...tableRows }, history },
    memberships: { params: { cluster, group, kind, namespace, name }, list: memberships },
    absences: { params: { ...filter, last: '90d', limit: '5' }, list: absences },
  };
}

/** Record that a page of a cluster sends: a lane of its Kustomizations, and its newest incidents. */
export function wireRecordOn(cluster: string, incidents: WireIncidentList = wireIncidents([])) {
  const lane = wireLane({
    key: 'g/Kustomization',
    title: 'Kustomization',
    note: '12 objects',
    objects: 12,
    href: clusterPath(cluster),
    history: historyPath({ cluster, group: 'g', kind: 'Kustomization' }),
  });
  return {
    history: { params: { cluster, last: '24h', ...noRows }, history: wireHistory({ by: 'kind', lanes: [lane] }) },
    incidents: { params: { cluster, last: '90d', limit: '5' }, list: incidents },
  };
}

/** checkout on eu-west-3, away for 47 min. */
export function wireAbsence(part: Partial<WireAbsence> = {}): WireAbsence {
  const ref = part.ref ?? checkout;
  return {
    openedAt: minutesAgo(47),
    bound: 'exact',
    noticedAt: minutesAgo(47),
    closedAt: null,
    ended: null,
    worst: 'diverged',
    reason: 'BuildFailed',
    cause: null,
    range: brokenRange,
    alarm: 'unknown',
    broken: null,
    alarmUnknown: 'none',
    links: {
      self: objectPath(ref),
      history: historyPath({ cluster: checkout.cluster, kind: checkout.kind, name: checkout.name }),
    },
    ...part,
    ref,
  };
}

/** A list with these absences on its one page. */
export function wireAbsences(rows: readonly WireAbsence[], part: Partial<WireAbsenceList> = {}): WireAbsenceList {
  const closed = rows.filter(({ closedAt }) => closedAt !== null).length;
  return {
    asOf: new Date(moment).toISOString(),
    from: minutesAgo(7 * day),
    to: minutesAgo(0),
    recordedSince: minutesAgo(20 * day),
    rows: [...rows],
    figures: {
      opened: rows.length,
      openAtStart: 0,
      closed,
      closedFromBefore: 0,
      gone: 0,
      open: rows.length - closed,
      medianToConverge: closed === 0 ? null : 840_000,
      medianToConvergeAtLeast: false,
    },
    notRecorded: null,
    nextCursor: null,
    ...part,
  };
}

/** A ConfigMap of checkout that was put right, two hours ago. */
export function wireCorrection(part: Partial<WireCorrection> = {}): WireCorrection {
  const ref = part.ref ?? checkout;
  return {
    at: minutesAgo(120),
    certainty: 'confirmed',
    said: 'ConfigMap/shop/drifty configured',
    count: 1,
    links: { self: objectPath(ref) },
    ...part,
    ref,
  };
}

/** A ledger with these entries on its one page, over three days; days and what drifts most follow from them. */
export function wireCorrections(
  rows: readonly WireCorrection[],
  part: Partial<WireCorrectionList> = {},
): WireCorrectionList {
  const dayOf = (time: string): string => `${time.slice(0, 10)}T00:00:00.000Z`;
  const days = [3, 2, 1, 0].map((ago) => ({
    day: dayOf(minutesAgo(ago * day)),
    confirmed: 0,
    probable: 0,
    contested: 0,
  }));
  for (const { at, certainty, count } of rows) {
    const found = days.find((each) => each.day === dayOf(at));
    if (found !== undefined) found[certainty] += count;
  }
  const most = [...Map.groupBy(rows, ({ links }) => links.self)].flatMap(([self, own]) => {
    const [first] = own;
    const sum = (list: readonly WireCorrection[]): number => list.reduce((total, { count }) => total + count, 0);
    const contested = sum(own.filter(({ certainty }) => certainty === 'contested'));
    return first === undefined ? [] : { ref: first.ref, count: sum(own), contested, href: self };
  });
  return {
    asOf: new Date(moment).toISOString(),
    from: minutesAgo(3 * day),
    to: minutesAgo(0),
    recordedSince: minutesAgo(20 * day),
    rows: [...rows],
    days,
    most: most.toSorted((a, b) => b.count - a.count),
    mostOf: null,
    notRecorded: null,
    nextCursor: null,
    ...part,
  };
}
