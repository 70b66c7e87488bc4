import type { CurrentCluster } from '#lib/domain/record/current.ts';
import type { Policy } from '#lib/domain/guarantee/guarantee.ts';
import type { DeclaredStack } from '#server/config/declared-stack.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { StoredClusterState, WriteBatch } from '#server/store/port/port.ts';
import type { GroupKind } from '#lib/domain/observation/ref.ts';
import type { ExternalClaims } from './claims/external-claims.ts';
import type { RemoteApplierIndex } from './remote/remote-applier-index.ts';
import type { Room } from './publishing/backpressure.ts';
import type { UnpackedCache } from './objects/unpacked-cache.ts';

/** Parameters of the model. `write` takes batches in order and never fails; whoever is behind it retries. */
export interface ClusterModelDeps {
  readonly cluster: string;
  readonly labels: CurrentCluster['labels'];
  readonly policy: Policy;
  readonly clock: Clock;
  /** State that the store remembers; null for nothing. */
  readonly restored: StoredClusterState | null;
  /** True to keep the messages of conditions and events, false for only their reasons. */
  readonly keepMessages: boolean;
  /** Stacks declared to stand in its row, though no loop reports on them. */
  readonly stacks?: readonly DeclaredStack[];
  /** Appliers that reach over from one cluster to another; shared by all clusters of a process. */
  readonly remotes?: RemoteApplierIndex;
  /** Who manages which external resource; shared by all clusters of a process. */
  readonly externals?: ExternalClaims;
  /** Something names objects of kinds that are only looked at, or not known yet. */
  readonly named?: (kinds: readonly GroupKind[]) => void;
  readonly write: (batch: WriteBatch) => void;
  /** Tells if there is room for what is written; without it there always is. */
  readonly room?: Room;
  /** Where objects rest that nobody looks at; shared by all clusters of a process. */
  readonly unpackedCache?: UnpackedCache;
}
