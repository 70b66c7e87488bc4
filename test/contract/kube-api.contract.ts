import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import {
  type KubeApiBench,
  type KubeApiUnderTest,
  gadgets,
  kustomizations,
  locks,
  thing,
  volumes,
} from './kube-api-bench.ts';
import { describeRequests } from './kube-api-requests.contract.ts';
import { describeSession } from './kube-api-session.contract.ts';
import { describeWatches } from './kube-api-watches.contract.ts';

/**
 * Cases that transport and reflector rely on in an API server: the real one and the simulated one pass the same.
 * `open` gives a fresh server, and the cases run in order on that one; where it is null, all of them are skipped.
 */
export function describeKubeApi(server: string, open: (() => Promise<KubeApiBench>) | null): void {
  describe.skipIf(open === null)(`Kubernetes API: ${server}`, () => {
    let bench: KubeApiBench | null = null;
    const closers: (() => unknown)[] = [];
    beforeAll(async () => {
      if (open === null) return;
      bench = await open();
      for (const kind of [kustomizations, volumes, gadgets, locks]) await bench.serve(kind);
      for (const name of ['a', 'b', 'c', 'd', 'e']) await bench.put(thing(kustomizations, name));
      await bench.put(thing(volumes, 'disk'));
      await bench.put(thing(locks, 'door'));
    });
    afterEach(async () => {
      for (const close of closers.splice(0).toReversed()) await close();
    });
    afterAll(async () => {
      await bench?.stop();
    });

    const under: KubeApiUnderTest = {
      bench() {
        if (bench === null) throw new Error('the API server does not run');
        return bench;
      },
      defer: (close) => void closers.push(close),
    };
    describeRequests(under);
    describeWatches(under);
    describeSession(under);
  });
}
