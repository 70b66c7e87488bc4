import { isApplierKind } from '#lib/domain/applier-kinds.ts';
import type { ApplicationTime, WallTime } from '#lib/domain/record-figures.ts';
import type { Period } from '#lib/domain/span.ts';
import { timeUnion, type TimeUnion } from '#lib/domain/time-union.ts';
import type { RecordReader } from '../record-port.ts';
import { allRows, text, whole, wholeOrNull } from './cells.ts';
import { existed, existedWithin } from './object-count.ts';
import type { GapReader, Unseen } from './record-gaps.ts';
import type { RollupReader } from './record-rollups.ts';
import { ofClusters, type ScopeIds, type Scopes } from './record-scope.ts';
import type { SharedPieces } from './shared-pieces.ts';

/** When objects were away (ms): from, to, from, to. */
type AwayOf = Map<number, number[]>;

/** When clusters and objects were away. */
interface Away {
  readonly clusters: Map<number, TimeUnion>;
  /** Of appliers only. */
  readonly appliers: AwayOf;
}

/** An application while it is put together. */
interface Application {
  readonly kind: number;
  readonly name: string;
  readonly union: TimeUnion;
}

/** Of a cluster itself, in place of the id of a kind. */
const wholeCluster = 0;

/** The wall clock over an open database: what is rolled up, and the spans of what is not. */
export function openWallClock(
  scopes: Scopes,
  gaps: GapReader,
  pieces: SharedPieces,
  rollups: RollupReader,
): RecordReader['wallClock'] {
  /** Objects with their cluster, kind and name. */
  function placesOf(objects: Iterable<number>): readonly (readonly [number, number, number, string])[] {
    const statement = scopes.statement(
      'SELECT id, cluster, kind, name FROM object WHERE id IN (SELECT value FROM json_each(?))',
    );
    return allRows(statement, JSON.stringify([...objects])).map((row) => [
      whole(row[0]),
      whole(row[1]),
      whole(row[2]),
      text(row[3]),
    ]);
  }

  function awayIn(scope: ScopeIds, period: Period, withAppliers: boolean): Away {
    const clusters = new Map<number, TimeUnion>();
    const [appliers, plain]: [AwayOf, AwayOf] = [new Map(), new Map()];
    const parts = rollups.partsOf(scope, period);
    const wanted = scope.kind === null ? 'cluster' : 'kind';
    for (const part of parts.rolled) {
      const { from, to } = part.period;
      rollups.eachAway(part, (cluster, begins, of, id, numbers, begin, end) => {
        const isWanted = of === wanted && id === (scope.kind ?? wholeCluster);
        if (!isWanted && (of !== 'applier' || !withAppliers)) return;
        const union = isWanted ? unionIn(clusters, cluster) : null;
        for (let place = begin; place < end; place += 2) {
          const start = Math.max(from, begins + (numbers[place] ?? 0));
          const stop = Math.min(to, begins + (numbers[place + 1] ?? 0));
          if (union === null) put(appliers, id, start, stop);
          else union.add(start, stop);
        }
      });
    }
    for (const part of parts.plain)
      pieces.away(part.scope, part.period, (object, _kind, from, to) => put(plain, object, from, to));
    for (const [object, cluster, kind] of placesOf(plain.keys())) {
      const union = unionIn(clusters, cluster);
      const isApplier = withAppliers && isApplierKind(scopes.kindOf(kind));
      eachStretch(plain.get(object), (from, to) => {
        union.add(from, to);
        if (isApplier) put(appliers, object, from, to);
      });
    }
    return { clusters, appliers };
  }

  /** When the record of each cluster began (ms), of those of which it began before a time. */
  function begunBefore(scope: ScopeIds, to: number): ReadonlyMap<number, number> {
    const { sql, parameters } = ofClusters(scope, 'c.id');
    const statement = scopes.statement(
      `SELECT c.id, (SELECT MIN(at) FROM coverage WHERE cluster = c.id) FROM cluster c WHERE ${sql}`,
    );
    const begun = new Map<number, number>();
    for (const row of allRows(statement, ...parameters)) {
      const at = wholeOrNull(row[1]);
      if (at !== null && at < to) begun.set(whole(row[0]), at);
    }
    return begun;
  }

  /** The applications, those that were away longest first. */
  function applicationsOf(appliers: AwayOf, scope: ScopeIds, limit: number): readonly Application[] {
    const found = new Map<string, Application>();
    for (const [object, , kind, name] of placesOf(appliers.keys())) {
      if (scope.kind !== null && scope.kind !== kind) continue;
      const key = `${kind} ${name}`;
      const application = found.get(key) ?? { kind, name, union: timeUnion() };
      found.set(key, application);
      eachStretch(appliers.get(object), application.union.add);
    }
    return [...found.values()]
      .map((application) => ({ application, away: application.union.length() }))
      .filter(({ away }) => away > 0)
      .toSorted((a, b) => b.away - a.away || byName(scopes.nameOf, a.application, b.application))
      .slice(0, limit)
      .map(({ application }) => application);
  }

  /** The clusters on which an application was at some time in a period. */
  function clustersOf({ kind, name }: Application, scope: ScopeIds, period: Period): readonly number[] {
    const { sql, parameters } = scopes.objects({ ...scope, kind, name });
    const statement = `SELECT DISTINCT o.cluster FROM object o WHERE ${sql} AND ${existed}`;
    return scopes.ids(statement, [...parameters, ...existedWithin(period)]);
  }

  return async (scope, period, applications) => {
    const ids = scopes.resolve(scope);
    if (ids === null || period.from >= period.to)
      return { fleet: { away: 0, observed: 0 }, clusters: [], applications: [] };
    const begun = begunBefore(ids, period.to);
    const unseen = gaps.within(ids, period);
    const away = awayIn(ids, period, applications > 0);
    const seenOf = (clusters: Iterable<number>, kind: number): number =>
      seenIn([...clusters], { begun, unseen, kind, period }).length();
    const fleet = timeUnion();
    for (const union of away.clusters.values()) eachStretch(union.stretches(), fleet.add);
    const kind = ids.kind ?? wholeCluster;
    return {
      fleet: { away: fleet.length(), observed: seenOf(begun.keys(), kind) },
      clusters: [...begun.keys()]
        .map((cluster): WallTime & { cluster: string } => ({
          cluster: scopes.clusterName(cluster),
          away: away.clusters.get(cluster)?.length() ?? 0,
          observed: seenOf([cluster], kind),
        }))
        .toSorted((a, b) => (a.cluster < b.cluster ? -1 : 1)),
      applications: applicationsOf(away.appliers, ids, applications).map((one): ApplicationTime => {
        const clusters = clustersOf(one, ids, period);
        const of = { ...scopes.kindOf(one.kind), name: one.name };
        return { ...of, clusters: clusters.length, away: one.union.length(), observed: seenOf(clusters, one.kind) };
      }),
    };
  };
}

interface Seen {
  readonly begun: ReadonlyMap<number, number>;
  readonly unseen: Unseen;
  readonly kind: number;
  readonly period: Period;
}

/** When at least one of these clusters was being observed. */
function seenIn(clusters: readonly number[], { begun, unseen, kind, period }: Seen): TimeUnion {
  const union = timeUnion();
  for (const cluster of clusters) {
    let at = Math.max(period.from, begun.get(cluster) ?? period.to);
    for (const gap of unseen.gapsOf(cluster, kind)) {
      union.add(at, Math.min(period.to, gap.from));
      at = Math.max(at, gap.to ?? period.to);
    }
    union.add(at, period.to);
  }
  return union;
}

function unionIn(unions: Map<number, TimeUnion>, of: number): TimeUnion {
  const known = unions.get(of);
  if (known !== undefined) return known;
  const made = timeUnion();
  unions.set(of, made);
  return made;
}

function put(all: AwayOf, of: number, from: number, to: number): void {
  if (from >= to) return;
  const known = all.get(of);
  if (known === undefined) all.set(of, [from, to]);
  else if (known[known.length - 1] === from) known[known.length - 1] = to;
  else known.push(from, to);
}

function eachStretch(stretches: readonly number[] | undefined, tell: (from: number, to: number) => void): void {
  if (stretches === undefined) return;
  for (let place = 0; place < stretches.length; place += 2) tell(stretches[place] ?? 0, stretches[place + 1] ?? 0);
}

function byName(nameOf: (id: number) => string, a: Application, b: Application): number {
  const [one, other] = [a, b].map(({ kind, name }) => `${nameOf(kind)}/${name}`);
  return (one ?? '') < (other ?? '') ? -1 : 1;
}
