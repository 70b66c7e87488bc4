import type { Clock } from '#server/runtime/clock.ts';
import type { ClusterAccess } from '../access.ts';
import { type Failure, failure } from '../answer.ts';
import type { WatchedKind } from '../cluster-event.ts';
import { startTransport } from '../transport/transport.ts';
import { defaultTuning } from '../tuning.ts';
import { kindsOf } from './discovery/discovery-document.ts';
import { createDiscoveryRequest } from './discovery/discovery-request.ts';

/** Kinds of one cluster that are read; `stale` are the API groups of which the server could not tell. */
export interface ServedKinds {
  readonly type: 'ok';
  readonly kinds: readonly WatchedKind[];
  readonly stale: readonly string[];
}

/**
 * Asks a cluster once, by GET, which of the kinds that Plumbline reads it serves. The first loss of the connection is the
 * answer: nothing is tried again.
 */
export async function askServedKinds(access: ClusterAccess, clock: Clock): Promise<ServedKinds | Failure> {
  const stopper = new AbortController();
  const { promise: lost, resolve: lose } = Promise.withResolvers<Failure>();
  const transport = startTransport({
    access,
    clock,
    random: Math.random,
    tuning: defaultTuning,
    onConnected: () => undefined,
    onDisconnected: (fault) => lose(failure(fault)),
    onReceived: () => undefined,
  });
  try {
    const found = await Promise.race([lost, createDiscoveryRequest(transport, defaultTuning, stopper.signal).ask()]);
    if (found.type === 'fault') return found;
    if (found.type === 'not-modified')
      return failure({ type: 'protocol', message: 'it answered 304 to a first question' });
    const stale = new Set(found.versions.flatMap((version) => (version.stale ? [version.group] : [])));
    return { type: 'ok', kinds: kindsOf(found.versions, []), stale: [...stale].toSorted() };
  } finally {
    stopper.abort();
    transport.stop();
  }
}
