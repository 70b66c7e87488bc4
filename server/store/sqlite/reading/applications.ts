import { applierKinds } from '#lib/domain/chain/applier-kinds.ts';
import { kindKey } from '#lib/domain/observation/ref.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { timeUnion, type TimeUnion } from '#lib/domain/time/time-union.ts';
import { allRows, firstWhole, oneRow, text, whole } from '../rows/cells.ts';
import { existed, existedWithin } from './object-count.ts';
import { among, type ScopeIds, type Scopes } from './record/record-scope.ts';

/** The objects of one applier kind (its id) and name, on whichever clusters. */
interface NamedObjects {
  readonly kind: number;
  readonly name: string;
  /** With the cluster of each. */
  readonly objects: Map<number, number>;
}

/** Such objects, and when at least one of them was away. */
export interface Application extends NamedObjects {
  readonly away: TimeUnion;
  /** On which clusters one was. */
  readonly awayOn: Set<number>;
}

/** Applications of a scope: undefined for what is no applier, or of another kind. None was away before it is told here. */
export interface Applications {
  readonly ofObject: (object: number) => Application | undefined;
  /** By its `applicationName`. */
  readonly named: (name: string) => Application | undefined;
  /** Those that were asked for by either. */
  readonly asked: () => Iterable<Application>;
}

/** A name that no two applications share. */
export function applicationName({ kind, name }: Pick<Application, 'kind' | 'name'>): string {
  return `${kind}/${name}`;
}

/** Finds applications, over an open database. */
export function openApplications(scopes: Scopes) {
  const appliers = openAppliers(scopes);

  return {
    /** Those of a scope. */
    within(scope: ScopeIds): Applications {
      appliers.refresh();
      const asked = new Map<NamedObjects, Application>();
      function ask(named: NamedObjects | undefined): Application | undefined {
        if (named === undefined || (scope.kind ?? named.kind) !== named.kind) return undefined;
        let application = asked.get(named);
        if (application === undefined)
          asked.set(named, (application = { ...named, away: timeUnion(), awayOn: new Set() }));
        return application;
      }
      return {
        ofObject: (object) => ask(appliers.ofObject(object)),
        named: (name) => ask(appliers.named(name)),
        asked: () => asked.values(),
      };
    },
    /** For each, in their order, the clusters of a scope on which it was at some time in a period. */
    clustersOf(applications: readonly Application[], scope: ScopeIds, period: Period): readonly ReadonlySet<number>[] {
      const doubtful = applications.flatMap(({ objects, awayOn }) =>
        [...objects].filter(([, cluster]) => !awayOn.has(cluster)).map(([object]) => object),
      );
      const [wanted, within] = [among(doubtful), scopes.objects(scope)];
      const statement = `SELECT o.id FROM object o WHERE ${wanted.sql} AND ${within.sql} AND ${existed}`;
      const parameters = [...wanted.parameters, ...within.parameters, ...existedWithin(period)];
      const there = new Set(scopes.ids(statement, parameters));
      return applications.map(({ objects, awayOn }) => {
        const beside = [...objects].filter(([object]) => there.has(object)).map(([, cluster]) => cluster);
        return new Set([...awayOn, ...beside]);
      });
    },
  };
}

/** More objects of applier kinds are not remembered from one question to the next: so many take 30 MB. */
const remembered = 200_000;

/**
 * Remembers the objects of applier kinds, over an open database. An object never changes its cluster, kind or name, and one that comes later
 * has a higher id: only those are read. What purge removes makes another store of it, which is read anew.
 */
function openAppliers(scopes: Scopes) {
  const byObject = new Map<number, NamedObjects>();
  const byName = new Map<string, NamedObjects>();
  let [storeRead, last] = ['', 0];
  const readStore = scopes.statement('SELECT id FROM store');
  const readLast = scopes.statement('SELECT MAX(id) FROM object');
  const readNew = scopes.statement(
    `SELECT o.id, o.cluster, o.kind, o.name FROM object o
     WHERE o.id > ? AND o.kind IN (SELECT id FROM name WHERE text IN (SELECT value FROM json_each(?)))`,
  );

  function forgetAll(): void {
    byObject.clear();
    byName.clear();
    last = 0;
  }

  function add(object: number, cluster: number, kind: number, name: string): void {
    const key = applicationName({ kind, name });
    const named = byName.get(key) ?? { kind, name, objects: new Map<number, number>() };
    byName.set(key, named);
    named.objects.set(object, cluster);
    byObject.set(object, named);
  }

  return {
    /** Within each question first. */
    refresh(): void {
      const store = text(oneRow(readStore)[0]);
      if (store !== storeRead || byObject.size > remembered) forgetAll();
      storeRead = store;
      const newest = firstWhole(readLast) ?? 0;
      if (newest === last) return;
      for (const [object, cluster, kind, name] of allRows(readNew, last, JSON.stringify(applierKinds.map(kindKey))))
        add(whole(object), whole(cluster), whole(kind), text(name));
      last = newest;
    },
    ofObject: (object: number) => byObject.get(object),
    named: (name: string) => byName.get(name),
  };
}
