import type { Clock, Timer } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import { type GroupKind, kindKey } from '#lib/domain/observation/ref.ts';
import { namedKinds } from '../../reconcilers/registry.ts';
import type { Answer, Failure } from '../answer.ts';
import type { ClusterFault, UnreadKind, WatchedKind } from '../cluster-event.ts';
import {
  type DiscoveredVersion,
  kindsOf,
  readAggregated,
  readGroups,
  readResources,
  unreadOf,
} from './discovery-document.ts';
import { childAbort, pause } from '../pause.ts';
import type { Transport } from '../transport/transport.ts';
import type { ClusterTuning } from '../tuning.ts';

const aggregated = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');

export interface DiscoveryDeps {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly tuning: ClusterTuning;
  /** The kinds were found for the first time, or are others than before. */
  onKinds(kinds: readonly WatchedKind[], absent: readonly GroupKind[], unread: readonly UnreadKind[]): void;
  /** A discovery failed; what was known stays. */
  onFault(fault: ClusterFault): void;
}

/** Each look after `soon` (ms), and until how long after it. An unchanged answer is an HTTP 304. */
const hurryEvery = 3_000;
const hurryFor = 20_000;
/** What is not known, or missing for the first time, is looked at again after so long (ms). */
const unsureAfter = 5_000;

/** Looks which kinds a cluster serves: at once, every 15 s with jitter, and soon after `again`. */
export interface Discovery {
  again(): void;
  /** Something that defines kinds was written: looks at once, and every few seconds for a while, for a definition takes its time. */
  soon(): void;
  stop(): Promise<void>;
}

type Found =
  | { readonly type: 'ok'; readonly versions: readonly DiscoveredVersion[]; readonly legacy: boolean }
  | { readonly type: 'not-modified' }
  | Failure;

/** Starts the discovery of one cluster. */
export function startDiscovery({ transport, clock, random, log, tuning, onKinds, onFault }: DiscoveryDeps): Discovery {
  const stopper = new AbortController();
  let wake: (() => void) | null = null;
  let soon: Timer | null = null;
  let hurryUntil = 0;
  let wanted = false;
  let suspects: ReadonlySet<string> = new Set();
  let etag: string | null = null;
  let known: readonly WatchedKind[] = [];
  let told: string | null = null;
  let legacy = false;
  let complaint: string | null = null;

  function get(path: string, accept: string, tag: string | null): Promise<Answer> {
    const options = { accept, timeout: tuning.getTimeout, most: tuning.pageBytes, signal: stopper.signal };
    return transport.get(path, tag === null ? options : { ...options, etag: tag });
  }

  async function discover(): Promise<Found> {
    const answer = await get('/apis', aggregated, etag);
    if (answer.type === 'fault' || answer.type === 'not-modified') return answer;
    if (answer.type === 'too-large') return tooLarge;
    const versions = readAggregated(answer.body);
    if (versions !== null) {
      // A stale version must be asked again, whatever the etag says.
      etag = versions.some((version) => version.stale) ? null : answer.etag;
      return { type: 'ok', versions, legacy: false };
    }
    const groups = readGroups(answer.body);
    return groups === null ? notUnderstood : { type: 'ok', versions: await eachVersion(groups), legacy: true };
  }

  /** The older form: one request per group version, four at a time; one that fails counts as stale. */
  async function eachVersion(
    groups: readonly { readonly group: string; readonly versions: readonly string[] }[],
  ): Promise<DiscoveredVersion[]> {
    const wanted = groups.flatMap(({ group, versions }) => versions.map((version) => ({ group, version })));
    const found: DiscoveredVersion[] = [];
    let next = 0;
    async function work(): Promise<void> {
      for (let index = next++; index < wanted.length && !stopper.signal.aborted; index = next++) {
        const item = wanted[index];
        if (!item) return;
        const answer = await get(`/apis/${item.group}/${item.version}`, 'application/json', null);
        const read = answer.type === 'ok' ? readResources(answer.body, item.group, item.version) : nothing;
        found[index] = { ...item, stale: answer.type !== 'ok', ...read };
      }
    }
    await Promise.all([work(), work(), work(), work()]);
    return found.filter((version) => version !== undefined);
  }

  function tell(found: Found & { type: 'ok' }): void {
    legacy = found.legacy;
    const now = kindsOf(found.versions, known);
    const there = new Set(now.map(kindKey));
    // A server that has just started does not know its CRDs yet: a kind is gone when it is missing twice.
    const kept = known.filter((kind) => !there.has(kindKey(kind)) && !suspects.has(kindKey(kind)));
    suspects = new Set(kept.map(kindKey));
    if (kept.length > 0) etag = null;
    known = [...now, ...kept];
    const served = new Set(known.map(kindKey));
    const unread = unreadOf(found.versions);
    const words = JSON.stringify([known, unread]);
    if (words === told) return;
    told = words;
    onKinds(
      known,
      namedKinds.filter((kind) => !served.has(kindKey(kind))).map(({ group, kind }) => ({ group, kind })),
      unread,
    );
  }

  /** Says once why nothing is told, and once that it is again. A connection that is lost is told where it is lost. */
  function complain(fault: ClusterFault | null): void {
    const reason = fault === null || fault.type === 'unreachable' ? null : fault.message;
    if (reason !== null && reason !== complaint)
      log.warn({ reason }, 'the cluster does not tell which kinds it serves');
    if (fault === null && complaint !== null) log.info({}, 'the cluster tells which kinds it serves again');
    if (reason !== null || fault === null) complaint = reason;
  }

  /** How long to wait for the next look (ms). */
  function waitAfter(found: Found): number {
    const every = legacy ? tuning.legacyDiscoveryEvery : tuning.discoveryEvery;
    // Nothing is known yet, or something is missing: sooner than the usual round.
    const unsure = (found.type === 'fault' && told === null) || suspects.size > 0;
    if (unsure) return Math.max(found.type === 'fault' ? (found.retryAfter ?? 0) : 0, Math.min(every, unsureAfter));
    return clock.now() < hurryUntil && !legacy ? Math.min(every, hurryEvery) : every;
  }

  async function run(): Promise<void> {
    while (!stopper.signal.aborted) {
      wanted = false;
      const found = await discover();
      if (stopper.signal.aborted) return;
      if (found.type === 'ok') tell(found);
      if (found.type !== 'fault') complain(null);
      if (found.type === 'fault') {
        complain(found.fault);
        onFault(found.fault);
      }
      const wait = waitAfter(found);
      if (wanted) continue;
      const { controller, release } = childAbort(stopper.signal);
      wake = () => controller.abort();
      await pause(clock, wait * (0.8 + 0.4 * random()), controller.signal);
      wake = null;
      release();
    }
  }

  const running = run();
  return {
    again() {
      // Many watches may answer 404 at once; one look a moment later is enough.
      soon ??= clock.after(1_000, () => {
        soon = null;
        etag = null;
        wanted = true;
        wake?.();
      });
    },
    soon() {
      if (!legacy && clock.now() >= hurryUntil - hurryFor + hurryEvery) wake?.();
      hurryUntil = clock.now() + hurryFor;
    },
    async stop() {
      soon?.cancel();
      stopper.abort();
      await running;
    },
  };
}

const nothing = { kinds: [], unread: [] };
const tooLarge: Failure = {
  type: 'fault',
  fault: { type: 'protocol', message: 'the discovery document is too large' },
  retryAfter: null,
};
const notUnderstood: Failure = {
  type: 'fault',
  fault: { type: 'protocol', message: '/apis is neither aggregated nor older discovery' },
  retryAfter: null,
};
