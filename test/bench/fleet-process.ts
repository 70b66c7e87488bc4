// The simulated fleet of a benchmark, in a process of its own: node test/bench/fleet-process.ts DIR CLUSTERS KINDS OBJECTS [AWAY ALERTS]
import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { isLivenessKind } from '#lib/domain/heartbeat/liveness-kinds.ts';
import { isForeignObject, listAt, numberAt, objectAt, parseForeign, type ForeignObject } from '#lib/foreign.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { createLog } from '#server/runtime/log.ts';
import { apiVersion, commonKinds, groupResource } from '#server/simulator/api/kinds.ts';
import type { Template } from '#server/simulator/api/object-store.ts';
import { startSimulator, type Simulator } from '#server/simulator/main.ts';
import { startSickSources } from './sick-sources.ts';
import { FleetCommand, type CeilingPlan, type FleetReady } from './fleet-protocol.ts';

const [directory = '', clusters, kinds, objects, away, alerts] = process.argv.slice(2);
const monitored = away !== undefined;
const sockets = new Set<Socket>();
let sentBefore = 0;

subscribe('net.server.socket', (message) => {
  const socket = isForeignObject(message) ? message['socket'] : null;
  if (!(socket instanceof Socket)) return;
  sockets.add(socket);
  socket.once('close', () => {
    sockets.delete(socket);
    sentBefore += socket.bytesWritten;
  });
});

function sent(): number {
  return [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, sentBefore);
}

function planOf(simulator: Simulator): CeilingPlan {
  return {
    ca: simulator.ca,
    clusters: [...simulator.fleet.values()].map((cluster) => ({
      url: cluster.server.url,
      token: cluster.token(),
      paths: cluster.store
        .kinds()
        .filter((kind) => !isLivenessKind(kind) && (cluster.store.store(groupResource(kind))?.size ?? 0) > 0)
        .map((kind) => `/apis/${apiVersion(kind)}/${kind.resource}`),
    })),
  };
}

/** Objects per cluster that churn leaves alone, so that a change to one is never overwritten before it has settled. */
const probes = monitored ? Number(away) : 10;
/** Who asks for alarms finds their deadline passed (ms). */
const brokenFor = monitored ? 3_600_000 : 0;
const kustomization = groupResource(commonKinds.kustomization);

/** Probe `index` of a cluster: like its first Kustomization, under a name of its own, failing or well. */
function probe(like: ForeignObject, index: number, broken: boolean): Template {
  return {
    name: () => `probe-${index}`,
    namespace: () => 'flux-system',
    render(_index, resourceVersion, now) {
      const metadata = {
        ...objectAt(like, 'metadata'),
        name: `probe-${index}`,
        namespace: 'flux-system',
        uid: `0b1c2d3e-0000-4000-8000-${String(index).padStart(12, '0')}`,
        resourceVersion: String(resourceVersion),
      };
      const failing = {
        type: 'Ready',
        status: 'False',
        reason: 'BuildFailed',
        message: `kustomize build failed at ${now}: accumulating resources: missing file`,
        lastTransitionTime: `${new Date(now - brokenFor).toISOString().slice(0, 19)}Z`,
        observedGeneration: numberAt(metadata, 'generation') ?? 1,
      };
      const conditions = broken ? [failing] : listAt(like, 'status', 'conditions');
      // What two Kustomizations list is a conflict: it lists nothing.
      const status = { ...objectAt(like, 'status'), conditions, inventory: { entries: [] } };
      return Buffer.from(JSON.stringify({ ...like, metadata, status }));
    },
  };
}

const simulator = await startSimulator({
  clock: systemClock,
  log: createLog('simulator'),
  directory,
  clusters: Number(clusters),
  kindsPerCluster: Number(kinds),
  objectsPerCluster: Number(objects) - (monitored ? 0 : probes),
  freezable: false,
  ...(monitored ? { monitoringPlan: { alerts: Number(alerts), series: 'all' } } : {}),
});
const [first] = simulator.fleet.values();
const like = parseForeign(first?.store.store(kustomization)?.sorted()[0]?.json().toString() ?? '') ?? {};
const healthy = Array.from({ length: probes }, (_, index) => probe(like, index, false));
const failing = Array.from({ length: probes }, (_, index) => probe(like, index, true));

function write({ number, cluster, index, broken }: Extract<FleetCommand, { type: 'break' }>): void {
  const template = (broken ? failing : healthy)[index % probes];
  if (!template) return;
  const now = Date.now();
  simulator.fleet.get(cluster)?.store.touch(kustomization, template, index, now);
  process.send?.({
    type: 'written',
    number,
    at: now,
    namespace: template.namespace(index),
    name: template.name(index),
  });
}

for (const { store } of simulator.fleet.values()) {
  for (const [index, template] of (monitored ? failing : healthy).entries())
    store.touch(kustomization, template, index, Date.now());
}

process.on('message', (message: unknown) => {
  const command = FleetCommand.parse(message);
  switch (command.type) {
    case 'churn':
      return simulator.churn?.setRate(command.perSecond);
    case 'sicken':
      return sick?.begin();
    case 'break':
      return write(command);
    case 'traffic': {
      const { number } = command;
      process.send?.({ type: 'traffic', number, at: Date.now(), sent: sent(), writes: simulator.churn?.count() ?? 0 });
    }
  }
});
process.on('disconnect', () => process.exit(0));

const sick = monitored ? await startSickSources(simulator.configPath, [...simulator.fleet.keys()]) : null;

const planPath = join(directory, 'ceiling.json');
const plan = planOf(simulator);
writeFileSync(planPath, JSON.stringify(plan), { mode: 0o600 });
const count = [...simulator.fleet.values()].flatMap(({ store }) =>
  store
    .kinds()
    .filter((kind) => !isLivenessKind(kind))
    .map((kind) => store.store(groupResource(kind))?.size ?? 0),
);
const ready: FleetReady = {
  type: 'ready',
  configPath: simulator.configPath,
  clusters: [...simulator.fleet.keys()],
  objects: count.reduce((sum, size) => sum + size, 0),
  planPath,
};
process.send?.(ready);
