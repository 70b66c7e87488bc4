import { lookup } from 'node:dns/promises';
import { quotedWord } from '#lib/format/shell-word.ts';
import type { RepositoryAccess } from '#server/config/git/repository-schema.ts';
import { readBoundedFile } from '#server/runtime/bounded-file.ts';
import type { Address } from '../addresses/address.ts';
import { isPublicAddress } from '../addresses/public-address.ts';

/** Environment of one run of git, with its settings; never kept. */
export type FetchWay = Readonly<Record<string, string>>;

/** The ways of git to a repository, to be tried in order. */
export type FetchPlan =
  | { readonly type: 'plan'; readonly url: string; readonly ways: readonly [FetchWay, ...FetchWay[]] }
  | { readonly type: 'refused'; readonly reason: string };

/** Asks for all addresses of a host. Rejects where it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Asks the system. */
export const systemResolve: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

const longestToken = 16_384;
/** Of one host. */
const mostAddresses = 4;

/** Variables of ours by which git finds its way to a configured repository: proxies, and whom to trust. */
const ofConfigured = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY', 'SSL_CERT_FILE', 'SSL_CERT_DIR'] as const;

/** The way to a repository that plumbline.yaml names. Files of credentials are read anew each time: they rotate. */
export async function configuredPlan(
  address: Extract<Address, { type: 'address' }>,
  access: RepositoryAccess,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<FetchPlan> {
  const { url, protocol } = address;
  const inherited = Object.entries(environment).filter(([name]) =>
    ofConfigured.some((one) => one === name.toUpperCase()),
  );
  const ours = Object.fromEntries(
    inherited.flatMap(([name, value]) => (value === undefined ? [] : [[trustOf(name), value]])),
  );
  switch (protocol) {
    case 'file':
      return { type: 'plan', url, ways: [{ GIT_ALLOW_PROTOCOL: 'file' }] };
    case 'ssh':
      return sshPlan(url, access);
    case 'http':
    case 'https': {
      if (access.token === null) return { type: 'plan', url, ways: [{ ...ours, ...httpEnv(protocol, []) }] };
      if (protocol === 'http')
        return { type: 'refused', reason: 'Its token would go over http, for all on the way to read.' };
      const read = await readBoundedFile(access.token, { most: longestToken });
      if (read.type === 'unreadable') return { type: 'refused', reason: `Its token ${read.why}.` };
      const token = read.text.trim();
      if (token === '' || /[\r\n]/.test(token)) return { type: 'refused', reason: 'Its token is not one line.' };
      const basic = Buffer.from(`${access.user ?? 'git'}:${token}`).toString('base64');
      return {
        type: 'plan',
        url,
        ways: [{ ...ours, ...httpEnv(protocol, [['http.extraHeader', `Authorization: Basic ${basic}`]]) }],
      };
    }
  }
}

/** git takes no notice of the names by which all others are told whom to trust. */
function trustOf(name: string): string {
  if (name.toUpperCase() === 'SSL_CERT_FILE') return 'GIT_SSL_CAINFO';
  return name.toUpperCase() === 'SSL_CERT_DIR' ? 'GIT_SSL_CAPATH' : name;
}

/** Parts of a file's name that ssh takes for something else, some of them in some versions: its own quotes, tokens and variables. */
const readOtherwise = /["\\%\p{Cc}]|\$\{/u;

function sshPlan(url: string, { key, knownHosts }: RepositoryAccess): FetchPlan {
  if (key === null)
    return { type: 'refused', reason: 'It is fetched by ssh, which needs `key`, a file with a deploy key.' };
  if (knownHosts === null)
    return {
      type: 'refused',
      reason: 'It is fetched by ssh, which needs `knownHosts`, a file with the keys of its host.',
    };
  if ([key, knownHosts].some((file) => readOtherwise.test(file)))
    return {
      type: 'refused',
      reason: 'It is fetched by ssh, which reads the name of a file with a quote, a backslash, a % or a ${ otherwise.',
    };
  const options = [
    ['BatchMode', 'yes'],
    ['IdentitiesOnly', 'yes'],
    ['StrictHostKeyChecking', 'yes'],
    ['PasswordAuthentication', 'no'],
    ['ConnectTimeout', '15'],
    ['ServerAliveInterval', '10'],
    ['ServerAliveCountMax', '3'],
    ['UserKnownHostsFile', `"${knownHosts}"`],
    ['GlobalKnownHostsFile', '/dev/null'],
  ].flatMap(([name, value]) => ['-o', quotedWord(`${name}=${value}`)]);
  const command = ['ssh', '-F', '/dev/null', '-i', quotedWord(key), ...options].join(' ');
  return { type: 'plan', url, ways: [{ GIT_ALLOW_PROTOCOL: 'ssh', GIT_SSH_COMMAND: command, GIT_SSH_VARIANT: 'ssh' }] };
}

/**
 * The way to a repository that a cluster names: every address of its host is of the public network, git connects to those that were looked at
 * (whatever the name leads to by then), and follows no redirect.
 */
export async function foundPlan(
  { url, host, port }: Extract<Address, { type: 'address' }>,
  resolve: Resolve,
): Promise<FetchPlan> {
  if (host === null) return { type: 'refused', reason: 'It has no host.' };
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length === 0) return { type: 'refused', reason: 'The name of its host cannot be resolved.' };
  if (!addresses.every(isPublicAddress))
    return {
      type: 'refused',
      reason:
        'It was found on a cluster, and its host leads into a private network: name it under repositories in plumbline.yaml.',
    };
  const pinned = (address: string): FetchWay =>
    httpEnv('https', [
      ['http.curloptResolve', `${host}:${port ?? 443}:${address.includes(':') ? `[${address}]` : address}`],
    ]);
  const [first = '', ...others] = addresses;
  return { type: 'plan', url, ways: [pinned(first), ...others.slice(0, mostAddresses - 1).map(pinned)] };
}

/** Settings of git over http, by its environment: none of them stands in a list of processes or in a file. */
function httpEnv(protocol: string, more: readonly (readonly [string, string])[]): FetchWay {
  const settings: readonly (readonly [string, string])[] = [
    ['http.followRedirects', 'false'],
    ['http.lowSpeedLimit', '100'],
    ['http.lowSpeedTime', '60'],
    ['credential.helper', ''],
    // Nobody is shown who we are for the asking (Negotiate).
    ['http.emptyAuth', 'false'],
    ...more,
  ];
  return {
    GIT_ALLOW_PROTOCOL: protocol,
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}
