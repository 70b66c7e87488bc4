import { factKey, type AlertFact, type NoticeFact } from '../fact.ts';
import { namedBy, type NamedByLabels } from '../named.ts';
import type { ClusterAttribution } from '../source.ts';

/** An alert of Prometheus or of an Alertmanager, with the names that its labels give. */
export interface NamedAlert<Fact extends AlertFact | NoticeFact = AlertFact | NoticeFact> {
  readonly fact: Fact;
  readonly named: NamedByLabels;
}

/** Alerts of one cluster: by the name of the object that they name, and those that name none. */
interface OnCluster {
  readonly byName: Map<string, NamedAlert[]>;
  readonly unnamed: Set<NamedAlert>;
}

/** Alerts of a source, found by cluster and name. */
export interface AlertBook {
  /** Puts one; gives the cluster that it names, null for none: nobody knows then which object it means. */
  put(fact: AlertFact | NoticeFact, attribution: ClusterAttribution): string | null;
  /** Takes one out; as `put`. */
  remove(fact: AlertFact | NoticeFact): string | null;
  all(): Iterable<NamedAlert>;
  /** Those that name an object of that name on a cluster. */
  named(cluster: string, name: string): Iterable<NamedAlert>;
  /** Those of a cluster that name no object. */
  unnamed(cluster: string): Iterable<NamedAlert>;
}

/** Makes an empty one. */
export function alertBook(): AlertBook {
  const alerts = new Map<string, NamedAlert>();
  const clusters = new Map<string, OnCluster>();

  function on(cluster: string): OnCluster {
    const found = clusters.get(cluster) ?? { byName: new Map<string, NamedAlert[]>(), unnamed: new Set<NamedAlert>() };
    clusters.set(cluster, found);
    return found;
  }

  return {
    put(fact, attribution) {
      const alert = { fact, named: namedBy(fact.labels, attribution) };
      alerts.set(factKey(fact), alert);
      const { cluster, name } = alert.named;
      if (cluster === null) return null;
      const { byName, unnamed } = on(cluster);
      if (name === null) unnamed.add(alert);
      else byName.set(name, [...(byName.get(name) ?? []), alert]);
      return cluster;
    },
    remove(fact) {
      const alert = alerts.get(factKey(fact));
      alerts.delete(factKey(fact));
      const cluster = alert?.named.cluster ?? null;
      if (alert === undefined || cluster === null) return null;
      const { byName, unnamed } = on(cluster);
      unnamed.delete(alert);
      const name = alert.named.name ?? '';
      const left = (byName.get(name) ?? []).filter((one) => one !== alert);
      if (left.length === 0) byName.delete(name);
      else byName.set(name, left);
      return cluster;
    },
    all: () => alerts.values(),
    named: (cluster, name) => clusters.get(cluster)?.byName.get(name) ?? [],
    unnamed: (cluster) => clusters.get(cluster)?.unnamed ?? [],
  };
}
