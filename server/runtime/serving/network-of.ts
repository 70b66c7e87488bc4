import { isIPv6 } from 'node:net';

/** Whom an address belongs to, as far as that can be told: of IPv6 the network of 64 bits, which one household has to itself. */
export function networkOf(address: string): string {
  const text = address.replaceAll(/[[\]]|%.*$/g, '').replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(text)) return text;
  // Written with the fewest letters, "::" for the longest run of zeros.
  const [before = '', after] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::');
  const parts = (half: string): readonly string[] => (half === '' ? [] : half.split(':'));
  const known = after === undefined ? 8 : parts(before).length + parts(after).length;
  const zeros = Array.from({ length: 8 - known }, () => '0');
  return `${[...parts(before), ...zeros, ...parts(after ?? '')].slice(0, 4).join(':')}::/64`;
}
