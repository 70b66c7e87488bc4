import type { KnownAlarms } from '#lib/domain/alarm/chain.ts';
import { reaches } from '#lib/domain/alarm/reach.ts';
import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { ObjectFilter } from '#lib/api/object-filter.ts';
import type { WireObject, WireObjectList } from '#lib/api/object.ts';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import { parseVerdicts } from '#lib/domain/matrix/matrix-view.ts';
import { wireCounts } from '#server/web/wire/wire-row.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { driftGoesUnseen } from '#lib/domain/observation/drift.ts';
import { isOnlyDeclared } from '#lib/domain/verdict/only-declared.ts';
import { causesWithObjects } from '#lib/domain/cause/cause-group.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import { guaranteeOf } from '#lib/domain/guarantee/guarantee.ts';
import { wordsOf } from '#lib/api/params.ts';
import type { KnownCluster } from '../../cache/known-cluster.ts';
import { badCursor, type Refused } from '../../http/problem.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { WireContext } from '../wire-context.ts';
import { wireObject } from '../object/wire-object.ts';
import { wireTime } from '../wire-time.ts';
import { comparePositions, Position, positionOf, worstFirst } from './worst-first.ts';

interface Positioned {
  readonly object: KnownObject;
  readonly position: Position;
}

/** Objects found of a page so far. */
interface Search {
  readonly clusters: readonly KnownCluster[];
  /** Test of what is asked beyond the scope and the verdict; null where that is nothing: counts are known then. */
  readonly matches: ((object: KnownObject) => boolean) | null;
  readonly wants: (verdict: Verdict) => boolean;
  readonly silent: ObjectFilter['silent'];
  readonly after: Position | null;
  readonly most: number;
  readonly counts: Map<Verdict, number>;
  declared: number;
  readonly page: Positioned[];
}

/** The reconcilers that own any object of these clusters, by name. */
export function reconcilersOf(clusters: readonly KnownCluster[]): string[] {
  const found = new Set<string>();
  for (const cluster of clusters) for (const reconciler of cluster.reconcilers) found.add(reconciler);
  return [...found].toSorted();
}

/** Sources of a list: the clusters that the scope of its filter keeps, what is known of them, and all that own objects. */
export interface ListSource extends Pick<WireObjectList, 'truth' | 'filter' | 'partial' | 'reconcilers'> {
  readonly clusters: readonly KnownCluster[];
  readonly alarms: Pick<KnownAlarms, 'reachOf'>;
}

/** Test of what a filter asks beyond its scope and verdict; null for nothing. */
function beyondScope(
  { guarantee, drift, alarm, link, reach, cause }: ObjectFilter,
  { policy, now }: WireContext,
  { alarms, clusters }: Pick<ListSource, 'clusters' | 'alarms'>,
): ((object: KnownObject) => boolean) | null {
  const tests: ((object: KnownObject) => boolean)[] = [];
  const wanted = new Set<string>(wordsOf(guarantee));
  const states = new Set<string>(wordsOf(alarm));
  const links = new Set<string>(wordsOf(link));
  if (drift !== '') tests.push(driftGoesUnseen);
  if (wanted.size > 0) tests.push((object) => wanted.has(guaranteeOf(object, policy, now)));
  if (states.size > 0) tests.push((object) => states.has(object.alarm.state));
  if (links.size > 0) tests.push(({ alarm: of }) => 'broken' in of && links.has(of.broken));
  if (reach !== '') tests.push((object) => !isOnlyDeclared(object) && reaches(alarms.reachOf(object, now), reach));
  const keepsAll = (object: KnownObject): boolean => tests.every((keeps) => keeps(object));
  if (cause === '') return tests.length === 0 ? null : keepsAll;
  const beneath = new Set(beneathCause(clusters, keepsAll, cause));
  return (object) => beneath.has(refKey(object.ref));
}

/** Keys of the objects beneath a cause, of those that are kept; by key, for a list may be made of others that say the same. */
function* beneathCause(
  clusters: ListSource['clusters'],
  keeps: (object: KnownObject) => boolean,
  cause: string,
): Generator<string> {
  const kept = clusters.flatMap(({ deviating }) => deviating.filter(keeps));
  for (const { group, objects } of causesWithObjects(kept))
    if (group.key === cause) yield* objects.map(({ ref }) => refKey(ref));
}

/** A page of the list, before suspects are named. */
export type ObjectPage = Omit<WireObjectList, 'objects'> & { readonly objects: readonly WireObject[] };

/** The objects that a filter keeps, worst first, one page of them. */
export function objectList(source: ListSource, filter: ObjectFilter, context: WireContext): ObjectPage | Refused {
  const after = decodeCursor(filter.cursor, Position);
  if (filter.cursor !== '' && after === null) return badCursor;
  const wanted = new Set<Verdict>(parseVerdicts(filter.verdict) ?? []);
  const search: Search = {
    clusters: source.clusters,
    matches: beyondScope(filter, context, source),
    wants: (verdict) => wanted.size === 0 || wanted.has(verdict),
    silent: filter.silent,
    after,
    most: filter.limit + 1,
    counts: new Map(),
    declared: 0,
    page: [],
  };
  searchDeviating(search, context);
  if (filter.silent !== 'true') searchConverged(search, context);
  const { page, counts } = search;
  const total = [...counts].reduce((sum, [verdict, n]) => (search.wants(verdict) ? sum + n : sum), 0);
  const last = page[filter.limit - 1];
  return {
    asOf: wireTime(context.now),
    objects: page.slice(0, filter.limit).map(({ object }) => wireObject(object, context)),
    total,
    counts: wireCounts(counts),
    declared: search.declared,
    truth: source.truth,
    filter: source.filter,
    nextCursor: page.length > filter.limit && last ? encodeCursor(last.position) : null,
    reconcilers: source.reconcilers,
    partial: source.partial,
  };
}

/** Those that a filter keeps, cluster by cluster, of each the worst first. */
export function* everyObject(
  { clusters, alarms }: Pick<ListSource, 'clusters' | 'alarms'>,
  filter: ObjectFilter,
  context: WireContext,
): Generator<readonly KnownObject[]> {
  const wanted = new Set<Verdict>(parseVerdicts(filter.verdict) ?? []);
  const matches = beyondScope(filter, context, { clusters, alarms }) ?? (() => true);
  const compare = worstFirst(context);
  for (const { objects } of clusters.toSorted((a, b) => compareText(a.name, b.name))) {
    const kept = objects.filter(
      (object) => (wanted.size === 0 || wanted.has(object.verdict)) && matches(object) && isSilent(object),
    );
    yield kept.toSorted(compare);
  }

  function isSilent(object: KnownObject): boolean {
    return filter.silent === '' || (positionOf(object, context)[0] === 0) === (filter.silent === 'true');
  }
}

function count(counts: Map<Verdict, number>, verdict: Verdict, n = 1): void {
  counts.set(verdict, (counts.get(verdict) ?? 0) + n);
}

function searchDeviating(search: Search, context: WireContext): void {
  const { clusters, matches, wants, silent, after, most, counts, page } = search;
  for (const cluster of clusters) {
    for (const object of cluster.deviating) {
      if (matches !== null && !matches(object)) continue;
      const position = positionOf(object, context);
      if (silent !== '' && (position[0] === 0) !== (silent === 'true')) continue;
      count(counts, object.verdict);
      if (isOnlyDeclared(object)) search.declared += 1;
      if (!wants(object.verdict) || (after !== null && comparePositions(position, after) <= 0)) continue;
      page.push({ object, position });
      // Only the first are ever needed: a million candidates are never sorted at once.
      if (page.length >= most * 4 + 1_000) trim(page, most);
    }
  }
  trim(page, most);
}

/** Searches converged objects, which come last, cluster by cluster: only the clusters that the page reaches are sorted. */
function searchConverged({ clusters, matches, wants, after, most, counts, page }: Search, context: WireContext): void {
  for (const cluster of clusters) {
    const full = !wants('converged') || page.length >= most;
    if (full && matches === null) {
      count(counts, 'converged', cluster.counts.get('converged') ?? 0);
      continue;
    }
    const here: Positioned[] = [];
    for (const object of cluster.objects) {
      if (object.verdict !== 'converged' || (matches !== null && !matches(object))) continue;
      count(counts, 'converged');
      if (full) continue;
      const position = positionOf(object, context);
      if (after === null || comparePositions(position, after) > 0) here.push({ object, position });
    }
    trim(here, most - page.length);
    page.push(...here);
  }
}

function trim(page: Positioned[], length: number): void {
  page.sort((a, b) => comparePositions(a.position, b.position));
  page.length = Math.max(0, Math.min(page.length, length));
}
