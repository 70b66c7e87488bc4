import { wordsOf } from '#lib/api/exemption.ts';
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
import { csvLine } from './csv.ts';
import { decodePosition, encodePosition } from './position-cursor.ts';
import type { WireContext } from '../wire-context.ts';
import { wireTime } from '../wire-time.ts';

/** Sources of the list: the record of every cluster by name, and whether an object is watched. */
export interface ConflictSource {
  readonly records: readonly CurrentCluster[];
  readonly isWatched: (ref: ObjectRef) => boolean;
}

interface Placed {
  readonly cluster: string;
  readonly conflict: Conflict;
  readonly place: string;
}

/** The conflicts that a filter keeps, one page of them. */
export function conflictList(
  source: ConflictSource,
  filter: ConflictFilter,
  partial: readonly string[],
  context: WireContext,
): WireConflictList | Refused {
  const after = filter.cursor === '' ? null : decodePosition(filter.cursor);
  if (filter.cursor !== '' && after === null) return badCursor;
  const records = recordsOf(source, filter);
  const kept = matching(records, filter);
  const counts = conflictKinds.map((kind) => ({
    kind,
    count: kept.filter(({ conflict }) => conflict.kind === kind).length,
  }));
  const wanted = kept.filter(({ conflict }) => wants(filter, conflict.kind));
  const rest = wanted.filter(({ conflict, place }) => {
    const rank = conflictKinds.indexOf(conflict.kind);
    return after === null || rank > after.rank || (rank === after.rank && place > after.text);
  });
  const last = rest[filter.limit - 1];
  return {
    asOf: wireTime(context.now),
    rows: rest.slice(0, filter.limit).map(({ cluster, conflict }) => wireConflict(cluster, conflict, source.isWatched)),
    total: wanted.length,
    counts: counts.filter(({ count }) => count > 0),
    notListed: records.reduce((sum, record) => sum + record.conflictsTotal - record.conflicts.length, 0),
    nextCursor:
      rest.length > filter.limit && last
        ? encodePosition({ rank: conflictKinds.indexOf(last.conflict.kind), text: last.place })
        : null,
    partial: [...partial],
  };
}

const head = ['cluster', 'conflict', 'group', 'kind', 'namespace', 'name', 'owners', 'why', 'seen since'];

/** All conflicts that a filter keeps, as lines of CSV. */
export function* conflictCsv(source: ConflictSource, filter: ConflictFilter): Generator<string> {
  yield csvLine(head);
  for (const { cluster, conflict } of matching(recordsOf(source, filter), filter)) {
    if (!wants(filter, conflict.kind)) continue;
    const { resource, owners, why, since } = conflict;
    const { group, kind, namespace, name } = resource;
    const named = owners.map((owner) => ownerText(owner, cluster)).join(' and ');
    yield csvLine([cluster, conflictTitle[conflict.kind], group, kind, namespace, name, named, why, wireTime(since)]);
  }
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
function matching(records: readonly CurrentCluster[], filter: ConflictFilter): readonly Placed[] {
  const found = new Map<string, Placed>();
  for (const { name: cluster, conflicts } of records)
    for (const conflict of conflicts) {
      const key = fleetConflictKey(cluster, conflict);
      if (!found.has(key) && keeps(filter, cluster, conflict))
        found.set(key, { cluster, conflict, place: `${cluster} ${conflictKey(conflict)}` });
    }
  return [...found.values()].toSorted((a, b) => {
    const byKind = conflictKinds.indexOf(a.conflict.kind) - conflictKinds.indexOf(b.conflict.kind);
    return byKind === 0 ? (a.place < b.place ? -1 : 1) : byKind;
  });
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
