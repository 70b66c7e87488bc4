import type { ObjectFilter } from '#lib/api/object-filter.ts';
import type { WireObjectList } from '#lib/api/object.ts';
import type { CurrentObject } from '#lib/domain/current.ts';
import { parseVerdicts } from '#lib/domain/matrix/matrix-view.ts';
import { wireCounts } from '#lib/domain/matrix/wire-row.ts';
import type { Verdict } from '#lib/domain/verdict.ts';
import type { KnownCluster } from '../picture/known-cluster.ts';
import { decodeCursor, encodeCursor } from './list-cursor.ts';
import type { WireContext } from './wire-context.ts';
import { wireObject } from './wire-object.ts';
import { wireTime } from './wire-time.ts';
import type { Place } from './worst-first.ts';
import { comparePlaces, placeOf } from './worst-first.ts';

/** A list, or the one thing that can be wrong with a filter that its schema let through. */
export type ObjectListAnswer =
  | { readonly type: 'list'; readonly list: WireObjectList }
  | { readonly type: 'bad-cursor' };

interface Placed {
  readonly object: CurrentObject;
  readonly place: Place;
}

/** The objects that a filter keeps, worst first, one page of them. */
export function objectList(
  clusters: readonly KnownCluster[],
  filter: ObjectFilter,
  partial: readonly string[],
  context: WireContext,
): ObjectListAnswer {
  const after = filter.cursor === '' ? null : decodeCursor(filter.cursor);
  if (filter.cursor !== '' && after === null) return { type: 'bad-cursor' };
  const wanted = new Set<Verdict>(parseVerdicts(filter.verdict) ?? []);
  const names = new Set(filter.cluster.split(',').filter((name) => name !== ''));
  const keeps = matcher(filter);
  const counts = new Map<Verdict, number>();
  let total = 0;
  const page: Placed[] = [];
  const trimAt = Math.max(4_000, filter.limit * 4);
  for (const cluster of clusters) {
    if (names.size > 0 && !names.has(cluster.name)) continue;
    for (const object of cluster.objects) {
      if (!keeps(object)) continue;
      const place = placeOf(object, context);
      if (filter.silent !== '' && (place[0] === 0) !== (filter.silent === 'true')) continue;
      counts.set(object.verdict, (counts.get(object.verdict) ?? 0) + 1);
      if (wanted.size > 0 && !wanted.has(object.verdict)) continue;
      total += 1;
      if (after !== null && comparePlaces(place, after) <= 0) continue;
      page.push({ object, place });
      // Only the first `limit` + 1 are ever needed: a million candidates are never sorted at once.
      if (page.length >= trimAt) trim(page, filter.limit + 1);
    }
  }
  trim(page, filter.limit + 1);
  const last = page[filter.limit - 1];
  return {
    type: 'list',
    list: {
      asOf: wireTime(context.now),
      objects: page.slice(0, filter.limit).map(({ object }) => wireObject(object, context)),
      total,
      counts: wireCounts(counts),
      nextCursor: page.length > filter.limit && last ? encodeCursor(last.place) : null,
      partial: [...partial],
    },
  };
}

function trim(page: Placed[], length: number): void {
  page.sort((a, b) => comparePlaces(a.place, b.place));
  page.length = Math.min(page.length, length);
}

function matcher(filter: ObjectFilter): (object: CurrentObject) => boolean {
  const text = filter.q.trim().toLowerCase();
  const group = filter.group === '-' ? '' : filter.group;
  const namespace = filter.namespace === '-' ? '' : filter.namespace;
  return ({ ref, reconciler, reason, commit }) =>
    (filter.reconciler === '' || filter.reconciler === reconciler) &&
    (filter.group === '' || group === ref.group) &&
    (filter.kind === '' || filter.kind === ref.kind) &&
    (filter.namespace === '' || namespace === ref.namespace) &&
    (filter.name === '' || filter.name === ref.name) &&
    (text === '' ||
      `${ref.cluster}/${ref.namespace}/${ref.name} ${ref.kind}.${ref.group} ${reason}`.toLowerCase().includes(text) ||
      (commit !== null && text.length >= 4 && commit.startsWith(text)));
}
