import { setImmediate } from 'node:timers/promises';
import type { AlarmsQuery, WireNotifications } from '#lib/api/alarm/alarms.ts';
import { wordsOf } from '#lib/api/params.ts';
import type { ReachCount } from '#lib/domain/alarm/finding.ts';
import {
  type ClusterNotifications,
  type NotificationFinding,
  notificationsOf,
} from '#lib/domain/alarm/notification/coverage.ts';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';

const most = { unread: 20, kinds: 50, clusters: 20 } as const;

/** Clusters that are counted in one turn of the process. */
const atOnce = 4;

type Asked = Pick<AlarmsQuery, 'cluster' | 'group' | 'kind' | 'limit'>;

/** Notifications of the clusters that are asked for, at `now` (ms), a few clusters at a time: each is counted once until something changes. */
export async function notificationsAt(moment: KnownMoment, asked: Asked, now: number): Promise<WireNotifications> {
  const named = new Set(wordsOf(asked.cluster));
  // What is declared is on no cluster that could tell of it.
  const clusters = moment.fleet
    .all(now)
    .filter(({ name, known }) => known.state !== 'declared' && (named.size === 0 || named.has(name)));
  const found: ClusterNotifications[] = [];
  for (let at = 0; at < clusters.length; at += atOnce) {
    for (const cluster of clusters.slice(at, at + atOnce))
      found.push(notificationsOf(cluster, moment.recordOf(cluster.name), now));
    await setImmediate();
  }
  return wireNotifications(found, asked, moment.policy.notifications === 'count');
}

function wireNotifications(
  found: readonly ClusterNotifications[],
  { group, kind, limit }: Asked,
  counted: boolean,
): WireNotifications {
  const unread = found.filter(({ unknown }) => unknown !== null);
  const rows = found
    .flatMap(({ kinds }) => kinds)
    .filter(
      (row) => (kind === '' || row.kind === kind) && (group === '' || row.group === (group === '-' ? '' : group)),
    );
  const kinds = [...Map.groupBy(rows, (row) => `${row.group}/${row.kind}`).values()]
    .map((of) => ({
      group: of[0]?.group ?? '',
      kind: of[0]?.kind ?? '',
      objects: of.reduce((sum, { objects }) => sum + objects, 0),
      clusters: of.length,
      told: of.reduce(added, { yes: 0, no: 0, unknown: 0 }),
    }))
    .toSorted((a, b) => b.told.no - a.told.no || b.told.unknown - a.told.unknown || compareText(a.kind, b.kind));
  const findings = found.flatMap(({ findings: of }) => of);
  const lines = [...Map.groupBy(findings, ({ alert, link, text }) => JSON.stringify([alert, link, text])).values()];
  const past = found.length > 0 && found.every(({ unknown }) => unknown === 'not-kept');
  return {
    unknown: past ? 'not-kept' : null,
    counted,
    alerts: found.reduce((sum, { alerts }) => sum + alerts, 0),
    clusters: found.filter(({ alerts }) => alerts > 0).length,
    unread: unread.slice(0, most.unread).map(({ cluster }) => cluster),
    unreadTotal: unread.length,
    kinds: kinds.slice(0, most.kinds),
    kindsTotal: kinds.length,
    findings: lines.slice(0, limit).flatMap(alikeFinding),
    findingsTotal: findings.length,
    findingLines: lines.length,
  };
}

function alikeFinding(alike: readonly NotificationFinding[]): WireNotifications['findings'] {
  const [first] = alike;
  if (first === undefined) return [];
  const { alert, link, text, mend } = first;
  const clusters = alike.map(({ cluster }) => cluster).toSorted(compareText);
  return [{ clusters: clusters.slice(0, most.clusters), clustersTotal: clusters.length, alert, link, text, mend }];
}

function added(sum: ReachCount, { told }: { readonly told: ReachCount }): ReachCount {
  return { yes: sum.yes + told.yes, no: sum.no + told.no, unknown: sum.unknown + told.unknown };
}
