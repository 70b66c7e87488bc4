/** Planned work on clusters, as plumbline.yaml declares it (policy.maintenance). `until` in ms since the epoch. */
export interface PlannedWork {
  readonly clusters: readonly string[];
  readonly until: number;
  readonly reason: string;
}

/** The planned work that a cluster is under at `now` (ms): of several, the one that lasts longest; null where there is none. */
export function plannedWorkOn(all: readonly PlannedWork[], cluster: string, now: number): PlannedWork | null {
  let found: PlannedWork | null = null;
  for (const work of all) {
    if (now >= work.until || !work.clusters.includes(cluster)) continue;
    if (found === null || work.until > found.until) found = work;
  }
  return found;
}
