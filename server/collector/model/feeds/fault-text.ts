import type { ClusterFault } from '../../clusters/cluster-event.ts';

/** Node's error codes (errno(3), dns) as they are said to people. */
const codes: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'the connection is refused'],
  [/ECONNRESET|EPIPE|socket hang up|session has been destroyed|NGHTTP2/i, 'the connection was cut'],
  [/ETIMEDOUT|timed? ?out/i, 'no answer in time'],
  [/ENOTFOUND|EAI_AGAIN/, 'its name cannot be resolved'],
  [/EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN/, 'no route leads to it'],
];

/** Why a cluster or kind cannot be read, as a clause for people: a known code in words, everything else as it was received. */
export function faultText(fault: ClusterFault): string {
  if (fault.type !== 'unreachable') return fault.message;
  return codes.find(([pattern]) => pattern.test(fault.message))?.[1] ?? fault.message;
}
