import { pagingText } from '#lib/domain/alarm/alarm-text.ts';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import type { WireCauseLine, WireFleetSummary } from '#lib/api/fleet.ts';
import { scopeWords, type Scope } from '#lib/api/scope.ts';
import { groupCauses, type CauseGroup } from '#lib/domain/cause/cause-group.ts';
import { compareCauses, orderCauses, type CauseLine, type OrderedCauses } from '#lib/domain/cause/cause-order.ts';
import type { CurrentCluster } from '#lib/domain/record/current.ts';
import { cellsOf, guaranteeSentence, saidText } from '#lib/domain/guarantee/guarantee-sentence.ts';
import { wireCounts } from '#server/web/wire/wire-row.ts';
import { countOfCells, everything, guaranteeCounts, verdictCounts } from '#lib/domain/guarantee/tally.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { isBare, type KnownCluster } from '../cache/known-cluster.ts';
import type { RecordFacts } from '../record-facts.ts';
import { factsOf, outsideText } from './summary-facts.ts';
import { partialTexts } from './partial.ts';
import { wireSaid } from './cluster-sentence.ts';
import { wireCause } from './object/wire-object.ts';
import { wireTime, wireTimeOrNull } from './wire-time.ts';

/** Parameters of the summary of a page: the clusters that its filter keeps, and all there are. `now` in ms. */
export interface SummaryRequest extends Omit<CoreQuestion, 'scope'> {
  readonly recordOf: (name: string) => CurrentCluster | null;
  readonly simulated: boolean;
  readonly record: RecordFacts | null;
  readonly trouble: string | null;
}

/** The part of the summary that only a change of the fleet cache (or proof that ran out) can change. */
export interface SummaryCore extends CountedCore, Pick<WireFleetSummary, 'filter' | 'planned'> {
  /** The causes each by itself, and as they are shown first; `until`: when (ms) time alone makes other lines of them. */
  readonly causes: readonly CauseGroup[];
  readonly ordered: OrderedCauses;
}

/** The counts of a summary, and the sentence that they make. */
type CountedCore = Pick<
  WireFleetSummary,
  'guarantee' | 'counts' | 'objects' | 'clusters' | 'notMeasurable' | 'exemptions' | 'exempt' | 'conflicts'
>;

/** Clusters that a summary is counted from: those that a scope keeps, and all there are. */
export interface CoreQuestion {
  readonly scope: Scope;
  readonly clusters: readonly KnownCluster[];
  readonly whole: readonly KnownCluster[];
  readonly now: number;
}

/** Counts everything once; worth keeping until the fleet's stamp moves, or `ordered.until` has come. */
export function summaryCore(question: CoreQuestion): SummaryCore {
  const { scope, clusters, whole, now } = question;
  const causes = groupCauses(
    clusters.flatMap((cluster) => cluster.deviating),
    clusters.filter(isBare).map(({ name, known }) => ({ name, since: known.since, bound: known.bound })),
  );
  const text = scopeWords(scope);
  return {
    ...countedCore(clusters, scope),
    filter: text === '' ? null : { text, outside: outsideText(whole, clusters) },
    planned: plannedOf(clusters),
    causes,
    ordered: orderCauses(causes, now),
  };
}

/** The counts, and the sentence that they make, of the clusters that a scope keeps. */
export function countedCore(clusters: readonly KnownCluster[], scope: Scope): CountedCore {
  const { facts, alarmsReceived, alarmsUnknown, exempt, exemptions, conflicts } = factsOf(clusters);
  const { tally } = facts;
  const { total, unseen, away, syncing } = facts.clusters;
  const { truth, caption, lead, body } = guaranteeSentence({ ...facts, filtered: scopeWords(scope) !== '' });
  const asks = countOfCells(tally, cellsOf.asking) > 0;
  return {
    guarantee: {
      truth,
      caption,
      lead: saidText(lead),
      body: saidText(body),
      parts: { lead: wireSaid(lead, tally, scope), body: wireSaid(body, tally, scope) },
      ...guaranteeCounts(tally),
      clusters: { total, unseen, away },
      alarms: alarmsReceived ? 'read' : asks ? 'not-read' : 'not-needed',
      paging: pagingText({ why: alarmsUnknown, some: alarmsReceived }),
    },
    counts: wireCounts(verdictCounts(tally)),
    objects: countOfCells(tally, everything),
    clusters: { total, synced: total - syncing },
    notMeasurable: facts.notMeasurable,
    exempt,
    exemptions,
    conflicts,
  };
}

/** The planned work that clusters are under now, the one that ends first before the others. */
function plannedOf(clusters: readonly KnownCluster[]): WireFleetSummary['planned'] {
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
    .toSorted((a, b) => compareText(a.until, b.until));
}

const FIRST_CAUSES = 5;

/** A line under the sentence on the wire. */
export function wireCauseLine(line: CauseLine): WireCauseLine {
  return {
    key: line.key,
    verdict: line.verdict,
    cause: line.cause === null ? null : wireCause(line.cause),
    title: line.title,
    text: line.text,
    commits: [...line.commits],
    objects: line.objects,
    clusters: line.clusters,
    since: wireTime(line.since.time),
    bound: line.since.bound,
    alarm: line.alarm,
    broken: line.broken,
  };
}

/** The summary on the wire, with its first five causes, or each of all. */
export function wireFleetSummary(
  core: SummaryCore,
  question: SummaryRequest,
  causes: 'first' | 'all',
): WireFleetSummary {
  const { clusters, whole, recordOf, now, simulated, record, trouble } = question;
  const words = whole.flatMap(({ name }) => recordOf(name)?.lastWordAt ?? []);
  const lastWordAt = words.length === 0 ? null : Math.max(...words);
  const { causes: each, ordered, ...counted } = core;
  const lines = causes === 'all' ? each.toSorted(compareCauses) : ordered.lines;
  return {
    asOf: wireTime(now),
    lastWordAt: wireTimeOrNull(lastWordAt),
    ...counted,
    causes: (causes === 'all' ? lines : lines.slice(0, FIRST_CAUSES)).map(wireCauseLine),
    causesTotal: lines.length,
    causesObjects: lines.reduce((sum, { objects }) => sum + objects, 0),
    partial: [...partialTexts(clusters, recordOf, now)],
    record: record === null ? null : { ...record, since: wireTimeOrNull(record.since) },
    simulated,
    trouble: trouble ?? collectorTrouble(whole, lastWordAt, now),
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
