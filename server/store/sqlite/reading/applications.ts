import { applierKinds } from '#lib/domain/chain/applier-kinds.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { timeUnion, type TimeUnion } from '#lib/domain/time/time-union.ts';
import { allRows, text, whole } from '../rows/cells.ts';
import { existed, existedWithin } from './object-count.ts';
import { among, ofClusters, type ScopeIds, type Scopes } from './record/record-scope.ts';

/** The objects of one applier kind (its id) and name, on whichever clusters. */
export interface Application {
  readonly kind: number;
  readonly name: string;
  /** With the cluster of each. */
  readonly objects: Map<number, number>;
  /** When at least one of them was away, and on which clusters. */
  readonly away: TimeUnion;
  readonly awayOn: Set<number>;
}

/** Applications by the ids of their objects, and by `applicationName`. */
export interface Applications {
  readonly byObject: ReadonlyMap<number, Application>;
  readonly byName: ReadonlyMap<string, Application>;
}

/** A name that no two applications share. */
export function applicationName({ kind, name }: Pick<Application, 'kind' | 'name'>): string {
  return `${kind}/${name}`;
}

/** Finds applications, over an open database. */
export function openApplications(scopes: Scopes) {
  /** Object, cluster and name of all of a kind. Cluster by cluster, which an index answers alone. */
  function objectsOf(scope: ScopeIds, kind: number): readonly (readonly [number, number, string])[] {
    const [clusters, objects] = [ofClusters(scope, 'c.id'), scopes.objects({ ...scope, clusters: null, kind })];
    const statement = scopes.statement(
      `SELECT o.id, o.cluster, o.name FROM cluster c CROSS JOIN object o INDEXED BY object_identity ON o.cluster = c.id
       WHERE ${clusters.sql} AND ${objects.sql}`,
    );
    const rows = allRows(statement, ...clusters.parameters, ...objects.parameters);
    return rows.map(([id, cluster, name]) => [whole(id), whole(cluster), text(name)]);
  }

  return {
    /** Those of a scope, none of them away yet. */
    within(scope: ScopeIds): Applications {
      const byObject = new Map<number, Application>();
      const byName = new Map<string, Application>();
      for (const of of applierKinds) {
        const kind = scopes.resolve({ clusters: null, kind: of })?.kind ?? null;
        if (kind === null || (scope.kind ?? kind) !== kind) continue;
        for (const [object, cluster, name] of objectsOf(scope, kind)) {
          const named = applicationName({ kind, name });
          const fresh = (): Application => ({ kind, name, objects: new Map(), away: timeUnion(), awayOn: new Set() });
          const application = byName.get(named) ?? fresh();
          byName.set(named, application);
          application.objects.set(object, cluster);
          byObject.set(object, application);
        }
      }
      return { byObject, byName };
    },
    /** For each, in their order, the clusters on which it was at some time in a period. */
    clustersOf(applications: readonly Application[], period: Period): readonly ReadonlySet<number>[] {
      const doubtful = applications.flatMap(({ objects, awayOn }) =>
        [...objects].filter(([, cluster]) => !awayOn.has(cluster)).map(([object]) => object),
      );
      const { sql, parameters } = among(doubtful);
      const statement = `SELECT o.id FROM object o WHERE ${sql} AND ${existed}`;
      const there = new Set(scopes.ids(statement, [...parameters, ...existedWithin(period)]));
      return applications.map(({ objects, awayOn }) => {
        const beside = [...objects].filter(([object]) => there.has(object)).map(([, cluster]) => cluster);
        return new Set([...awayOn, ...beside]);
      });
    },
  };
}
