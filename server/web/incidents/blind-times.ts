import type { WireIncidentPage } from '#lib/api/incident.ts';
import type { Incident } from '#lib/domain/incident/incident.ts';
import type { RecordedGap, RecordReader } from '#server/store/port/record-port.ts';
import { wireTime, wireTimeOrNull } from '../wire/wire-time.ts';

/** Clusters that are looked at, and times that are told. */
const mostClusters = 200;
const mostTold = 20;

/**
 * Times in which a cluster of an incident was not being observed while it lasted, up to `at` (ms). Where the incident is that clusters are
 * lost, only the time in which no collector ran is one.
 */
export async function blindTimes(
  record: Pick<RecordReader, 'gaps'>,
  { clusters, clusterCount, openedAt, closedAt, cause }: Incident,
  at: number,
): Promise<Pick<WireIncidentPage, 'blind' | 'blindLeftOut'>> {
  const asked = clusters.slice(0, mostClusters);
  const gaps = await record.gaps(asked, { from: openedAt, to: (closedAt ?? at) + 1 });
  const blinds = (gap: RecordedGap): boolean =>
    gap.kind === null && (cause.type === 'cluster' ? gap.state === 'unobserved' : gap.state !== 'forgotten');
  const found = joined(gaps.filter((gap) => gap.from <= at && blinds(gap))).toSorted((a, b) => a.from - b.from);
  return {
    blind: found.slice(0, mostTold).map(({ cluster, from, to, state, reason }) => ({
      cluster,
      from: wireTime(from),
      // That it ended later was not known then.
      to: wireTimeOrNull(to === null || to > at ? null : to),
      reason: reason ?? state,
    })),
    blindLeftOut: found.length > mostTold || clusterCount > asked.length,
  };
}

/** Gaps of clusters, those that follow at once upon one another as one; each keeps the reason with which it began. */
function joined(gaps: readonly RecordedGap[]): readonly RecordedGap[] {
  const found: RecordedGap[] = [];
  for (const gap of gaps) {
    const last = found.at(-1);
    if (last?.cluster === gap.cluster && last.to === gap.from) found[found.length - 1] = { ...last, to: gap.to };
    else found.push(gap);
  }
  return found;
}
