import { type ForeignObject, parseForeign, textAt } from '#lib/foreign.ts';
import type { ClusterFault } from './cluster-event.ts';
import { redact } from './redact.ts';

/** A request that failed; `retryAfter` is what the server asked to be waited, in ms, 5 min at most. */
export interface Failure {
  readonly type: 'fault';
  readonly fault: ClusterFault;
  readonly retryAfter: number | null;
}

/** The answer to a GET. `not-modified` only where an etag was sent, `too-large` where the body passed the caller's bound. */
export type Answer =
  | {
      readonly type: 'ok';
      readonly body: ForeignObject;
      readonly etag: string | null;
      /** Length of the body, decompressed. */ readonly bytes: number;
    }
  | { readonly type: 'not-modified' }
  | { readonly type: 'too-large' }
  | Failure;

/** The end of a watch. `opened`: the server had accepted it (HTTP 200). */
export type WatchEnd =
  | { readonly type: 'ended' }
  | { readonly type: 'cancelled' }
  | (Failure & { readonly opened: boolean });

/** A server that asks for more is asked again after this (ms): it may be well by then. */
const longestRetryAfter = 300_000;

/** A failure; `retryAfter` is the wait that the server asks for, in ms, and null where it asks for none. */
export function failure(fault: ClusterFault, retryAfter: number | null = null): Failure {
  const wait = retryAfter === null ? null : Math.min(longestRetryAfter, Math.max(0, retryAfter));
  return { type: 'fault', fault, retryAfter: wait };
}

/**
 * The failure behind an HTTP status other than 200, with the message of the metav1.Status in the body where it is one.
 * `retryAfter` is the header's text: seconds, or an HTTP date measured against `now` (ms).
 */
export function failureOfStatus(status: number, body: string, retryAfter: string | null, now: number): Failure {
  const parsed = parseForeign(body);
  const message = redact(textAt(parsed, 'message') ?? body) || `HTTP ${status}`;
  return failure(faultOfStatus(status, message), retryAfterOf(retryAfter, now));
}

/** The fault that a status code of the API server stands for. */
export function faultOfStatus(status: number, message: string): ClusterFault {
  if (status === 401) return { type: 'unauthorized', message };
  if (status === 403) return { type: 'forbidden', message };
  if (status === 429) return { type: 'throttled', message };
  return { type: 'server', status, message };
}

/** True for an answer with this HTTP status. */
export function hasStatus(fault: ClusterFault, status: number): boolean {
  return fault.type === 'server' && fault.status === status;
}

function retryAfterOf(text: string | null, now: number): number | null {
  if (text === null) return null;
  const seconds = Number(text);
  if (!Number.isNaN(seconds)) return seconds * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : date - now;
}
