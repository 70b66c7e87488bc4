import type { ApiServer, ApiServers } from '../api/api-server.ts';
import { createAccess, reader } from '../api/access.ts';
import type { Access } from '../api/access.ts';
import { createFaults } from '../api/faults.ts';
import type { Faults } from '../api/faults.ts';
import type { ServedKind } from '../api/kinds.ts';
import { createListPages } from '../api/list.ts';
import { createObjectStore } from '../api/object-store.ts';
import type { ObjectStore } from '../api/object-store.ts';
import type { Random } from '../random.ts';

/** One simulated cluster: its API server, what it holds, and the switches of its faults. */
export interface SimulatedCluster {
  readonly name: string;
  readonly labels: { readonly [key: string]: string };
  readonly server: ApiServer;
  readonly store: ObjectStore;
  readonly access: Access;
  readonly faults: Faults;
  /** The token in the kubeconfig. */
  token(): string;
  /** Replaces the token: the old one gets 401 from now on. The kubeconfig's file is written by whoever owns it. */
  rotateToken(): string;
  /** Drops the event windows and the lists under way: what resumes gets 410. */
  compact(): void;
}

/** Plan of a cluster. */
export interface SimulatedClusterPlan {
  readonly name: string;
  readonly labels: { readonly [key: string]: string };
  readonly kinds: readonly ServedKind[];
  readonly gitVersion: string;
  /** Events kept per kind for watches that resume. */
  readonly window: number;
}

/** Starts the API server of one cluster, without objects. */
export async function startSimulatedCluster(
  plan: SimulatedClusterPlan,
  servers: ApiServers,
  now: () => number,
  random: Random,
): Promise<SimulatedCluster> {
  const store = createObjectStore(plan.kinds, plan.window, random.between(1000, 900_000));
  const access = createAccess();
  const faults = createFaults();
  const pages = createListPages();
  let token = random.hex(40);
  access.addToken(token, reader);
  const server = await servers.start(plan.name, { store, access, faults, pages, gitVersion: plan.gitVersion, now });
  return {
    name: plan.name,
    labels: plan.labels,
    server,
    store,
    access,
    faults,
    token: () => token,
    rotateToken() {
      access.revokeToken(token);
      token = random.hex(40);
      access.addToken(token, reader);
      return token;
    },
    compact() {
      store.compact();
      pages.compact();
    },
  };
}
