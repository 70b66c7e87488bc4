import type { Clock, Timer } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import {
  sourceKey,
  type FactSource,
  type FactSourceType,
  type Lease,
  type WriteRefusal,
} from '#server/store/port/port.ts';
import type { Thread } from './thread.ts';

/** Parameters of the keeper. */
export interface LeaseKeeperDeps {
  readonly thread: Thread;
  readonly clock: Clock;
  readonly log: Log;
  readonly holder: string;
  /** ms */
  readonly ttl: number;
  /** A renewal found that another holder has, or had, the source. */
  readonly onLost: (source: FactSource) => void;
  /** The store took what was asked of it, or refuses. */
  readonly onAnswer: (refusal: WriteRefusal | null) => void;
}

/**
 * The leases that this process holds, renewed at a third of their time. Starts keeping leases. A renewal that fails for
 * the disk changes nothing: an epoch ends only when another takes the source.
 */
export function leaseKeeper({ thread, clock, log, holder, ttl, onLost, onAnswer }: LeaseKeeperDeps) {
  const held = new Map<string, Lease>();
  let timer: Timer | null = null;
  let paused = false;
  let isFailing = false;

  async function take(sources: readonly FactSource[]): Promise<readonly (Lease | null)[] | null> {
    const answer = await thread.ask({ type: 'acquire', sources, holder, now: clock.now(), ttl });
    if (answer.type === 'acquired') {
      isFailing = false;
      onAnswer(null);
      return answer.leases;
    }
    if (answer.type === 'failed') {
      // Each cluster asks anew each second.
      if (!isFailing) log.warn({ message: answer.message, leases: sources.length }, 'leases could not be taken');
      isFailing = true;
      if (answer.refusal) onAnswer(answer.refusal);
    }
    return null;
  }

  function renewLater(): void {
    if (timer !== null || paused) return;
    timer = clock.after(ttl / 3, () => {
      timer = null;
      void renew().finally(renewLater);
    });
  }

  async function renew(): Promise<void> {
    const before = [...held.values()];
    if (before.length === 0) return;
    const leases = await take(before.map((lease) => lease.source));
    if (leases === null) return;
    for (const [index, lease] of before.entries()) {
      // Dropped or taken anew meanwhile: this answer is about another time.
      const { source } = lease;
      if (held.get(sourceKey(source)) !== lease || leases[index]?.epoch === lease.epoch) continue;
      log.warn({ [source.type]: source.name }, 'another collector has taken over');
      onLost(source);
    }
  }

  return {
    /** Takes a source of facts; null where another holder has it, or the store does not answer. */
    async acquire<T extends FactSourceType>(source: FactSource<T>): Promise<Lease<T> | null> {
      const lease = (await take([source]))?.[0] ?? null;
      if (lease === null) return null;
      held.set(sourceKey(source), lease);
      renewLater();
      return { ...lease, source };
    },
    held<T extends FactSourceType>(source: FactSource<T>): Lease<T> | null {
      const lease = held.get(sourceKey(source));
      return lease === undefined ? null : { ...lease, source };
    },
    /** The lease is lost: it is renewed no longer. */
    drop: (source: FactSource): void => void held.delete(sourceKey(source)),
    async release(source: FactSource): Promise<void> {
      const lease = held.get(sourceKey(source));
      held.delete(sourceKey(source));
      if (lease !== undefined) await thread.ask({ type: 'release', leases: [lease] });
    },
    /** Renews no longer. */
    pause(): void {
      paused = true;
      timer?.cancel();
    },
    async releaseAll(): Promise<void> {
      const leases = [...held.values()];
      held.clear();
      if (leases.length > 0) await thread.ask({ type: 'release', leases });
    },
  };
}
