import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

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

function networkOf(address: string): string {
  const text = address.replaceAll(/[[\]]|%.*$/g, '').replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(text)) return text;
  // Written with the fewest letters, "::" for the longest run of zeros.
  const [before = '', after] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::');
  const parts = (half: string): readonly string[] => (half === '' ? [] : half.split(':'));
  const known = after === undefined ? 8 : parts(before).length + parts(after).length;
  const zeros = Array.from({ length: 8 - known }, () => '0');
  return `${[...parts(before), ...zeros, ...parts(after ?? '')].slice(0, 4).join(':')}::/64`;
}
