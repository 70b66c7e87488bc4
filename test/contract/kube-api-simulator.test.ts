import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WatchedKind } from '#server/collector/clusters/cluster-event.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { startApiServers } from '#server/simulator/api/api-server.ts';
import { apiVersion, commonKinds, groupResource, type ServedKind } from '#server/simulator/api/kinds.ts';
import { kubeTime, objectKey } from '#server/simulator/api/kube-object.ts';
import { createRequestLog } from '#server/simulator/api/request-log.ts';
import { writeKubeconfig } from '#server/simulator/fleet/kubeconfig.ts';
import { startSimulatedCluster } from '#server/simulator/fleet/simulated-cluster.ts';
import { seededRandom } from '#server/simulator/random.ts';
import { createCertificates } from '#server/simulator/tls/certificates.ts';
import { type BenchObject, type KubeApiBench, locks } from './kube-api-bench.ts';
import { describeKubeApi } from './kube-api.contract.ts';

const { event, namespace, secret, lease, crd, deployment } = commonKinds;

describeKubeApi('the simulator', openSimulator);

async function openSimulator(): Promise<KubeApiBench> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-kube-api-'));
  const certificates = await createCertificates(Date.now());
  const requests = createRequestLog();
  const servers = startApiServers({
    clock: systemClock,
    log: silentLog,
    certificates,
    requests,
    bookmarkInterval: 60_000,
    freezable: true,
  });
  const plan = {
    name: 'bench',
    labels: {},
    gitVersion: 'v1.34.3',
    window: 1_000,
    kinds: [event, namespace, secret, lease, crd, deployment],
  };
  const cluster = await startSimulatedCluster(plan, servers, () => systemClock.now(), seededRandom(7));
  const { store, server, access } = cluster;
  access.forbid(groupResource(locks));
  let made = 0;

  function servedKind(object: BenchObject): ServedKind {
    const found = store.kinds().find((kind) => kind.kind === object.kind && apiVersion(kind) === object.apiVersion);
    if (!found) throw new Error(`${object.apiVersion} ${object.kind} is not served`);
    return found;
  }

  function keyOf({ metadata }: BenchObject): string {
    return objectKey(metadata.namespace ?? '', metadata.name);
  }

  return {
    kubeconfig: writeKubeconfig(directory, cluster, certificates.ca).path,
    async serve(kind: WatchedKind) {
      store.addKind({ ...kind, shortNames: [] });
    },
    async withdraw(kind) {
      store.removeKind(groupResource(kind));
    },
    async put(object) {
      const metadata = { ...object.metadata, uid: `uid-${++made}`, creationTimestamp: kubeTime(Date.now()) };
      return String(store.put({ ...object, metadata }, servedKind(object)).resourceVersion);
    },
    async remove(object) {
      store.remove(groupResource(servedKind(object)), keyOf(object));
    },
    async restart() {
      await server.gate.setReach('refused');
      cluster.compact();
      await server.gate.setReach('open');
    },
    async forget(continueToken) {
      cluster.compact();
      return continueToken;
    },
    requests: async () => requests.all(),
    async stop() {
      await servers.stop();
      rmSync(directory, { recursive: true });
    },
  };
}
