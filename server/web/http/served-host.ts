import { isIP, isIPv4 } from 'node:net';

/**
 * Standing of the host that a request names: this machine's own names, that of `publicUrl`, another address (a probe comes by the
 * address of its pod), or any other name. A page under a name that somebody else points here must read nothing.
 */
export type HostStanding = 'loopback' | 'public' | 'address' | 'other';

/** Makes the judge of hosts. `publicUrl` is the origin that people reach the pages by; null where there is none. Ports do not matter. */
export function hostStanding(publicUrl: string | null): (host: string) => HostStanding {
  const own = publicUrl === null ? null : new URL(publicUrl).hostname;
  return (host) => {
    const [, name = ''] = /^(\[[\da-f:.]{2,45}\]|[a-z\d._-]{1,253})(?::\d{1,5})?$/.exec(host.toLowerCase()) ?? [];
    if (name === 'localhost' || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'))) return 'loopback';
    if (name !== '' && name === own) return 'public';
    return isIP(name.replaceAll(/[[\]]/g, '')) === 0 ? 'other' : 'address';
  };
}
