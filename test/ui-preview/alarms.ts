import type { AlarmsQuery, WireAlarms, WireClusterCoverage } from '#lib/api/alarm/alarms.ts';
import type { WireFleet, WireRow } from '#lib/api/fleet.ts';
import { objectPath } from '#lib/api/paths.ts';
import {
  noAlarms,
  wireAlarms,
  wireClusterCoverage,
  wireFinding,
  wireKindCoverage,
  wireReach,
  wireSilentCause,
  wireSource,
} from '#components/testing/wire-alarms.ts';
import { minutesAgo } from '#components/testing/wire-fleet.ts';
import { checkout } from '#components/testing/wire-object.ts';

const kinds = ['Kustomization', 'HelmRelease', 'GitRepository', 'HelmRepository', 'Provider', 'RDSInstance'];
const none = { rules: [], rulesTotal: 0, receivers: [], receiversTotal: 0, firedAt: null };

/** Coverage of a kind on a cluster, some of it bad. */
function coverageOf(row: WireRow, at: number, kind: number): WireClusterCoverage {
  const objects = 4 + ((at * 7 + kind * 3) % 40);
  const part = { objects, away: row.silent > 0 && kind === 0 ? 2 : 0, silent: kind === 0 ? row.silent : 0 };
  const unknown = wireReach(0, 0, objects);
  if (row.state !== 'live')
    return wireClusterCoverage(row.cluster, {
      ...part,
      ...none,
      exported: unknown,
      ruled: unknown,
      routed: unknown,
      why: 'not-covered',
    });
  const no = wireReach(0, objects);
  if (kind === 5) return wireClusterCoverage(row.cluster, { ...part, ...none, exported: no, ruled: no, routed: no });
  if (kind === 3) return wireClusterCoverage(row.cluster, { ...part, ...none, ruled: no, routed: no });
  if (row.silent === 0) return wireClusterCoverage(row.cluster, part);
  const some = wireReach(objects - part.silent, part.silent);
  return wireClusterCoverage(row.cluster, { ...part, ruled: some, routed: some });
}

/** Alarms of a made-up fleet. */
export function alarmsOf(fleet: WireFleet, query: AlarmsQuery, past: boolean): WireAlarms {
  if (past) return noAlarms('not-kept');
  if (fleet.rows.length === 0 || fleet.summary.guarantee.alarms === 'not-read') return noAlarms('none');
  const rows = kinds
    .map((kind, k) => ({ kind, of: fleet.rows.map((row, at) => coverageOf(row, at, k)) }))
    .filter(({ kind }) => query.kind === '' || query.kind === kind)
    .map(({ kind, of }) => ({ ...wireKindCoverage(kind, of), clusters: of.slice(0, query.limit) }))
    .toSorted((a, b) => b.silent - a.silent || b.routed.no - a.routed.no);
  const sum = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((n, row) => n + of(row), 0);
  const reach = (step: 'exported' | 'ruled' | 'routed') => ({
    yes: sum((row) => row[step].yes),
    no: sum((row) => row[step].no),
    unknown: sum((row) => row[step].unknown),
  });
  const silent = fleet.rows
    .filter((row) => row.silent > 0)
    .slice(0, 5)
    .map(({ cluster }) => {
      const title = `${checkout.name} on ${cluster}`;
      const href = objectPath({ ...checkout, cluster });
      const { group, kind, namespace, name } = checkout;
      return wireSilentCause({
        key: cluster,
        title,
        cause: { type: 'object', title, href, cluster, group, kind, namespace, name },
        objects: cluster.length,
      });
    });
  const [live] = wireSource().programs;
  const failed = {
    ...wireSource({ name: 'alertmanager-us', clusters: ['us-east-1'] }),
    programs: live
      ? [
          {
            ...live,
            program: 'alertmanager' as const,
            url: 'https://alertmanager.us.example.org',
            state: 'failed' as const,
            reason: 'connect ETIMEDOUT',
            since: minutesAgo(12),
          },
        ]
      : [],
  };
  return wireAlarms({
    kinds: rows,
    totals: {
      objects: sum(({ objects }) => objects),
      away: sum(({ away }) => away),
      exported: reach('exported'),
      ruled: reach('ruled'),
      routed: reach('routed'),
    },
    silent,
    sources: [wireSource({ cut: ['Of 61,204 alerts the first 50,000 were read.'] }), failed],
    sourcesTotal: 2,
    findings: findings.filter(({ type }) => query.finding === '' || query.finding.split(',').includes(type)),
  });
}

const findings: WireAlarms['findings'] = [
  {
    type: 'leaves-out',
    total: 1,
    lines: 1,
    findings: [
      wireFinding({
        type: 'leaves-out',
        title: 'FluxReconciliationFailure',
        text: 'It reads gotk_resource_info{customresource_kind="Kustomization"} and leaves out HelmRelease.',
        mend: 'Take the matcher on customresource_kind away.',
        objects: 214,
        href: '/objects?kind=HelmRelease&reach=not-ruled',
      }),
    ],
  },
  {
    type: 'dead-rule',
    total: 12,
    lines: 12,
    findings: [
      wireFinding(),
      wireFinding({ title: 'FluxSuspended', text: 'It reads gotk_suspend_status, of which there is no series.' }),
    ],
  },
  {
    type: 'silence-outlives',
    total: 1,
    lines: 1,
    findings: [
      wireFinding({
        type: 'silence-outlives',
        title: 'Upgrade of stg-edge',
        text: 'A silence by jane until 1 Dec holds back 3 alerts, and the work on stg-edge ended 4 d ago.',
        mend: 'Expire the silence.',
        at: minutesAgo(4 * 24 * 60),
      }),
    ],
  },
];
