import type { WireFleetHead, WireGuarantee } from '#lib/api/fleet.ts';
import { groupCauses } from '#lib/domain/cause-group.ts';
import type { CauseGroup } from '#lib/domain/cause-group.ts';
import type { CurrentCluster } from '#lib/domain/current.ts';
import type { GuaranteeCounts } from '#lib/domain/guarantee-sentence.ts';
import { guaranteeSentence } from '#lib/domain/guarantee-sentence.ts';
import { wireCounts } from '#lib/domain/matrix/wire-row.ts';
import type { Verdict } from '#lib/domain/verdict.ts';
import { formatDuration } from '#lib/format/duration.ts';
import type { RecordFacts } from '../record-facts.ts';
import type { KnownCluster } from '../picture/known-cluster.ts';
import { hiddenKinds, partialTexts } from './partial.ts';
import { wireCause } from './wire-object.ts';
import { wireTime, wireTimeOrNull } from './wire-time.ts';

/** What the head of every page is made from. `now` in ms. */
export interface HeadQuestion {
  readonly clusters: readonly KnownCluster[];
  readonly recordOf: (name: string) => CurrentCluster | null;
  readonly now: number;
  readonly simulated: boolean;
  readonly record: RecordFacts | null;
  readonly trouble: string | null;
}

/** The part of the head that only a change of the picture (or proof that ran out) can change. */
export interface HeadCore {
  readonly guarantee: WireGuarantee;
  readonly planned: WireFleetHead['planned'];
  readonly causes: readonly CauseGroup[];
  readonly counts: WireFleetHead['counts'];
  readonly objects: number;
  readonly clusters: WireFleetHead['clusters'];
  readonly notMeasurable: number;
  readonly exemptions: number;
  readonly conflicts: number;
}

function isSyncing(cluster: KnownCluster, record: CurrentCluster | null): boolean {
  if (cluster.known.state === 'connecting') return true;
  return cluster.known.state === 'live' && (record?.feeds.some((feed) => feed.state === 'syncing') ?? true);
}

/** Lost, and nothing of it was ever seen: no object would tell of it. */
function isBare({ known, objects }: KnownCluster): boolean {
  const { state } = known;
  return objects.length === 0 && state !== 'live' && state !== 'connecting' && state !== 'declared';
}

/** Counts everything once; worth keeping until the fleet's stamp moves. */
export function headCore(clusters: readonly KnownCluster[], recordOf: HeadQuestion['recordOf']): HeadCore {
  return {
    ...countedCore(clusters, recordOf),
    planned: plannedOf(clusters),
    causes: groupCauses(
      clusters.flatMap((cluster) => cluster.deviating),
      clusters.filter(isBare).map(({ name, known }) => ({ name, since: known.since })),
    ),
  };
}

/** The counts, and the sentence that they make, of some clusters alone. */
export function countedCore(
  clusters: readonly KnownCluster[],
  recordOf: HeadQuestion['recordOf'],
): Omit<HeadCore, 'planned' | 'causes'> {
  const counts = new Map<Verdict, number>();
  const sum = { holds: 0, broken: 0, off: 0, unknown: 0, planned: 0 };
  const more = { objects: 0, away: 0, stale: 0, brokenStale: 0, notMeasurable: 0 };
  const weakened = { exemptions: 0, conflicts: 0 };
  const found = { total: 0, unseen: 0, blind: 0, away: 0, stale: 0, silent: 0, syncing: 0, planned: 0 };
  let heard = false;
  for (const cluster of clusters) {
    for (const [verdict, n] of cluster.counts) counts.set(verdict, (counts.get(verdict) ?? 0) + n);
    for (const part of ['holds', 'broken', 'off', 'unknown', 'planned'] as const) sum[part] += cluster.guarantee[part];
    for (const part of ['away', 'stale', 'brokenStale', 'notMeasurable'] as const) more[part] += cluster[part];
    more.objects += cluster.objects.length;
    for (const n of cluster.exemptions.values()) weakened.exemptions += n;
    weakened.conflicts += cluster.conflicts;
    heard ||= cluster.alarmsHeard;
    // A row of what is declared is no cluster: its objects count, it does not.
    if (cluster.known.state === 'declared') continue;
    found.total += 1;
    const syncing = isSyncing(cluster, recordOf(cluster.name));
    if (syncing) found.syncing += 1;
    if (syncing || cluster.known.state !== 'live') found.unseen += 1;
    else if (hiddenKinds(recordOf(cluster.name)).length > 0) found.blind += 1;
    if (cluster.away > 0) found.away += 1;
    if (cluster.stale > 0) found.stale += 1;
    if (cluster.plannedWork) found.planned += 1;
    if (cluster.guarantee.broken > 0) found.silent += 1;
  }
  const guaranteeCounts: GuaranteeCounts = { ...sum, ...more, clusters: found, alarmsRead: heard };
  const { total, unseen, away } = found;
  return {
    guarantee: {
      ...guaranteeSentence(guaranteeCounts),
      ...sum,
      clusters: { total, unseen, away },
      alarms: heard ? 'read' : more.away + more.stale > 0 ? 'not-read' : 'not-needed',
    },
    counts: wireCounts(counts),
    objects: more.objects,
    clusters: { total, synced: total - found.syncing },
    notMeasurable: more.notMeasurable,
    ...weakened,
  };
}

/** The planned work that clusters are under now, the one that ends first before the others. */
function plannedOf(clusters: readonly KnownCluster[]): WireFleetHead['planned'] {
  const works = Map.groupBy(clusters, (cluster) => cluster.plannedWork);
  return [...works]
    .flatMap(([work, under]) =>
      work === null
        ? []
        : {
            clusters: under.map(({ name }) => name),
            until: wireTime(work.until),
            reason: work.reason,
            objects: under.reduce((sum, { guarantee }) => sum + guarantee.planned, 0),
          },
    )
    .toSorted((a, b) => (a.until < b.until ? -1 : 1));
}

/** The head on the wire, with at most `causes` cause lines. */
export function wireHead(core: HeadCore, question: HeadQuestion, causes: number): WireFleetHead {
  const { clusters, recordOf, now, simulated, record, trouble } = question;
  let lastWordAt: number | null = null;
  for (const cluster of clusters) lastWordAt = latest(lastWordAt, recordOf(cluster.name)?.lastWordAt ?? null);
  return {
    asOf: wireTime(now),
    lastWordAt: wireTimeOrNull(lastWordAt),
    guarantee: core.guarantee,
    planned: core.planned,
    causes: core.causes.slice(0, causes).map((group) => ({
      key: group.key,
      verdict: group.verdict,
      cause: { ...wireCause(group.cause), title: group.title },
      text: group.text,
      objects: group.objects,
      clusters: group.clusters,
      since: wireTime(group.since.time),
      bound: group.since.bound,
      alarm: group.alarm,
    })),
    causesTotal: core.causes.length,
    counts: core.counts,
    objects: core.objects,
    clusters: core.clusters,
    partial: [...partialTexts(clusters, recordOf, now)],
    notMeasurable: core.notMeasurable,
    exemptions: core.exemptions,
    conflicts: core.conflicts,
    record: record === null ? null : { ...record, since: wireTimeOrNull(record.since) },
    simulated,
    trouble: trouble ?? collectorTrouble(clusters, lastWordAt, now),
  };
}

/** Every cluster that was live is not vouched for any more: that is no fault of the clusters. */
function collectorTrouble(clusters: readonly KnownCluster[], lastWordAt: number | null, now: number): string | null {
  const abandoned = clusters.some(({ known }) => known.state === 'unobserved');
  const tended = clusters.some(({ known }) => known.state === 'live' || known.state === 'connecting');
  if (!abandoned || tended || lastWordAt === null) return null;
  const age = Math.floor((now - lastWordAt) / 60_000) * 60_000;
  return `The collector has said nothing for ${age === 0 ? 'a while' : formatDuration(age)}: nothing here is known to be so any more.`;
}

function latest(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}
