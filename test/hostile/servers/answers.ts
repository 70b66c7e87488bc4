// How a hostile API server answers, and the parts that its answers are made of.

/** One request to a hostile server that it answers in its own way. */
export interface Asked {
  readonly path: string;
  readonly query: URLSearchParams;
  /** Answers in one piece. */
  json(status: number, body: string | Buffer, headers?: { readonly [name: string]: string }): void;
  /** Answers HTTP 200 and sends what `more` gives, as fast as it is taken, until it gives null; the stream stays open. */
  pour(more: () => string | null): void;
  /** Says that this connection takes no more requests. */
  goAway(): void;
}

/** A way to be hostile. True where it has answered; whatever it leaves is answered as a healthy server without objects does. */
export type Sickness = (asked: Asked) => boolean;

/** Of Flux's Kustomizations. */
export const group = 'kustomize.toolkit.fluxcd.io';
export const apiVersion = `${group}/v1`;
/** The path of their list. */
export const lists = `/apis/${group}/v1/kustomizations`;
export const isList = ({ path, query }: Asked): boolean => path === lists && query.get('watch') !== 'true';
export const isWatch = ({ path, query }: Asked): boolean => path === lists && query.get('watch') === 'true';

/** An aggregated discovery of so many kinds of Crossplane, beside Flux's Kustomization. */
export function discoveryOf(managed: number, beside: readonly (readonly [group: string, kind: string])[] = []): string {
  const resource = (kind: string, plural: string, categories: readonly string[]) => ({
    resource: plural,
    responseKind: { group: '', version: '', kind },
    scope: 'Namespaced',
    verbs: ['get', 'list', 'watch'],
    categories,
  });
  const groupOf = (name: string, resources: readonly object[]) => ({
    metadata: { name },
    versions: [{ version: 'v1', freshness: 'Current', resources }],
  });
  const many = Array.from({ length: managed }, (_, n) => resource(`Thing${n}`, `thing${n}s`, ['managed']));
  const items = [
    groupOf(group, [resource('Kustomization', 'kustomizations', [])]),
    ...beside.map(([name, kind]) => groupOf(name, [resource(kind, `${kind.toLowerCase()}s`, [])])),
    groupOf('many.example.org', many),
  ];
  return JSON.stringify({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', items });
}

/** A Kustomization that is ready; `words` is the message of each of its conditions. */
export function kustomization(name: string, version: number, words = 'Applied revision: main', conditions = 1): object {
  const condition = { status: 'True', reason: 'ReconciliationSucceeded', message: words, observedGeneration: 1 };
  return {
    apiVersion,
    kind: 'Kustomization',
    metadata: {
      name,
      namespace: 'flux-system',
      uid: `0b1c2d3e-0000-4000-8000-${name}`,
      resourceVersion: String(version),
      generation: 1,
      creationTimestamp: '2026-11-21T08:00:00Z',
    },
    spec: { interval: '10m', path: './apps', prune: true, sourceRef: { kind: 'GitRepository', name: 'flux-system' } },
    status: {
      observedGeneration: 1,
      conditions: Array.from({ length: conditions }, (_, n) => ({
        ...condition,
        type: n === 0 ? 'Ready' : `Extra${n}`,
        lastTransitionTime: '2026-11-21T08:00:00Z',
      })),
    },
  };
}

/** A list of Kustomizations, of items as JSON. */
export function listOf(items: string, next: string): string {
  return `{"kind":"KustomizationList","apiVersion":"${apiVersion}","metadata":{"resourceVersion":"1","continue":"${next}"},"items":[${items}]}`;
}

/** An API server without WatchList: a first list comes in pages. */
export function refusesStreams(asked: Asked): boolean {
  if (!isWatch(asked) || asked.query.get('sendInitialEvents') !== 'true') return false;
  asked.json(400, '{"kind":"Status","code":400,"message":"sendInitialEvents is forbidden"}');
  return true;
}

/** The line that says that the first objects are complete. */
export const synced = JSON.stringify({
  type: 'BOOKMARK',
  object: {
    kind: 'Kustomization',
    apiVersion,
    metadata: { resourceVersion: '2', annotations: { 'k8s.io/initial-events-end': 'true' } },
  },
});

/** An endless watch: `event` is told the number of each line, from 1 on. */
export function streams(event: (number: number) => string): Sickness {
  return (asked) => {
    if (!isWatch(asked)) return false;
    let number = 0;
    asked.pour(() => event((number += 1)));
    return true;
  };
}

/** A line of a watch. */
export function added(object: object): string {
  return `${JSON.stringify({ type: 'ADDED', object })}\n`;
}

/** Events that come without a pause after one object; `event` is told the number of each. */
export function floods(event: (number: number) => string): Sickness {
  return streams((number) => (number === 1 ? `${added(kustomization('k', 1))}${synced}\n` : `${event(number)}\n`));
}
