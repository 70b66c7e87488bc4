import { minutesAgo } from '#components/testing/wire-fleet.ts';
import {
  wireCorrection,
  wireCorrections,
  wireHistory,
  wireAbsence,
  wireAbsences,
  wireLane,
  wireMarkOfTime,
} from '#components/testing/wire-record.ts';
import type { WireCorrectionList } from '#lib/api/correction.ts';
import type { WireFleet } from '#lib/api/fleet.ts';
import type { HistoryQuery, WireHistory, WireLane, WireMarkOfTime } from '#lib/api/history.ts';
import type { WireAbsenceList } from '#lib/api/absence.ts';
import { clusterPath, historyPath } from '#lib/api/paths.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';

const day = 24 * 60;

/** A lane of a day in which something happened now and then; the same for the same number. */
function laneOf(title: string, n: number, part: Partial<WireLane>): WireLane {
  const { objects = 1 } = part;
  const good = (from: number, to: number): WireMarkOfTime =>
    wireMarkOfTime(from, to, n % 11 === 3 ? 'unconfirmed' : 'converged', { objects, of: objects });
  const marks: WireMarkOfTime[] = [];
  let at = day;
  for (let k = 0; at > 0; k += 1) {
    const bad = Math.max(0, at - 60 - ((n * 131 + k * 67) % 400));
    marks.push(good(at, bad));
    at = Math.max(0, bad - 1 - ((n * 17 + k * 29) % 45));
    if (bad > 0) marks.push(badMark(bad, at, n + k, objects));
  }
  return wireLane({ key: title, title, marks, ...part });
}

/** One object of them all, or of one every third gathered. */
function badMark(from: number, to: number, n: number, objects: number): WireMarkOfTime {
  const state = verdicts[n % 10] ?? 'stale';
  const gathered = n % 3 === 2;
  const share = (gathered ? 0.4 : 1) / objects;
  const shares =
    share === 1
      ? [{ state, share }]
      : [
          { state, share },
          { state: 'converged' as const, share: 1 - share },
        ];
  return wireMarkOfTime(from, to, state, {
    changes: gathered ? 5 : 0,
    of: objects,
    shares,
    reason: objects > 1 || gathered ? null : 'BuildFailed',
  });
}

/** Timelines of a made-up fleet: of one object, of the kinds of a cluster, or one lane a cluster, all of one day. */
export function historyOf(fleet: WireFleet, query: HistoryQuery): WireHistory {
  if (query.name !== '' && query.cluster !== '') return wireHistory({ lanes: [laneOf(query.name, 4, {})] });
  if (query.cluster !== '') {
    const kinds = ['Kustomization', 'GitRepository', 'HelmRelease', 'HelmRepository'];
    const lanes = kinds.map((kind, n) =>
      laneOf(kind, n, {
        note: '12 objects',
        objects: 12,
        href: clusterPath(query.cluster),
        history: historyPath({ cluster: query.cluster, kind }),
      }),
    );
    return wireHistory({ by: 'kind', lanes });
  }
  const lanes = fleet.rows.map(({ cluster }, n) => laneOf(cluster, n, { note: 'Kustomization flux-system/checkout' }));
  return wireHistory({ by: 'cluster', lanes });
}

/** Absences of a night. */
export function absencesOf(): WireAbsenceList {
  const rows = Array.from({ length: 30 }, (_, n) =>
    wireAbsence({
      openedAt: minutesAgo(47 + n * 240),
      closedAt: n === 0 ? null : minutesAgo(n * 240),
      ended: n === 0 ? null : 'converged',
      worst: verdicts[n % 4] ?? 'stale',
      bound: n % 7 === 3 ? 'at-least' : 'exact',
    }),
  );
  return wireAbsences(rows);
}

/** Corrections of three days. */
export function correctionsOf(): WireCorrectionList {
  const certainties = ['confirmed', 'probable', 'contested'] as const;
  return wireCorrections(
    Array.from({ length: 20 }, (_, n) =>
      wireCorrection({
        at: minutesAgo(60 + n * 200),
        certainty: certainties[n % 3] ?? 'confirmed',
        count: 1 + (n % 5),
      }),
    ),
  );
}
