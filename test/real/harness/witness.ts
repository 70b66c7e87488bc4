import type { ClientRequest } from 'node:http';
import { type ForeignObject, listAt, objectAt, parseForeign, textAt } from '#lib/foreign.ts';
import type { ApiServer } from './api-server.ts';
import type { Subject } from './plumbline.ts';

/** One write of an object as it reached an administrator's watch. `at` is ms since the epoch. */
export interface Seen extends Subject {
  readonly at: number;
  readonly deleted: boolean;
  readonly object: ForeignObject;
}

/** Watches as an administrator, independent of Plumbline: the truth that onsets are measured against. */
export interface Witness {
  /** The first write of the object since `since` (ms) that fits, null where none was seen. */
  first(subject: Subject, since: number, fits: (object: ForeignObject) => boolean): Seen | null;
  /** The newest write of the object. */
  last(subject: Subject): Seen | null;
  stop(): void;
}

/** The status and reason of a condition: "False BuildFailed", or "" where the object has no such condition. */
export function conditionOf(object: ForeignObject, type: string): string {
  for (const condition of listAt(object, 'status', 'conditions')) {
    if (textAt(condition, 'type') === type)
      return `${textAt(condition, 'status') ?? ''} ${textAt(condition, 'reason') ?? ''}`.trim();
  }
  return '';
}

/** Watches the given collections of every cluster (paths below an API server, e.g. /apis/kustomize.toolkit.fluxcd.io/v1/kustomizations). */
export function startWitness(clusters: readonly ApiServer[], paths: readonly string[]): Witness {
  const seen: Seen[] = [];
  const open = new Set<ClientRequest>();
  let stopped = false;

  function watch(cluster: ApiServer, path: string): void {
    if (stopped) return;
    let rest = '';
    const request = cluster.admin.stream(
      `${path}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
      (chunk) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) note(cluster.name, line);
      },
      () => {
        open.delete(request);
        setTimeout(() => watch(cluster, path), 500).unref();
      },
    );
    open.add(request);
  }

  function note(cluster: string, line: string): void {
    const event = parseForeign(line);
    const type = textAt(event, 'type');
    if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') return;
    const object = objectAt(event, 'object');
    seen.push({
      at: Date.now(),
      cluster,
      kind: textAt(object, 'kind') ?? '',
      namespace: textAt(object, 'metadata', 'namespace') ?? '',
      name: textAt(object, 'metadata', 'name') ?? '',
      deleted: type === 'DELETED',
      object,
    });
  }

  for (const cluster of clusters) for (const path of paths) watch(cluster, path);
  return {
    first: (subject, since, fits) =>
      seen.find((one) => isOf(one, subject) && one.at >= since && fits(one.object)) ?? null,
    last: (subject) => seen.findLast((one) => isOf(one, subject)) ?? null,
    stop() {
      stopped = true;
      for (const request of open) request.destroy();
    },
  };
}

function isOf(seen: Seen, { cluster, kind, namespace, name }: Subject): boolean {
  return seen.cluster === cluster && seen.kind === kind && seen.namespace === namespace && seen.name === name;
}
