import { redacted } from '#lib/domain/observation/redaction/span.ts';
import { parseRepositoryUrl } from '#lib/git-host/repository-url.ts';

/** A repository that may be fetched, as git takes its address, or a sentence that says why it may not be. */
export type Address =
  | {
      readonly type: 'address';
      /** Without user information where it came from a cluster. */
      readonly url: string;
      readonly protocol: 'https' | 'http' | 'ssh' | 'file';
      /** null of a folder. */
      readonly host: string | null;
      readonly port: number | null;
    }
  | { readonly type: 'refused'; readonly reason: string };

const longestAddress = 2_048;
/** Anything that ends a line, that nobody sees, that git takes for an option, or behind which git finds another host than we do. */
const odd = /^-|[\s\\\p{Cc}\p{Cf}]/u;
const scp = /^(?:[A-Za-z0-9._-]+@)?(?<host>[A-Za-z0-9][A-Za-z0-9.-]*):(?!\/\/)[^-\s][^\s]*$/;
const ports: Readonly<Record<string, number>> = { https: 443, http: 80, ssh: 22 };

function refused(reason: string): Address {
  return { type: 'refused', reason };
}

/**
 * Address of a repository that plumbline.yaml names: https, http, ssh (also as git@host:path), or a folder (file:// or absolute). git's other
 * transports run programs and are refused.
 */
export function configuredAddress(url: string): Address {
  if (url.length > longestAddress || odd.test(url)) return refused('Its address is none that git may be given.');
  if (url.startsWith('/')) return { type: 'address', url, protocol: 'file', host: null, port: null };
  if (/^file:\/\//i.test(url)) return { type: 'address', url, protocol: 'file', host: null, port: null };
  if (parseRepositoryUrl(url) === null || /^[a-z+]+:\/\/\//i.test(url))
    return refused('It can be fetched by https, ssh, or from a folder.');
  const scheme = /^(?:git\+)?(https|http|ssh):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme === 'https' || scheme === 'http' || scheme === 'ssh') {
    const parsed = URL.parse(url.replace(/^git\+/i, '').replace(/^[a-z]+:/i, 'https:'));
    if (parsed?.password)
      return refused(
        'Its address holds a password, which every list of processes shows: put it into a file, as token.',
      );
    // A host that begins with a dash is an option of ssh, and so is a user before it.
    if (parsed === null || parsed.hostname === '' || /^(?:-|%2d)/i.test(parsed.username || parsed.hostname))
      return refused('Its address has no host.');
    const port = parsed.port === '' ? (ports[scheme] ?? null) : Number(parsed.port);
    return { type: 'address', url: url.replace(/^git\+/i, ''), protocol: scheme, host: parsed.hostname, port };
  }
  const host = scp.exec(url)?.groups?.['host'];
  if (host !== undefined && !url.includes('://') && !url.includes('::'))
    return { type: 'address', url, protocol: 'ssh', host: host.toLowerCase(), port: 22 };
  return refused('It can be fetched by https, ssh, or from a folder.');
}

/**
 * Address of a repository that an object on a cluster names, which anybody there may have written: https to a host with a name, nothing else.
 * No credentials of ours go there; what else it takes is to be configured.
 */
export function foundAddress(url: string): Address {
  if (url.length > longestAddress || odd.test(url)) return refused('Its address is none that git may be given.');
  if (url.includes(redacted))
    return refused(
      'It was found on a cluster, and its address holds what looks like a secret, which is not kept: name it under repositories in plumbline.yaml.',
    );
  const parsed = /^https:\/\//i.test(url) ? URL.parse(url) : null;
  if (parsed === null)
    return refused(
      'It was found on a cluster, and is not fetched by https: name it under repositories in plumbline.yaml.',
    );
  const host = parsed.hostname.toLowerCase();
  // A name without a dot is one of the local network, and the last label of an IP address is a number.
  if (
    !/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*$/.test(host) ||
    /\.(?:local|localhost|internal|arpa)$/.test(host)
  )
    return refused(
      'It was found on a cluster, and its host is no public name: name it under repositories in plumbline.yaml.',
    );
  const port = parsed.port === '' ? 443 : Number(parsed.port);
  return { type: 'address', url: `https://${parsed.host}${parsed.pathname}`, protocol: 'https', host, port };
}
