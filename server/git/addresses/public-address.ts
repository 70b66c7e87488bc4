import { BlockList, isIP } from 'node:net';

/** IPv4 that is not the public network: RFC 6890's special purposes, multicast and what is reserved. */
const notPublic4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
/** Of IPv6 only this is the public network, but for documentation, and for Teredo and 6to4, which hold IPv4 addresses. */
const public6 = ['2000::/3'];
const notPublic6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** True for an IP address of the public network; false for every other text. Source: RFC 6890, iana.org/assignments/iana-ipv6-special-registry. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !lies(address, notPublic4, 'ipv4');
    case 6:
      return lies(address, public6, 'ipv6') && !lies(address, notPublic6, 'ipv6');
    default:
      return false;
  }
}

function lies(address: string, nets: readonly string[], family: 'ipv4' | 'ipv6'): boolean {
  const list = new BlockList();
  for (const net of nets) {
    const [begin = '', bits] = net.split('/');
    list.addSubnet(begin, Number(bits), family);
  }
  return list.check(address, family);
}
