import { compareText } from '#lib/domain/observation/compare-text.ts';
import { clusterPath, listPath } from '#lib/api/paths.ts';
import { wholeFleet } from '#lib/api/scope.ts';
import { knownAt } from '#lib/domain/alarm/known-object.ts';
import type { KnownAlarms } from '#lib/domain/alarm/chain.ts';
import type { EmbedScope } from '#lib/domain/matrix/embed-scope.ts';
import type { Policy } from '#lib/domain/guarantee/guarantee.ts';
import { guaranteeOf } from '#lib/domain/guarantee/guarantee.ts';
import { observedCounts } from '#lib/domain/guarantee/guarantee-sentence.ts';
import { isOnlyDeclared } from '#lib/domain/verdict/only-declared.ts';
import { addInto, emptyTally } from '#lib/domain/guarantee/tally.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import type { EmbedContent, EmbedLine } from '#lib/draw/embed/embed-content.ts';
import { minuteOf } from '#lib/draw/embed/embed-page.ts';
import { least } from '#lib/format/duration.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { hiddenKinds } from '../cache/hidden-kinds.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import { buildKnown } from '../cache/known-cluster.ts';
import type { KnownFleet } from '../cache/known-fleet.ts';
import type { FleetCache } from '../cache/fleet-cache.ts';
import { clusterSentence } from '../wire/cluster-sentence.ts';
import { factsOf } from '../wire/summary-facts.ts';
import { countedCore } from '../wire/wire-fleet-summary.ts';
import { worstFirst } from '../wire/lists/worst-first.ts';
import type { ColumnParts } from './column-parts.ts';
import {
  badgeText,
  bare,
  countsFound,
  nothingContent,
  objectContent,
  objectLine,
  stateCountsText,
} from './content-words.ts';
import { scopePage } from './scope-page.ts';
import { isNotInOrder, scopeTable, worstClusters } from './scope-table.ts';

/** Scope of the present; a figure is of the record. */
export type PresentScope = Exclude<EmbedScope, { type: 'figure' }>;

/** Sources of embeds. */
export interface ContentSource {
  readonly fleetCache: FleetCache;
  readonly fleet: KnownFleet;
  readonly columns: ColumnParts;
  readonly alarms: KnownAlarms;
  readonly policy: Policy;
}

const LINES = 6;

/** Content of an embed of a scope, as known at `now` (ms). Everything counted or named in it lies within the scope. */
export function scopeContent(scope: PresentScope, source: ContentSource, now: number): EmbedContent {
  const { fleetCache, fleet, alarms, policy } = source;
  switch (scope.type) {
    case 'fleet': {
      const clusters = fleet.all(now);
      return {
        ...clustersContent('Fleet', scopePage(scope), clusters, policy, now),
        ...clusterLines(clusters, now),
      };
    }
    case 'label':
      return labelContent(scope, source, now);
    case 'cluster':
      return clusterContent(scope.cluster, source, now);
    case 'column':
      return columnContent(scope.column, source, now);
    case 'object': {
      const stored = fleetCache.object(scope.ref);
      if (stored !== null)
        return objectContent(
          knownAt(
            stored,
            {
              cluster: fleetCache.clusterCache(scope.ref.cluster)?.record ?? null,
              alarms,
              policy,
            },
            now,
          ),
          policy,
          now,
        );
      const { cluster, kind, namespace, name } = scope.ref;
      const what = `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
      return nothingContent(
        `${name} on ${cluster}`,
        clusterPath(cluster),
        `There is no ${what} on ${cluster}.`,
        'not there',
      );
    }
  }
}

/** The sentence of some clusters, counted over them alone. */
function clustersContent(
  title: string,
  href: string,
  clusters: readonly KnownCluster[],
  policy: Policy,
  now: number,
): EmbedContent {
  const { guarantee } = countedCore(clusters, wholeFleet);
  const counts = sumOf(clusters);
  return {
    ...bare,
    title,
    href,
    sign: { type: 'truth', truth: guarantee.truth },
    lead: guarantee.lead,
    sentence: guarantee.body,
    counts,
    standing: stateCountsText(guarantee),
    badge: badgeText(guarantee.truth, counts, silentOf(clusters, policy, now), factsOf(clusters).facts.clusters),
  };
}

function sumOf(clusters: readonly KnownCluster[]): EmbedContent['counts'] {
  const sum = emptyTally();
  for (const { tally } of clusters) addInto(sum, tally);
  return countsFound(observedCounts(sum));
}

/** Number of objects that are away with nobody called, and the worst verdict among them. */
function silentOf(
  clusters: readonly KnownCluster[],
  policy: Policy,
  now: number,
): { readonly objects: number; readonly worst: Verdict | null } {
  const silent = clusters.flatMap(({ deviating, guarantee }) =>
    // Most clusters have none: their deviations are not looked at one by one.
    guarantee.broken === 0 ? [] : deviating.filter((object) => guaranteeOf(object, policy, now) === 'broken'),
  );
  return {
    objects: silent.length,
    worst: verdicts.find((each) => silent.some(({ verdict }) => verdict === each)) ?? null,
  };
}

/** The clusters that are not in order, worst first, as lines. */
function clusterLines(clusters: readonly KnownCluster[], now: number): Pick<EmbedContent, 'lines' | 'more'> {
  const found = worstClusters(clusters).filter(isNotInOrder);
  const left = found.length - LINES;
  return {
    lines: found.slice(0, LINES).map((cluster) => clusterLine(cluster, now)),
    more: left > 0 ? `${countOf(left, 'more cluster')} not in order.` : '',
  };
}

function clusterLine({ name, known, tally, guarantee }: KnownCluster, now: number): EmbedLine {
  const counts = countsFound(observedCounts(tally));
  const found = counts.filter(([verdict]) => verdict !== 'converged');
  const words = found.map(([verdict, n]) => `${formatCount(n)} ${verdict}`);
  const silent = guarantee.broken > 0;
  if (silent) words.push(`${formatCount(guarantee.broken)} silent`);
  return {
    verdict: counts[0]?.[0] ?? 'unobserved',
    silent,
    title: name,
    note: known.state === 'live' ? words.join(', ') : unseenText(known, now),
    href: clusterPath(name),
  };
}

function unseenText(known: KnownCluster['known'], now: number): string {
  const { state, since } = known;
  if (state === 'connecting') return 'being connected';
  return `not seen since ${least(known)}${minuteOf(Math.min(since, now), now)}`;
}

function labelContent(
  scope: Extract<EmbedScope, { type: 'label' }>,
  { fleet, policy }: ContentSource,
  now: number,
): EmbedContent {
  const { key, value } = scope;
  const title = `${key}=${value}`;
  const href = scopePage(scope);
  const clusters = fleet.all(now).filter(({ labels }) => labels[key] === value);
  if (clusters.length === 0) return nothingContent(title, href, `No cluster has the label ${title}.`, 'no cluster');
  const content = clustersContent(title, href, clusters, policy, now);
  return { ...content, ...scopeTable(clusters, policy, now) };
}

function clusterContent(name: string, { fleet, policy }: ContentSource, now: number): EmbedContent {
  const known = fleet.cluster(name, now);
  if (known === null) return nothingContent(name, '/', `There is no cluster ${name}.`, 'not there');
  const { truth, text } = clusterSentence(known, hiddenKinds(known), now);
  const counts = countsFound(observedCounts(known.tally));
  const deviating = known.deviating.filter((object) => !isOnlyDeclared(object));
  const left = deviating.length - LINES;
  return {
    ...bare,
    title: name,
    href: clusterPath(name),
    sign: { type: 'truth', truth },
    lead: '',
    sentence: text,
    counts,
    standing: stateCountsText(known.guarantee),
    lines: deviating
      .toSorted(worstFirst({ policy, now }))
      .slice(0, LINES)
      .map((object) => objectLine(object, policy, now)),
    more: left > 0 ? `${countOf(left, 'more object')} not converged.` : '',
    badge: badgeText(truth, counts, silentOf([known], policy, now), factsOf([known]).facts.clusters),
  };
}

/** A column is looked at as if its objects were all that there is: so its sentence is made, and counted, like every other. */
function columnContent(id: string, { columns, policy, alarms }: ContentSource, now: number): EmbedContent {
  const { parts, seed } = columns.of(id);
  const title = seed?.title ?? id.slice(id.lastIndexOf('/') + 1);
  const href = seed === null ? scopePage({ type: 'column', column: id }) : listPath(seed.filter);
  if (parts.length === 0)
    return nothingContent(title, href, `No cluster has anything in the column ${title}.`, 'not there');
  const clusters = parts
    .map((part) => buildKnown(part, { alarms, policy }, now, part.revision))
    .toSorted((a, b) => compareText(a.name, b.name));
  const content = clustersContent(title, href, clusters, policy, now);
  return { ...content, ...clusterLines(clusters, now) };
}
