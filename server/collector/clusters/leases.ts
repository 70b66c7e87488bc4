import { listAt, numberAt, textAt, timeAt } from '#lib/foreign.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { ClusterEvent, FeedState, LeaseWord } from './cluster-event.ts';
import { pause } from './pause.ts';
import type { Transport } from './transport.ts';
import type { ClusterTuning } from './tuning.ts';

export interface LeasesDeps {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly tuning: ClusterTuning;
  /** Asked before every round: namespaces where controllers run. */
  namespaces(): readonly string[];
  readonly on: (event: ClusterEvent) => void;
}

const soon = 6_000;
/** A cluster that could not be reached is asked again at once: the request waits for the connection and goes out with it. */
const afterLoss = 1_000;
const kind = { group: 'coordination.k8s.io', kind: 'Lease' };

/** Lists the Leases of some namespaces every 15 s (never watched: each write of a lease would be an event). */
export function startLeases({ transport, clock, random, tuning, namespaces, on }: LeasesDeps): {
  stop(): Promise<void>;
} {
  const stopper = new AbortController();
  let told = '';

  function tell(feed: FeedState): void {
    const words = JSON.stringify(feed);
    if (words === told || stopper.signal.aborted) return;
    told = words;
    on({ type: 'feed', at: clock.now(), kind, feed });
  }

  /** One namespace; gives how it went. resourceVersion=0 is served from the server's cache. */
  async function read(namespace: string): Promise<FeedState> {
    const path = `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/leases?resourceVersion=0&limit=500`;
    const answer = await transport.get(path, {
      timeout: tuning.getTimeout,
      most: tuning.answerBytes,
      signal: stopper.signal,
    });
    if (stopper.signal.aborted) return { state: 'live' };
    switch (answer.type) {
      case 'ok':
        on({ type: 'leases', at: clock.now(), namespace, leases: listAt(answer.body, 'items').flatMap(readLease) });
        return { state: 'live' };
      case 'fault':
        return answer.fault.type === 'forbidden'
          ? { state: 'forbidden', fault: answer.fault }
          : { state: 'failed', fault: answer.fault };
      case 'not-modified':
      case 'too-large':
        return {
          state: 'failed',
          fault: { type: 'protocol', message: `the list of Leases in ${namespace} cannot be read` },
        };
    }
  }

  async function run(): Promise<void> {
    // A lease proves nothing before it was seen moving: the second look comes soon (Flux renews each 5 s, client-go each 2 s).
    let next = Math.min(soon, tuning.leasesEvery);
    while (!stopper.signal.aborted) {
      const states = await Promise.all([...new Set(namespaces())].map(read));
      const worst = states.find(({ state }) => state === 'failed') ?? states.find(({ state }) => state === 'forbidden');
      if (states.length > 0) tell(worst ?? { state: 'live' });
      if (worst?.state === 'failed' && worst.fault.type === 'unreachable')
        next = Math.min(afterLoss, tuning.leasesEvery);
      await pause(clock, next * (0.95 + 0.1 * random()), stopper.signal);
      next = tuning.leasesEvery;
    }
  }

  const running = run();
  return {
    async stop() {
      stopper.abort();
      await running;
    },
  };
}

/** A coordination.k8s.io/v1 Lease; nothing where it has no name. */
export function readLease(lease: unknown): LeaseWord[] {
  const namespace = textAt(lease, 'metadata', 'namespace');
  const name = textAt(lease, 'metadata', 'name');
  if (namespace === null || name === null) return [];
  return [
    {
      namespace,
      name,
      holder: textAt(lease, 'spec', 'holderIdentity'),
      durationSeconds: numberAt(lease, 'spec', 'leaseDurationSeconds'),
      renewTime: timeAt(lease, 'spec', 'renewTime'),
      transitions: numberAt(lease, 'spec', 'leaseTransitions'),
    },
  ];
}
