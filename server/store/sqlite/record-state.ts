import type { CurrentCluster, CurrentObject } from '#lib/domain/current.ts';
import type { CoveragePoint } from '#lib/domain/gap.ts';
import { parseRefKey, type ObjectRef } from '#lib/domain/ref.ts';
import { boundedMap } from '../bounded-map.ts';
import { decodeCluster } from '../decode.ts';
import { noTraits, pastCluster, pastObject, type PastTraits } from '../past-fleet.ts';
import type { PastFleet, RecordScope } from '../record-port.ts';
import { decodeTraits } from '../traits.ts';
import { allRows, text, textOrNull, whole, type Cell, type Row } from './cells.ts';
import type { IncidentReader } from './record-incidents.ts';
import { ofClusters, type ScopeIds, type Scopes } from './record-scope.ts';
import { spanColumns, spanOf } from './span-row.ts';
import { groupAndKind } from './state-reader.ts';

const remembered = 50_000;

/** The state word of a cluster that was not configured any more. */
const forgotten = 'forgotten';

/** Past moments over an open database; `nameOf` and `textOf` give the words of ids. */
export function openRecordState(
  scopes: Scopes,
  incidents: IncidentReader,
  nameOf: (id: number) => string,
  textOf: (id: number) => string,
): (at: number, scope: RecordScope) => PastFleet {
  const traits = remember<PastTraits>((stored) => decodeTraits(stored));
  const refs = remember<{ readonly ref: ObjectRef | null }>((stored) => ({ ref: parseRefKey(stored) }));

  function remember<T>(decode: (stored: string) => T): (id: number) => T {
    const known = boundedMap<number, T>(remembered);
    return (id) => {
      const found = known.get(id) ?? decode(textOf(id));
      known.set(id, found);
      return found;
    };
  }

  function textIn(cell: Cell): string | null {
    return cell === null ? null : textOf(whole(cell));
  }

  function refIn(cell: Cell): ObjectRef | null {
    return cell === null ? null : refs(whole(cell)).ref;
  }

  function objectsAt(at: number, scope: ScopeIds): readonly CurrentObject[] {
    const { sql, parameters } = scopes.objects(scope);
    const statement = scopes.statement(
      `SELECT o.id, o.cluster, o.kind, o.namespace, o.name, o.source, o.delivered_by, o.path, o.repository, t.traits, ${spanColumns}
       FROM object o CROSS JOIN transition t INDEXED BY transition_span ON t.object = o.id
       WHERE ${sql} AND t.noticed_at = (SELECT MAX(p.noticed_at) FROM transition p WHERE p.object = o.id AND p.noticed_at <= ?)
         AND t.to_verdict <> '' AND (t.until IS NULL OR t.until > ?)`,
    );
    const away = incidents.within(scope, { from: at, to: at + 1 });
    return allRows(statement, ...parameters, at, at).map((row) => {
      const { group, kind } = groupAndKind(nameOf(whole(row[2])));
      const cluster = scopes.clusterName(whole(row[1]));
      const ref = { cluster, group, kind, namespace: nameOf(whole(row[3])), name: text(row[4]) };
      const place = {
        source: refIn(row[5]),
        deliveredBy: refIn(row[6]),
        path: textIn(row[7]),
        repository: textIn(row[8]),
      };
      const incident = away.get(whole(row[0]))?.[0];
      const since =
        incident === undefined
          ? null
          : { time: incident.openedAt, bound: incident.bound, noticedAt: incident.noticedAt };
      return pastObject(spanOf(ref, row, 10, textOf), row[9] === null ? noTraits : traits(whole(row[9])), place, since);
    });
  }

  /** The last state of the clusters of a scope and of each of their kinds at a moment. */
  function pointsAt(at: number, scope: ScopeIds): ReadonlyMap<string, readonly CoveragePoint[]> {
    const { sql, parameters } = ofClusters(scope, 'l.cluster');
    const statement = scopes.statement(
      `SELECT l.cluster, l.kind, l.at, l.observed, l.state, l.reason, MAX(l.at) FROM coverage l
       WHERE ${sql} AND l.at <= ? AND NOT EXISTS (
         SELECT 1 FROM coverage n WHERE n.cluster = l.cluster AND n.at = l.at AND n.kind = l.kind AND n.id > l.id
       ) GROUP BY l.cluster, l.kind`,
    );
    const points = new Map<string, CoveragePoint[]>();
    for (const row of allRows(statement, ...parameters, at)) {
      const name = scopes.clusterName(whole(row[0]));
      const of = points.get(name) ?? [];
      points.set(name, of);
      of.push(pointOf(row));
    }
    return points;
  }

  function pointOf(row: Row): CoveragePoint {
    const kind = whole(row[1]);
    return {
      kind: kind === 0 ? null : groupAndKind(nameOf(kind)),
      at: whole(row[2]),
      observed: row[3] === 1,
      state: text(row[4]),
      reason: textOrNull(row[5]),
    };
  }

  function presentOf(scope: ScopeIds): ReadonlyMap<string, CurrentCluster> {
    const { sql, parameters } = ofClusters(scope, 'id');
    const rows = allRows(
      scopes.statement(`SELECT name, record FROM cluster WHERE ${sql} AND record IS NOT NULL`),
      ...parameters,
    );
    return new Map(
      rows.flatMap(([name, record]) => {
        const cluster = decodeCluster(text(record));
        return cluster === null ? [] : [[text(name), cluster]];
      }),
    );
  }

  return (at, scope) => {
    const ids = scopes.resolve(scope);
    if (ids === null) return { clusters: [], objects: [] };
    const objects = objectsAt(at, ids);
    const points = pointsAt(at, ids);
    const present = presentOf(ids);
    const kinds = new Map<string, Map<string, { group: string; kind: string; objects: number }>>();
    for (const { ref } of objects) {
      const of = kinds.get(ref.cluster) ?? new Map<string, { group: string; kind: string; objects: number }>();
      kinds.set(ref.cluster, of);
      const key = `${ref.group}/${ref.kind}`;
      const counted = of.get(key);
      if (counted === undefined) of.set(key, { group: ref.group, kind: ref.kind, objects: 1 });
      else counted.objects += 1;
    }
    const clusters = [...new Set([...points.keys(), ...kinds.keys()])]
      .filter((name) => !points.get(name)?.some(({ kind, state }) => kind === null && state === forgotten))
      .toSorted()
      .map((name) =>
        pastCluster(name, at, points.get(name) ?? [], kinds.get(name) ?? new Map(), present.get(name) ?? null),
      );
    return { clusters, objects };
  };
}
