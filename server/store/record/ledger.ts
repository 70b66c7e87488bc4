import { compareText } from '#lib/domain/observation/compare-text.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { Arrival } from '#lib/domain/chain/arrival.ts';
import type { NotedChange } from '#lib/domain/record/change.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import type { ArrivalTimes, LedgerEntry, RecordReader, RecordScope } from '../port/record-port.ts';
import { descending, isWithin, pageOf } from './lists.ts';
import { includesCluster, includesObject, includesWhole, isOfWholeClusters, type Recorded } from './recorded.ts';

/** The corrections of a scope and a period: of one object at one time the later word. */
export function correctionsWithin(
  { corrections }: Recorded,
  scope: RecordScope,
  period: Period,
): readonly LedgerEntry[] {
  const latest = new Map<string, LedgerEntry>();
  for (const entry of corrections) latest.set(`${refKey(entry.ref)} ${entry.correction.at}`, entry);
  return [...latest.values()].filter(
    ({ ref, correction }) => includesObject(scope, ref) && isWithin(correction.at, period),
  );
}

/** The order of arrivals: the newest first, those of one moment by cluster and commit. */
export function newestArrival(a: Arrival, b: Arrival): number {
  return b.lastAt - a.lastAt || compareText(a.cluster, b.cluster) || compareText(a.commit, b.commit);
}

/** Answers about corrections, changes and arrivals. */
export function readLedger(
  recorded: Recorded,
): Pick<RecordReader, 'corrections' | 'correctionDays' | 'changeCounts' | 'arrivals' | 'arrivalTimes'> {
  return {
    async corrections(scope, period, page) {
      return pageOf(
        descending(correctionsWithin(recorded, scope, period), ({ correction }) => correction.at),
        page,
      );
    },
    async correctionDays(scope, period) {
      const days = new Map<string, { day: number; certainty: LedgerEntry['correction']['certainty']; count: number }>();
      for (const { correction } of correctionsWithin(recorded, scope, period)) {
        const { certainty } = correction;
        const day = dayOf(correction.at);
        const count = (days.get(`${day} ${certainty}`)?.count ?? 0) + correction.count;
        days.set(`${day} ${certainty}`, { day, certainty, count });
      }
      return [...days.values()].toSorted((a, b) => a.day - b.day || compareText(a.certainty, b.certainty));
    },
    async changeCounts(scope, period, types) {
      const counted = recorded.changes.filter(
        (change) => isWithin(change.at, period) && types.includes(change.fact.type) && includesChange(scope, change),
      );
      return [...Map.groupBy(counted, ({ fact }) => fact.type)]
        .map(([type, changes]) => ({ type, count: changes.length }))
        .toSorted((a, b) => compareText(a.type, b.type));
    },
    async arrivals(scope, period, limit) {
      const { partly } = clustersOf(recorded, scope, period);
      return { list: arrivalsWithin(recorded, scope, period).toSorted(newestArrival).slice(0, limit), partly };
    },
    async arrivalTimes(scope, period) {
      const arrived = arrivalsWithin(recorded, scope, period);
      const known = arrived.flatMap(({ offeredAt, lastAt }) =>
        offeredAt === null ? [] : [Math.max(0, lastAt - offeredAt)],
      );
      const clusters = clustersOf(recorded, scope, period);
      return { ...clusters, took: Float64Array.from(known).sort(), unknown: arrived.length - known.length };
    },
  };
}

/** A commit arrives on a cluster, whatever of it is asked for. */
function ofClusters({ clusters, within }: RecordScope): RecordScope {
  return { clusters, ...(within === undefined ? {} : { within }) };
}

function arrivalsWithin({ arrivals }: Recorded, scope: RecordScope, period: Period): readonly Arrival[] {
  const asked = ofClusters(scope);
  return arrivals.filter(({ cluster, lastAt }) => includesWhole(asked, cluster) && isWithin(lastAt, period));
}

/** Clusters whose arrivals a scope asks for: how many are told of, and those of which it sees a part. */
function clustersOf({ coverage }: Recorded, scope: RecordScope, period: Period): Pick<ArrivalTimes, 'of' | 'partly'> {
  if (period.from >= period.to) return { of: 0, partly: [] };
  const asked = ofClusters(scope);
  const begun = new Set(coverage.flatMap(({ cluster, at }) => (at < period.to ? cluster : [])));
  const seen = [...begun].filter((cluster) => includesCluster(asked, cluster));
  const partly = seen.filter((cluster) => !includesWhole(asked, cluster)).toSorted(compareText);
  return { of: seen.length - partly.length, partly };
}

/** True if a scope includes a change. What concerns a cluster as a whole belongs to scopes of whole clusters, a package to who sees all of it. */
function includesChange(scope: RecordScope, { ref, cluster, fact }: NotedChange): boolean {
  if (ref !== null) return includesObject(scope, ref);
  if (fact.type === 'package-revision') return includesWhole(scope, cluster);
  return isOfWholeClusters(scope) && includesCluster(scope, cluster);
}

/** So many commits are remembered with an applier: a batch that is written twice, or a commit that is gone back to, counts once. */
const commitsRemembered = 5;

/** The commits that an applier is remembered to have arrived at, the newest first, once it arrives at `commit`; null where that was counted lately. */
export function arrivedAt(commit: string, remembered: readonly string[]): readonly string[] | null {
  return remembered.includes(commit) ? null : [commit, ...remembered].slice(0, commitsRemembered);
}
