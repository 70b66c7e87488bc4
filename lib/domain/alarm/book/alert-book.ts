import type { ObjectRef } from '../../observation/ref.ts';
import { factKey, type AlertFact, type NoticeFact } from '../fact.ts';
import { namedBy, type NamedByLabels } from '../named.ts';
import type { ClusterAttribution } from '../source.ts';

/** An alert of Prometheus or of an Alertmanager, with the names that its labels give. */
export interface NamedAlert<Fact extends AlertFact | NoticeFact = AlertFact | NoticeFact> {
  readonly fact: Fact;
  readonly named: NamedByLabels;
}

/** Alerts of one cluster and type: by the name of the object that they name (null: none), then by the namespace that it can only be in (null: any). */
type ByPlace = Map<string | null, Map<string | null, Set<NamedAlert>>>;

/** Who tells of it: Prometheus, or an Alertmanager. */
export type AlertType = NamedAlert['fact']['type'];

/** Alerts of a source, found by the objects that they may mean. */
export interface AlertBook {
  /** Puts one; gives the cluster that it names, null for none: nobody knows then which object it means. */
  put(fact: AlertFact | NoticeFact, attribution: ClusterAttribution): string | null;
  /** Takes one out; as `put`. */
  remove(fact: AlertFact | NoticeFact): string | null;
  all(): Iterable<NamedAlert>;
  /** Those of a type that name an object of that namespace and name, and may mean it. */
  named(type: AlertType, ref: Place): Iterable<NamedAlert>;
  /** Those of a type and cluster that name no object, but its namespace; null for those that may mean one of any. */
  unnamed(type: AlertType, cluster: string, namespace: string | null): Iterable<NamedAlert>;
}

/** Place of an object, its kind aside. */
export type Place = Pick<ObjectRef, 'cluster' | 'namespace' | 'name'>;

/** Makes an empty one. */
export function alertBook(): AlertBook {
  const alerts = new Map<string, NamedAlert>();
  const clusters: Readonly<Record<AlertType, Map<string, ByPlace>>> = { alert: new Map(), notice: new Map() };

  return {
    put(fact, attribution) {
      const alert = { fact, named: namedBy(fact.labels, attribution) };
      alerts.set(factKey(fact), alert);
      const { cluster, name } = alert.named;
      if (cluster === null) return null;
      const on: ByPlace = clusters[fact.type].get(cluster) ?? new Map();
      clusters[fact.type].set(cluster, on);
      const places: Map<string | null, Set<NamedAlert>> = on.get(name) ?? new Map();
      on.set(name, places);
      const namespace = namespaceOf(alert);
      places.set(namespace, (places.get(namespace) ?? new Set<NamedAlert>()).add(alert));
      return cluster;
    },
    remove(fact) {
      const alert = alerts.get(factKey(fact));
      alerts.delete(factKey(fact));
      const cluster = alert?.named.cluster ?? null;
      if (alert === undefined || cluster === null) return null;
      const on = clusters[fact.type].get(cluster);
      const places = on?.get(alert.named.name);
      const of = places?.get(namespaceOf(alert));
      of?.delete(alert);
      if (of?.size === 0) places?.delete(namespaceOf(alert));
      if (places?.size === 0) on?.delete(alert.named.name);
      if (on?.size === 0) clusters[fact.type].delete(cluster);
      return cluster;
    },
    all: () => alerts.values(),
    *named(type, { cluster, namespace, name }) {
      const places = clusters[type].get(cluster)?.get(name);
      if (places === undefined) return;
      // The namespace of an alert may be that of its exporter: one of the cluster's scope has none of its own.
      const within = namespace === '' ? places.values() : [places.get(namespace) ?? [], places.get(null) ?? []];
      for (const of of within) yield* of;
    },
    unnamed: (type, cluster, namespace) => clusters[type].get(cluster)?.get(null)?.get(namespace) ?? [],
  };
}

/** The namespace that the object of an alert is in; null where it may be in any. */
function namespaceOf({ named: { name, namespace, isOwnNamespace } }: NamedAlert): string | null {
  return name === null && !isOwnNamespace ? null : namespace;
}
