import type { ClientRequest } from 'node:http';
import { type ForeignObject, listAt, objectAt, parseForeign, textAt } from '#lib/foreign.ts';
import type { ApiServer } from './api-server.ts';

/** One write of an object as it reached an administrator's watch. `at` is ms since the epoch. */
export interface Seen {
  readonly at: number;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly deleted: boolean;
  readonly object: ForeignObject;
}

/** Watches as an administrator, independent of Plumbline: the truth that onsets are measured against. */
export interface Witness {
  /** The first write of the object since `since` (ms) that fits, null where none was seen. */
  first(kind: string, name: string, since: number, fits: (object: ForeignObject) => boolean): Seen | null;
  /** The newest write of the object. */
  last(kind: string, name: string): Seen | null;
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

/** Watches the given collections (paths below the API server, e.g. /apis/kustomize.toolkit.fluxcd.io/v1/kustomizations). */
export function startWitness(cluster: ApiServer, paths: readonly string[]): Witness {
  const seen: Seen[] = [];
  const open = new Set<ClientRequest>();
  let stopped = false;

  function watch(path: string): void {
    if (stopped) return;
    let rest = '';
    const request = cluster.admin.stream(
      `${path}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
      (chunk) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) note(line);
      },
      () => {
        open.delete(request);
        setTimeout(() => watch(path), 500).unref();
      },
    );
    open.add(request);
  }

  function note(line: string): void {
    const event = parseForeign(line);
    const type = textAt(event, 'type');
    if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') return;
    const object = objectAt(event, 'object');
    seen.push({
      at: Date.now(),
      kind: textAt(object, 'kind') ?? '',
      namespace: textAt(object, 'metadata', 'namespace') ?? '',
      name: textAt(object, 'metadata', 'name') ?? '',
      deleted: type === 'DELETED',
      object,
    });
  }

  for (const path of paths) watch(path);
  return {
    first: (kind, name, since, fits) =>
      seen.find((one) => one.kind === kind && one.name === name && one.at >= since && fits(one.object)) ?? null,
    last: (kind, name) => seen.findLast((one) => one.kind === kind && one.name === name) ?? null,
    stop() {
      stopped = true;
      for (const request of open) request.destroy();
    },
  };
}
