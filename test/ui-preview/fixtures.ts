import type { FleetView, WireFleet } from '#lib/api/fleet.ts';
import { cellCodes } from '#lib/api/fleet.ts';
import { largeFleet } from '#components/testing/large-fleet.ts';
import { nightFleet } from '#components/testing/night-fleet.ts';
import { wireHead } from '#components/testing/wire-fleet.ts';
import { verdicts } from '#lib/domain/verdict.ts';

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

function calm(): WireFleet {
  const night = nightFleet();
  const rows = night.rows.filter((row) => row.worst === 'converged');
  const guarantee = { ...wireHead().guarantee, head: 'So it is, on all 4 clusters: 56 objects, 2 not measurable.' };
  return {
    ...night,
    rows,
    head: wireHead({ guarantee, objects: 56, clusters: { total: 4, synced: 4 }, simulated: true }),
  };
}

function empty(): WireFleet {
  const guarantee = {
    ...wireHead().guarantee,
    truth: 'empty' as const,
    head: 'No cluster is read yet, so nothing can be said.',
    clusters: { total: 0, unseen: 0, away: 0 },
  };
  return {
    head: wireHead({ guarantee, objects: 0, clusters: { total: 0, synced: 0 } }),
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
    ...wireHead().guarantee,
    truth: 'unknown' as const,
    head: 'That cannot be said: 938 of 1,000 clusters are not seen.',
  };
  return { ...large, rows, head: { ...large.head, guarantee, objects: 48_120, clusters: { total: 1000, synced: 62 } } };
}

/** Fleets to look at, by name. */
export const fixtures: Readonly<Record<string, () => WireFleet>> = {
  night: nightFleet,
  small,
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
  return { ...fleet, rows };
}
