import { mkdirSync } from 'node:fs';
import type { z } from 'zod';
import { startChild, type BenchChild } from './child.ts';
import { FleetReady, Traffic, Written, type FleetCommand } from './fleet-protocol.ts';

/** The size of a fleet. */
export interface FleetSize {
  readonly clusters: number;
  readonly kinds: number;
  /** Per cluster. */
  readonly objects: number;
  /** Where given, a Prometheus and an Alertmanager speak for the fleet, and so many objects of each cluster are not converged. */
  readonly monitored?: MonitoredFleet;
}

/** Size of what alarms have to tell of a fleet. */
export interface MonitoredFleet {
  /** Objects on each cluster that are not converged, beside `objects`. */
  readonly away: number;
  /** Alerts that fire, over the whole fleet. */
  readonly alerts: number;
}

/** A change that is to be made. */
export interface BenchChange {
  readonly cluster: string;
  /** Makes it; gives when, and of which object. */
  write(): Promise<z.infer<typeof Written>>;
}

/** A simulated fleet that runs in a process of its own. */
export interface BenchFleet extends FleetReady {
  readonly child: BenchChild;
  churn(perSecond: number): void;
  /** The next change: one Kustomization fails, or is as it was again; cluster after cluster, each change a true one. */
  nextChange(): BenchChange;
  /** The sick alarm sources begin to answer as they do. */
  sicken(): void;
  traffic(): Promise<z.infer<typeof Traffic>>;
  stop(): Promise<void>;
}

/** Starts a fleet in `directory`. */
export async function startFleetProcess(size: FleetSize, directory: string): Promise<BenchFleet> {
  mkdirSync(directory, { recursive: true });
  const { clusters, kinds, objects, monitored } = size;
  const told = monitored === undefined ? [] : [monitored.away, monitored.alerts];
  const args = [directory, ...[clusters, kinds, objects, ...told].map(String)];
  const child = startChild({ program: 'test/bench/fleet-process.ts', args, directory });
  const ready = FleetReady.parse(await child.receive('ready', 60_000 + clusters * 200));
  let number = 0;
  let changes = 0;
  const tell = (command: FleetCommand): void => child.tell(command);
  return {
    ...ready,
    child,
    churn: (perSecond) => tell({ type: 'churn', perSecond }),
    nextChange() {
      const round = Math.floor(changes / ready.clusters.length);
      const cluster = ready.clusters[changes % ready.clusters.length] ?? '';
      const index = Math.floor(round / 2) % 10;
      const broken = round % 2 === 0;
      changes += 1;
      return {
        cluster,
        async write() {
          number += 1;
          const mine = number;
          tell({ type: 'break', number: mine, cluster, index, broken });
          return Written.parse(await child.receive('written', 30_000, mine));
        },
      };
    },
    sicken: () => tell({ type: 'sicken' }),
    async traffic() {
      number += 1;
      tell({ type: 'traffic', number });
      return Traffic.parse(await child.receive('traffic', 30_000, number));
    },
    stop: () => child.stop(),
  };
}
