import { isForeignObject, listAt, objectAt, parseForeign } from '#lib/foreign.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { commonKinds, groupResource } from '#server/simulator/api/kinds.ts';
import type { SimulatedCluster } from '#server/simulator/fleet/simulated-cluster.ts';

const kind = groupResource(commonKinds.kustomization);
const name = 'probe';
const namespace = 'flux-system';

/** One Kustomization of a simulated cluster that a test breaks and mends. */
export interface Probe {
  readonly ref: ObjectRef;
  readonly isBroken: boolean;
  /** Breaks what is well, mends what is broken, at `now` (ms). */
  turn(now: number): void;
}

/** Puts a probe on a cluster, well at first: like its first Kustomization, under a name of its own. */
export function placeProbe(cluster: SimulatedCluster, now: number): Probe {
  const like = parseForeign(cluster.store.store(kind)?.sorted()[0]?.json().toString() ?? '') ?? {};
  const ref = { cluster: cluster.name, group: commonKinds.kustomization.group, kind: 'Kustomization', namespace, name };
  let isBroken = false;

  function write(at: number): void {
    const stamp = `${new Date(at).toISOString().slice(0, 19)}Z`;
    const failing = { type: 'Ready', status: 'False', reason: 'BuildFailed', message: `failed at ${at}` };
    const conditions = isBroken
      ? [{ ...failing, lastTransitionTime: stamp, observedGeneration: objectAt(like, 'metadata')['generation'] }]
      : listAt(like, 'status', 'conditions').filter(isForeignObject);
    const status = { ...objectAt(like, 'status'), conditions, inventory: { entries: [] } };
    const template = {
      name: () => name,
      namespace: () => namespace,
      render(_index: number, resourceVersion: number) {
        const uid = '0b1c2d3e-0000-4000-8000-000000000000';
        const own = { name, namespace, uid, resourceVersion: String(resourceVersion) };
        return Buffer.from(JSON.stringify({ ...like, metadata: { ...objectAt(like, 'metadata'), ...own }, status }));
      },
    };
    cluster.store.touch(kind, template, 0, at);
  }

  write(now);
  return {
    ref,
    get isBroken() {
      return isBroken;
    },
    turn(at) {
      isBroken = !isBroken;
      write(at);
    },
  };
}
