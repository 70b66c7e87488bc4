import { compareText } from '#lib/domain/observation/compare-text.ts';
import { wordsOf } from '#lib/api/params.ts';
import type { ConflictFilter, WireConflictList } from '#lib/api/conflict.ts';
import type { WireConflict } from '#lib/api/object.ts';
import { objectPath } from '#lib/api/paths.ts';
import {
  conflictKey,
  conflictKinds,
  fleetConflictKey,
  type Conflict,
  type ConflictKind,
} from '#lib/domain/observation/conflict.ts';
import type { CurrentCluster } from '#lib/domain/record/current.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { sameRef } from '#lib/domain/observation/ref.ts';
import { conflictTitle } from '#lib/format/exemption-label.ts';
import { badCursor, type Refused } from '../../http/problem.ts';
import { csvHeader, csvPieces, type CsvColumns } from './csv.ts';
import { decodeCursor, encodeCursor, KindPosition } from './cursor.ts';
import type { WireContext } from '../wire-context.ts';
import { wireTime } from '../wire-time.ts';

/** Sources of the list: the record of every cluster by name, and whether an object is watched. */
export interface ConflictSource {
  readonly records: readonly CurrentCluster[];
  readonly isWatched: (ref: ObjectRef) => boolean;
}

/** One conflict; its `key` orders those of one kind. */
interface Listed {
  readonly cluster: string;
  readonly conflict: Conflict;
  readonly key: string;
}

/** The conflicts that a filter keeps, one page of them. */
export function conflictList(
  source: ConflictSource,
  filter: ConflictFilter,
  partial: readonly string[],
  context: WireContext,
): WireConflictList | Refused {
  const after = decodeCursor(filter.cursor, KindPosition);
  if (filter.cursor !== '' && after === null) return badCursor;
  const records = recordsOf(source, filter);
  const kept = matching(records, filter);
  const counts = conflictKinds.map((kind) => ({
    kind,
    count: kept.filter(({ conflict }) => conflict.kind === kind).length,
  }));
  const wanted = kept.filter(({ conflict }) => wants(filter, conflict.kind));
  const [afterRank, afterKey] = after ?? [-1, ''];
  const rest = wanted.filter(({ conflict, key }) => {
    const rank = rankOf(conflict);
    return rank > afterRank || (rank === afterRank && key > afterKey);
  });
  const last = rest[filter.limit - 1];
  return {
    asOf: wireTime(context.now),
    rows: rest.slice(0, filter.limit).map(({ cluster, conflict }) => wireConflict(cluster, conflict, source.isWatched)),
    total: wanted.length,
    counts: counts.filter(({ count }) => count > 0),
    notListed: records.reduce((sum, record) => sum + record.conflictsTotal - record.conflicts.length, 0),
    nextCursor: rest.length > filter.limit && last ? encodeCursor([rankOf(last.conflict), last.key]) : null,
    partial: [...partial],
  };
}

function rankOf({ kind }: Conflict): number {
  return conflictKinds.indexOf(kind);
}

const columns: CsvColumns<Listed> = {
  cluster: ({ cluster }) => cluster,
  conflict: ({ conflict }) => conflictTitle[conflict.kind],
  group: ({ conflict }) => conflict.resource.group,
  kind: ({ conflict }) => conflict.resource.kind,
  namespace: ({ conflict }) => conflict.resource.namespace,
  name: ({ conflict }) => conflict.resource.name,
  owners: ({ cluster, conflict }) => conflict.owners.map((owner) => ownerText(owner, cluster)).join(' and '),
  why: ({ conflict }) => conflict.why,
  'seen since': ({ conflict }) => wireTime(conflict.since),
};

/** All conflicts that a filter keeps, as lines of CSV. */
export function* conflictCsv(source: ConflictSource, filter: ConflictFilter): Generator<string> {
  yield csvHeader(columns);
  const wanted = matching(recordsOf(source, filter), filter).filter(({ conflict }) => wants(filter, conflict.kind));
  yield* csvPieces(columns, wanted);
}

function ownerText({ ref, name }: Conflict['owners'][number], cluster: string): string {
  if (ref === null) return name;
  return `${ref.kind} ${ref.namespace === '' ? '' : `${ref.namespace}/`}${ref.name}${ref.cluster === cluster ? '' : ` on ${ref.cluster}`}`;
}

/** One conflict on the wire, as the record of `cluster` has it. */
export function wireConflict(
  cluster: string,
  { kind, resource, owners, why, since }: Conflict,
  isWatched: ConflictSource['isWatched'],
): WireConflict {
  const { group, kind: ofKind, namespace, name } = resource;
  const ref = { cluster, group, kind: ofKind, namespace, name };
  return {
    kind,
    cluster,
    resource: { group, kind: ofKind, namespace, name, href: isWatched(ref) ? objectPath(ref) : null },
    owners: owners.map((owner) => ({
      name: owner.name,
      cluster: owner.ref?.cluster ?? null,
      kind: owner.ref?.kind ?? null,
      namespace: owner.ref?.namespace ?? null,
      href: owner.ref === null ? null : objectPath(owner.ref),
    })),
    why,
    since: wireTime(since),
  };
}

/** True if an object is the one that is managed twice, or one of those who do. */
export function concerns(cluster: string, { resource, owners }: Conflict, ref: ObjectRef): boolean {
  return sameRef({ cluster, ...resource }, ref) || owners.some((owner) => sameRef(owner.ref, ref));
}

function recordsOf({ records }: ConflictSource, filter: ConflictFilter): readonly CurrentCluster[] {
  const names = new Set(wordsOf(filter.cluster));
  return names.size === 0 ? records : records.filter((record) => names.has(record.name));
}

function wants(filter: ConflictFilter, kind: ConflictKind): boolean {
  return filter.conflict === '' || wordsOf(filter.conflict).includes(kind);
}

/** Conflicts that match everything but the kind of conflict, in order. What two clusters both tell of stands here once. */
function matching(records: readonly CurrentCluster[], filter: ConflictFilter): readonly Listed[] {
  const found = new Map<string, Listed>();
  for (const { name: cluster, conflicts } of records)
    for (const conflict of conflicts) {
      const once = fleetConflictKey(cluster, conflict);
      if (!found.has(once) && keeps(filter, cluster, conflict))
        found.set(once, { cluster, conflict, key: `${cluster} ${conflictKey(conflict)}` });
    }
  return [...found.values()].toSorted((a, b) => rankOf(a.conflict) - rankOf(b.conflict) || compareText(a.key, b.key));
}

function keeps(filter: ConflictFilter, cluster: string, { kind, resource, owners, why }: Conflict): boolean {
  const namespace = filter.namespace === '-' ? '' : filter.namespace;
  if (filter.kind !== '' && resource.kind !== filter.kind && owners.every(({ ref }) => ref?.kind !== filter.kind))
    return false;
  if (filter.namespace !== '' && resource.namespace !== namespace) return false;
  if (filter.by !== '' && owners.every(({ name }) => name !== filter.by)) return false;
  const text = filter.q.trim().toLowerCase();
  if (text === '') return true;
  const words = [cluster, conflictTitle[kind], resource.kind, resource.namespace, resource.name, why];
  return [...words, ...owners.map(({ name }) => name)].some((word) => word.toLowerCase().includes(text));
}
