import { cellCodes, shownLabels, type FleetView, type WireFleet } from '#lib/api/fleet.ts';
import { largeFleet } from '#components/testing/large-fleet.ts';
import { nightFleet } from '#components/testing/night-fleet.ts';
import { minutesAgo, wireFleetSummary } from '#components/testing/wire-fleet.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';

const hint = `clusters:
  - name: eu-west-3
    kubeconfig: ./eu-west-3.yaml
    context: eu-west-3
    labels: { environment: production }
`;

function small(): WireFleet {
  const night = nightFleet();
  return {
    ...night,
    rows: night.rows.filter((row) => ['eu-west-3', 'stg-edge', 'ap-northeast-1'].includes(row.cluster)),
  };
}

/** The night while a cluster of it is worked on. */
function planned(): WireFleet {
  const night = nightFleet();
  const until = minutesAgo(-61);
  const rows = night.rows.map((row) =>
    row.cluster === 'stg-edge' ? { ...row, plannedWork: { until, reason: 'Upgrade to Kubernetes 1.36' } } : row,
  );
  const work = { clusters: ['stg-edge'], until, reason: 'Upgrade to Kubernetes 1.36', objects: 14 };
  return { ...night, rows, summary: { ...night.summary, planned: [work] } };
}

/** The night where no alarm source is read. */
function unread(): WireFleet {
  const night = nightFleet();
  const rows = night.rows.map((row) => ({
    ...row,
    silent: 0,
    marks: row.marks.map((mark) => ({ ...mark, alarm: 'unknown' as const })),
  }));
  const guarantee = {
    ...night.summary.guarantee,
    truth: 'unknown' as const,
    lead: 'Not as in git on 7 of 14 clusters:',
    body: '9 objects are away from git and 14 are stale.',
    alarms: 'not-read' as const,
    paging: 'Paging status unknown: no alert source is configured.',
  };
  const causes = night.summary.causes.map((line) => ({ ...line, alarm: 'unknown' as const }));
  return { ...night, rows, summary: { ...night.summary, guarantee, causes } };
}

function calm(): WireFleet {
  const night = nightFleet();
  const rows = night.rows.filter((row) => row.worst === 'converged');
  const guarantee = {
    ...wireFleetSummary().guarantee,
    body: 'So it is, on all 4 clusters: 56 objects, 2 not measurable.',
  };
  return {
    ...night,
    rows,
    summary: wireFleetSummary({ guarantee, objects: 56, clusters: { total: 4, synced: 4 }, simulated: true }),
  };
}

function empty(): WireFleet {
  const guarantee = {
    ...wireFleetSummary().guarantee,
    truth: 'empty' as const,
    body: 'No cluster is read yet, so nothing can be said.',
    clusters: { total: 0, unseen: 0, away: 0 },
  };
  return {
    summary: wireFleetSummary({ guarantee, objects: 0, clusters: { total: 0, synced: 0 } }),
    columns: [],
    rows: [],
    labels: [],
    reconcilers: [],
    hint,
  };
}

function reading(): WireFleet {
  const large = largeFleet(1000, 60);
  const rows = large.rows.map((row, at) => (at % 16 === 0 ? row : { ...row, state: 'connecting' as const }));
  const guarantee = {
    ...wireFleetSummary().guarantee,
    truth: 'unknown' as const,
    body: 'That cannot be said: 938 of 1,000 clusters are not seen.',
  };
  return {
    ...large,
    rows,
    summary: { ...large.summary, guarantee, objects: 48_120, clusters: { total: 1000, synced: 62 } },
  };
}

/** Fleets to look at, by name. */
export const fixtures: Readonly<Record<string, () => WireFleet>> = {
  night: nightFleet,
  small,
  planned,
  unread,
  calm,
  empty,
  reading,
  large: () => largeFleet(1000, 60),
  wide: () => largeFleet(30, 60, 3),
};

/** The part of a fleet that a view shows, near enough for looking: by verdict and by name. */
export function filtered(fleet: WireFleet, view: FleetView): WireFleet {
  const codes = verdicts
    .filter((verdict) => view.verdict.split(',').includes(verdict))
    .map((verdict) => cellCodes[verdict]);
  const rows = fleet.rows.filter(
    (row) => row.cluster.includes(view.q) && (codes.length === 0 || codes.some((code) => row.cells.includes(code))),
  );
  const labels = (row: WireFleet['rows'][number]) =>
    shownLabels(view).map((label) => (label === 'environment' ? row.group : row.cluster.split('-')[0]) ?? '');
  return { ...fleet, rows: rows.map((row) => ({ ...row, labels: labels(row) })) };
}
