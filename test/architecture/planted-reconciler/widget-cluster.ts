import { hour } from '#lib/domain/time/length.ts';
import { startApiServers } from '#server/simulator/api/api-server.ts';
import { commonKinds, type ServedKind } from '#server/simulator/api/kinds.ts';
import { kubeMicroTime, kubeTime, type KubeObject } from '#server/simulator/api/kube-object.ts';
import { createRequestLog } from '#server/simulator/api/request-log.ts';
import { writeKubeconfig } from '#server/simulator/fleet/kubeconfig.ts';
import { startSimulatedCluster } from '#server/simulator/fleet/simulated-cluster.ts';
import { seededRandom } from '#server/simulator/random.ts';
import { createCertificates } from '#server/simulator/tls/certificates.ts';
import { systemClock as clock } from '#server/runtime/clock.ts';
import { silentLog as log } from '#server/runtime/log.ts';

const widgets: ServedKind = {
  group: 'example.org',
  version: 'v1',
  kind: 'Widget',
  resource: 'widgets',
  namespaced: true,
  shortNames: [],
  categories: [],
};

/** A cluster with two Widgets and the Lease of what reconciles them. */
export interface WidgetCluster {
  /** Paths that were asked for, without their queries. */
  asked(): readonly string[];
  stop(): Promise<void>;
}

function metadata(namespace: string, name: string): KubeObject['metadata'] {
  return { name, namespace, uid: `uid-${name}`, generation: 1, creationTimestamp: kubeTime(clock.now() - hour) };
}

function widget(name: string, status: 'True' | 'False', reason: string): KubeObject {
  const ready = { type: 'Ready', status, reason, message: `${name} settled`, observedGeneration: 1 };
  const conditions = [{ ...ready, lastTransitionTime: kubeTime(clock.now() - 600_000) }];
  const said = { spec: {}, status: { conditions, lastAppliedRevision: 'v1.2.3' } };
  return { apiVersion: 'example.org/v1', kind: 'Widget', metadata: metadata('apps', name), ...said };
}

function lease(): KubeObject {
  const spec = {
    holderIdentity: 'widget-controller-1',
    leaseDurationSeconds: 35,
    leaseTransitions: 0,
    acquireTime: kubeMicroTime(clock.now() - 9_000_000),
    renewTime: kubeMicroTime(clock.now()),
  };
  const its = metadata('widget-system', 'widget-controller-leader-election');
  const object = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: its, spec };
  return object;
}

/** Starts a cluster named harbour and writes harbour.yaml, its kubeconfig, into the directory. */
export async function startWidgetCluster(directory: string): Promise<WidgetCluster> {
  const certificates = await createCertificates(clock.now());
  const requests = createRequestLog();
  const servers = startApiServers({ clock, log, certificates, requests, bookmarkInterval: 60_000, freezable: false });
  const kinds = [...Object.values(commonKinds), widgets];
  const plan = { name: 'harbour', labels: {}, kinds, gitVersion: 'v1.34.3', window: 1_000 };
  const cluster = await startSimulatedCluster(plan, servers, () => clock.now(), seededRandom(7));
  cluster.store.put(widget('anchor', 'True', 'Applied'), widgets);
  cluster.store.put(widget('sail', 'False', 'Torn'), widgets);
  cluster.store.put(lease(), commonKinds.lease);
  const renewal = setInterval(() => cluster.store.put(lease(), commonKinds.lease), 1_000);
  writeKubeconfig(directory, cluster, certificates.ca);
  return {
    asked: () => [...new Set(requests.all().map(({ path }) => path.split('?')[0] ?? ''))],
    async stop() {
      clearInterval(renewal);
      await servers.stop();
    },
  };
}
