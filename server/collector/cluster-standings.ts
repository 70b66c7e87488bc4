import type { CurrentCluster } from '#lib/domain/record/current.ts';
import { isOutOfSight } from '#lib/domain/verdict/as-known-at.ts';
import { second } from '#lib/domain/time/length.ts';
import type { Log } from '#server/runtime/log.ts';

/** Standing of a cluster, as its row was written last. Times in ms since the epoch. */
export type ClusterStanding = Pick<CurrentCluster, 'name' | 'state' | 'since' | 'reason'>;

/** Makes the list of the clusters that are not seen. The log names each once when it is lost, and once when it is back. */
export function createClusterStandings(log: Log) {
  const standings = new Map<string, ClusterStanding>();

  return {
    /** Takes a row as it is written. While a cluster is only being connected to again it stays lost. */
    take({ name, state, since, reason }: ClusterStanding): void {
      const before = standings.get(name);
      if (isOutOfSight(state)) {
        standings.set(name, { name, state, since, reason });
        if (before === undefined) log.warn({ cluster: name, state, reason }, 'a cluster is not seen');
      } else if (before !== undefined && state === 'live') {
        standings.delete(name);
        const lostForSeconds = Math.round((since - before.since) / second);
        log.info({ cluster: name, lostForSeconds }, 'a cluster is seen again');
      }
    },
    /** It is configured no longer. */
    forget: (name: string): void => void standings.delete(name),
    /** Those that are not seen, by name. */
    lost: (): readonly ClusterStanding[] => [...standings.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
}
