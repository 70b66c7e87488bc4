import type { GroupResource } from './kinds.ts';
import { failure } from './status.ts';
import type { Answer } from './status.ts';

/** Scope of a failure: one verb or all, one kind or all. */
export interface FailureScope {
  readonly verb?: 'list' | 'watch' | 'get';
  readonly kind?: GroupResource;
}

/** Failures of one cluster's API server that sit in its answers; what sits in the network is the gate's affair. */
export interface Faults {
  /** ms before each answer. */
  delay: number;
  /** True if bookmarks (save the one that ends initial events) are left out. */
  dropBookmarks: boolean;
  /** True if the WatchList feature is on; where not, sendInitialEvents gets 422. */
  watchList: boolean;
  /** True if /api and /apis know the aggregated form. */
  aggregatedDiscovery: boolean;
  /** Way to tell a watch that is older than the event window: as the real server does (200, then an ERROR event), or by status. */
  expiredAs: 'error-event' | 'status';
  /** Kinds that are answered as meta.k8s.io/v1 Table, as a proxy that rewrites Accept makes it. */
  readonly tables: Set<GroupResource>;
  /** The next `count` requests in scope are answered 500. */
  failNext(count: number, scope?: FailureScope): void;
  /** The next `count` requests in scope are answered 429 with Retry-After in seconds. */
  throttleNext(count: number, retryAfter: number, scope?: FailureScope): void;
  /** The answer that a fault puts in the place of the real one, or null. */
  take(verb: string, kind: GroupResource): Answer | null;
}

interface Pending {
  readonly scope: FailureScope;
  readonly answer: Answer;
  left: number;
}

/** Makes the faults of a healthy server. */
export function createFaults(): Faults {
  const pending: Pending[] = [];

  function matches(scope: FailureScope, verb: string, kind: GroupResource): boolean {
    return (scope.verb === undefined || scope.verb === verb) && (scope.kind === undefined || scope.kind === kind);
  }

  return {
    delay: 0,
    dropBookmarks: false,
    watchList: true,
    aggregatedDiscovery: true,
    expiredAs: 'error-event',
    tables: new Set(),
    failNext(count, scope = {}) {
      const answer = failure(500, 'InternalError', 'Internal error occurred: etcdserver: request timed out');
      pending.push({ scope, answer, left: count });
    },
    throttleNext(count, retryAfter, scope = {}) {
      const message = 'too many requests, please try again later';
      const status = failure(429, 'TooManyRequests', message, { details: { retryAfterSeconds: retryAfter } });
      pending.push({ scope, answer: { ...status, headers: { 'retry-after': String(retryAfter) } }, left: count });
    },
    take(verb, kind) {
      const found = pending.find((entry) => entry.left > 0 && matches(entry.scope, verb, kind));
      if (!found) return null;
      found.left--;
      if (found.left === 0) pending.splice(pending.indexOf(found), 1);
      return found.answer;
    },
  };
}
