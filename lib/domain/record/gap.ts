import { kindKey, type GroupKind } from '../observation/ref.ts';

/** A state of what is being observed from `at` (ms) on: of one kind, or with `kind` null of the whole cluster. */
export interface CoveragePoint {
  readonly kind: GroupKind | null;
  readonly at: number;
  readonly observed: boolean;
  readonly state: string;
  readonly reason: string | null;
}

/** A time in which an object was not being seen (ms since the epoch); `to` is null where it lasts. */
export interface Gap {
  readonly from: number;
  readonly to: number | null;
  /** The state of the cluster, or of the kind there, that made it so. */
  readonly state: string;
  readonly reason: string | null;
}

/**
 * The times in which objects of `kind` were not being seen, oldest first, from the record of one cluster (in any order).
 * Before the record begins nothing is known, so there is no gap. A cluster that is lost explains what its kinds do.
 */
export function gapsOf(points: readonly CoveragePoint[], kind: GroupKind): readonly Gap[] {
  const gaps: Gap[] = [];
  let cluster: CoveragePoint | null = null;
  let feed: CoveragePoint | null = null;
  let open: Gap | null = null;
  for (const point of points.toSorted((a, b) => a.at - b.at)) {
    if (point.kind === null) cluster = point;
    else if (point.kind.group === kind.group && point.kind.kind === kind.kind) feed = point;
    else continue;
    const blind: CoveragePoint | null = cluster?.observed === false ? cluster : feed?.observed === false ? feed : null;
    if (open !== null && blind?.state === open.state && blind.reason === open.reason) continue;
    if (open !== null && point.at > open.from) gaps.push({ ...open, to: point.at });
    open = blind === null ? null : { from: point.at, to: null, state: blind.state, reason: blind.reason };
  }
  return open === null ? gaps : [...gaps, open];
}

/** The gaps that concern one kind, oldest first and without overlap: where the whole cluster was not seen, that explains it. */
export function gapsOfKind(gaps: readonly (Gap & Pick<CoveragePoint, 'kind'>)[], of: GroupKind): readonly Gap[] {
  const apart: Gap[] = [];
  const concerning = gaps.filter(({ kind }) => kind === null || kindKey(kind) === kindKey(of));
  for (const { from, to, state, reason } of concerning.toSorted((a, b) => a.from - b.from)) {
    const last = apart.at(-1);
    if (last?.to === null) break;
    const start = Math.max(from, last?.to ?? from);
    if (to === null || to > start) apart.push({ from: start, to, state, reason });
  }
  return apart;
}
