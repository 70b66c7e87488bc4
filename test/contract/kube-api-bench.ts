import type { ForeignObject } from '#lib/foreign.ts';
import type { ClusterAccess } from '#server/collector/clusters/access.ts';
import type { Failure } from '#server/collector/clusters/answer.ts';
import type { ClusterEvent, ClusterFault, WatchedKind } from '#server/collector/clusters/cluster-event.ts';
import { openKubeconfig } from '#server/collector/clusters/kubeconfig/kubeconfig.ts';
import { until } from '#server/collector/clusters/testing/until.ts';
import { startTransport, type Transport } from '#server/collector/clusters/transport/transport.ts';
import { type ClusterTuning, defaultTuning } from '#server/collector/clusters/tuning.ts';
import { type WatchEvent, readWatchEvent } from '#server/collector/clusters/watch/watch-event.ts';
import { systemClock } from '#server/runtime/clock.ts';

/** An object as it is placed on a bench. */
export interface BenchObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

/** One request that Plumbline's user sent. `path` has its query. */
export interface BenchRequest {
  readonly method: string;
  readonly path: string;
}

/**
 * One API server, real or simulated, with the namespaces `apps` and `flux-system`. It serves Secrets, Events and Leases;
 * kinds of Flux and of acme.example.org may be read, other.example.org and Secrets may not.
 */
export interface KubeApiBench {
  /** A kubeconfig of Plumbline's user, who may only read. */
  readonly kubeconfig: string;
  /** Has the server serve a kind, and resolves when it does. */
  serve(kind: WatchedKind): Promise<void>;
  /** Deletes a kind with its objects; resolves when the server does not answer for it any more. */
  withdraw(kind: WatchedKind): Promise<void>;
  /** Creates or changes an object and gives its new resourceVersion. */
  put(object: BenchObject): Promise<string>;
  remove(object: BenchObject): Promise<void>;
  /** Ends the server without a farewell and starts it again; what it remembered of the past is lost. */
  restart(): Promise<void>;
  /** Forgets the past and gives a continue token for the same position in a list that nobody remembers. */
  forget(continueToken: string): Promise<string>;
  /** Every request of Plumbline's user so far, oldest first. */
  requests(): Promise<readonly BenchRequest[]>;
  stop(): Promise<void>;
}

/** Parts that a group of cases is given. */
export interface KubeApiUnderTest {
  bench(): KubeApiBench;
  /** Runs at the end of the present case. */
  defer(close: () => unknown): void;
}

export const kustomizations: WatchedKind = {
  group: 'kustomize.toolkit.fluxcd.io',
  kind: 'Kustomization',
  version: 'v1',
  resource: 'kustomizations',
  namespaced: true,
  categories: ['all', 'fluxcd', 'fluxcd-appliers'],
};

export const helmReleases: WatchedKind = {
  group: 'helm.toolkit.fluxcd.io',
  kind: 'HelmRelease',
  version: 'v2',
  resource: 'helmreleases',
  namespaced: true,
  categories: [],
};

/** A kind that a Crossplane provider could bring. */
export function managed(group: string, kind: string): WatchedKind {
  const resource = `${kind.toLowerCase()}s`;
  return { group, kind, version: 'v1', resource, namespaced: true, categories: ['crossplane', 'managed'] };
}

export const volumes = managed('acme.example.org', 'Volume');
/** Has no objects. */
export const gadgets = managed('acme.example.org', 'Gadget');
/** Plumbline's user may not read it. */
export const locks = managed('other.example.org', 'Lock');

/** The path of a kind's list over all namespaces. */
export function pathOf(kind: WatchedKind): string {
  return `/apis/${kind.group}/${kind.version}/${kind.resource}`;
}

/** An object of a kind; `note` makes one state differ from another. */
export function thing(kind: WatchedKind, name: string, note = 'first'): BenchObject {
  const metadata = { name, namespace: 'apps' };
  return { apiVersion: `${kind.group}/${kind.version}`, kind: kind.kind, metadata, spec: { note } };
}

/** A core/v1 Event about an object of some kind. */
export function occurrence(name: string, kind: string): BenchObject {
  const metadata = { name, namespace: 'apps' };
  const involvedObject = { apiVersion: 'example.org/v1', kind, namespace: 'apps', name: 'a' };
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata,
    involvedObject,
    type: 'Normal',
    reason: 'ReconciliationSucceeded',
    message: 'done',
    count: 1,
  };
}

export const whatever = { timeout: 10_000, most: 10_000_000 };

/** The way in that the bench's kubeconfig describes; with `token`, that one instead of its own. */
export async function accessOf(bench: KubeApiBench, token?: string): Promise<ClusterAccess> {
  const opened = await openKubeconfig([bench.kubeconfig], null, { clock: systemClock });
  if (opened.type === 'invalid') throw new Error(opened.message);
  if (token === undefined) return opened.access;
  return { ...opened.access, headers: async () => ({ type: 'ok', headers: { authorization: `Bearer ${token}` } }) };
}

/** A transport of the product, and what it has told. */
export interface OpenTransport {
  readonly transport: Transport;
  readonly versions: (string | null)[];
  readonly protocols: string[];
  readonly faults: ClusterFault[];
  stop(): void;
}

/** Starts a transport as a session does. */
export function openTransport(access: ClusterAccess, tuning: Partial<ClusterTuning> = {}): OpenTransport {
  const versions: (string | null)[] = [];
  const protocols: string[] = [];
  const faults: ClusterFault[] = [];
  const transport = startTransport({
    access,
    clock: systemClock,
    random: Math.random,
    tuning: { ...defaultTuning, ...tuning },
    onConnected(protocol, version) {
      protocols.push(protocol);
      versions.push(version);
    },
    onDisconnected: (fault) => void faults.push(fault),
    onReceived: () => undefined,
  });
  return { transport, versions, protocols, faults, stop: transport.stop };
}

/** GETs what must be there. */
export async function read(transport: Transport, path: string, accept?: string): Promise<ForeignObject> {
  const answer = await transport.get(path, accept === undefined ? whatever : { ...whatever, accept });
  if (answer.type !== 'ok') throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer.body;
}

/** GETs what must be refused. */
export async function refusal(transport: Transport, path: string): Promise<Failure> {
  const answer = await transport.get(path, whatever);
  if (answer.type !== 'fault') throw new Error(`${path}: ${answer.type}`);
  return answer;
}

/** A watch that runs beside the test. */
export interface RunningWatch {
  readonly events: WatchEvent[];
  /** In short: "ADDED a", "BOOKMARK", "end of the first list", "expired". */
  words(): string[];
  /** Way it ended, null while it runs. */
  end(): string | null;
  opened(): boolean;
  /** Waits for its end; gives how it ended. */
  ended(): Promise<string>;
  stop(): void;
}

function inShort(event: WatchEvent): string {
  switch (event.type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return `${event.type} ${nameOf(event.object)}`;
    case 'BOOKMARK':
      return event.initialEventsEnd ? 'end of the first list' : 'BOOKMARK';
    case 'expired':
      return 'expired';
    case 'fault':
      return JSON.stringify(event.fault);
  }
}

/** metadata.name. */
export function nameOf(object: ForeignObject): string {
  const { metadata } = object;
  return typeof metadata === 'object' && metadata !== null && 'name' in metadata ? String(metadata.name) : '';
}

/** Opens a watch and waits until the server has accepted it (or refused, which `end` says). */
export async function watch(transport: Transport, kind: WatchedKind | 'events', query: string): Promise<RunningWatch> {
  const stopper = new AbortController();
  const events: WatchEvent[] = [];
  let end: string | null = null;
  let opened = false;
  const [path, apiVersion, name] =
    kind === 'events' ? ['/api/v1/events', 'v1', 'Event'] : [pathOf(kind), `${kind.group}/${kind.version}`, kind.kind];
  const running = transport.watch(`${path}?watch=true&${query}`, {
    signal: stopper.signal,
    onOpen: () => void (opened = true),
    onLine: (line) => void events.push(readWatchEvent(line, apiVersion, name)),
  });
  void running.then((ended) => void (end = ended.type === 'fault' ? JSON.stringify(ended.fault) : ended.type));
  await until('the watch is answered', () => opened || end !== null);
  return {
    events,
    words: () => events.map(inShort),
    end: () => end,
    opened: () => opened,
    ended: () => until('the watch ends', () => end, 20_000),
    stop: () => stopper.abort(),
  };
}

/** Only the words about feeds of one kind. */
export function feedsOf(emitted: readonly ClusterEvent[], kind: string): string[] {
  return emitted.flatMap((event) => (event.type === 'feed' && event.kind.kind === kind ? [event.feed.state] : []));
}
