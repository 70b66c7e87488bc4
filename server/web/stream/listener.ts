import type { IncomingMessage } from 'node:http';
import { networkOf } from '#server/runtime/serving/network-of.ts';

/**
 * Who listens to a stream, as far as that can be told: the address that a proxy on this machine says it asks for (the last of
 * X-Forwarded-For, which is the one that it has seen itself), else the peer's own; of IPv6 the network of 64 bits, which one household has
 * to itself. Good for sharing room, not for rights.
 */
export function listenerOf(
  request: Pick<IncomingMessage, 'headers'> & { readonly socket: { readonly remoteAddress?: string | undefined } },
): string {
  const forwarded = request.headers['x-forwarded-for'];
  const last = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',').at(-1)?.trim() ?? '';
  return networkOf((last === '' ? (request.socket.remoteAddress ?? '') : last).slice(0, 64));
}
