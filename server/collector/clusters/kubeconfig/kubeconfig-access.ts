import { isIP } from 'node:net';
import type { ExecAllowance } from '#server/config/exec-allowance.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { ClusterAccess, RequestHeaders, TlsMaterial } from '../access.ts';
import { type Failure, failure } from '../answer.ts';
import { redact } from '../redact.ts';
import { allowedRun, type ExecPolicy } from './exec-allowed.ts';
import { createExecSource, type ExecCredential, type ExecSource } from './exec-plugin.ts';
import type { KubeconfigCluster, KubeconfigUser } from './kubeconfig-document.ts';
import { createFileReader, createTokens, type FileReader, type NamedText } from './named-files.ts';
import { endOfCertificate, endOfToken, faultOfMaterial } from './tls-material.ts';

/** A context with what it points to. `folder`: what a relative exec command is relative to. */
export interface AccessEntry {
  readonly cluster: KubeconfigCluster;
  readonly user: KubeconfigUser | null;
  readonly folder: string;
}

export interface KubeconfigOptions {
  readonly clock: Clock;
  /** Exec plugins that may run. */
  readonly allowedExecPlugins?: readonly ExecAllowance[];
  /** For a context of the default kubeconfig that a person chose by name: its plugin runs as with kubectl. */
  readonly allowExec?: boolean;
  /** The folder in which the kubeconfig and the files that it names must really lie. Anywhere where absent. */
  readonly filesWithin?: string;
  /** Bytes that a kubeconfig may have; default 16 MB. */
  readonly largest?: number;
  /** Marks that it may have (`readYaml`); as many as any YAML where absent. */
  readonly marks?: number;
  /** ms that an exec plugin may take; default 30 s. */
  readonly execTimeout?: number;
}

export interface AccessDeps {
  readonly entry: AccessEntry;
  /** Reads the kubeconfig again after a 401; null where it is not to be read. */
  reload(): Promise<AccessEntry | null>;
  readonly options: KubeconfigOptions;
}

/** The way into a cluster that a kubeconfig names. */
export interface KubeconfigAccess extends ClusterAccess {
  /** Server, and the name that its certificate must bear: clusters that are one have them in common. */
  readonly endpoint: string;
  /** Weaknesses of the way into the cluster, a sentence each. */
  cautions(): readonly string[];
  /** Looks at all that it takes, files too, without asking the cluster and without running a plugin; null where it is sound. */
  examine(): Promise<Failure | null>;
}

/** The access of one context. The server's URL is fixed; everything else is read anew after `refresh`. */
export function createAccess({ entry: first, reload, options }: AccessDeps): KubeconfigAccess {
  const files = createFileReader(options.filesWithin ?? null);
  const tokens = createTokens(options.clock, files);
  const policy: ExecPolicy = { allowed: options.allowedExecPlugins ?? [], any: options.allowExec ?? false };
  let entry = first;
  let reading: Promise<void> | null = null;
  let exec = execSource(first, policy, options);
  let used: { readonly token: string | null; readonly cert: string | null } = { token: null, cert: null };

  /** The entry, and what its plugin gives; unless it needs what is not supported, or the plugin fails. */
  async function current(): Promise<{ type: 'ok'; entry: AccessEntry; credential: ExecCredential | null } | Failure> {
    await reading;
    const now = entry;
    const unsupported = unsupportedIn(now);
    if (unsupported) return unsupported;
    const run = await exec?.get();
    return run?.type === 'fault' ? run : { type: 'ok', entry: now, credential: run?.credential ?? null };
  }

  async function readAgain(): Promise<void> {
    const again = await reload();
    reading = null;
    if (again === null || JSON.stringify(again) === JSON.stringify(entry)) return;
    // What is for another server is not sent to this one.
    if (serverOf(again) !== serverOf(first)) return;
    entry = again;
    exec = execSource(again, policy, options);
  }

  return {
    server: serverOf(first),
    endpoint: `${serverOf(first)} ${first.cluster.tlsServerName ?? ''}`,
    async tls() {
      const now = await current();
      if (now.type === 'fault') return now;
      const read = await tlsOf(now.entry, now.credential, files);
      if (read.type === 'ok') used = { ...used, cert: read.tls.cert };
      return read;
    },
    async headers() {
      const now = await current();
      if (now.type === 'fault') return now;
      const { user } = now.entry;
      if (user === null) return { type: 'ok', headers: {} };
      const read: NamedText = now.credential?.token
        ? { type: 'ok', text: now.credential.token }
        : await tokens.read(user);
      if (read.type === 'fault') return read;
      used = { ...used, token: read.text };
      return headersOf(user, read.text);
    },
    refresh() {
      reading ??= readAgain();
      tokens.forget();
      exec?.refresh();
    },
    unaccepted: () => whyUnaccepted(entry, used, options.clock.now()),
    cautions: () => cautionsOf(entry),
    async examine() {
      const unsupported = unsupportedIn(entry);
      if (unsupported) return unsupported;
      if (entry.user?.exec) {
        const run = allowedRun(entry.user.exec, entry.folder, policy);
        if (run.type === 'fault') return run;
      }
      const read = await tlsOf(entry, null, files);
      if (read.type === 'fault') return read;
      if (entry.user === null || entry.user.exec !== null) return null;
      const token = await tokens.read(entry.user);
      if (token.type === 'fault') return token;
      const headers = headersOf(entry.user, token.text);
      return headers.type === 'fault' ? headers : null;
    },
  };
}

function serverOf({ cluster }: AccessEntry): string {
  return cluster.server.replace(/\/$/, '');
}

function execSource({ user, cluster, folder }: AccessEntry, policy: ExecPolicy, options: KubeconfigOptions) {
  if (!user?.exec) return null;
  return createExecSource({
    plugin: { exec: user.exec, folder, cluster },
    policy,
    clock: options.clock,
    ...(options.execTimeout === undefined ? {} : { timeout: options.execTimeout }),
  }) satisfies ExecSource;
}

async function tlsOf(
  { cluster, user }: AccessEntry,
  credential: ExecCredential | null,
  files: FileReader,
): Promise<{ readonly type: 'ok'; readonly tls: TlsMaterial } | Failure> {
  const [ca, cert, key] = await Promise.all([
    files.material('certificate-authority', cluster.caData, cluster.caFile),
    files.material('client-certificate', user?.certData ?? null, user?.certFile ?? null),
    files.material('client-key', user?.keyData ?? null, user?.keyFile ?? null),
  ]);
  if (ca.type === 'fault') return ca;
  if (cert.type === 'fault') return cert;
  if (key.type === 'fault') return key;
  const tls: TlsMaterial = {
    ca: ca.text,
    cert: credential?.cert ?? cert.text,
    key: credential?.key ?? key.text,
    serverName: cluster.tlsServerName,
    insecure: cluster.insecure,
  };
  return faultOfMaterial(tls) ?? { type: 'ok', tls };
}

/** Text that a header can carry, and that every server reads alike. */
const visible = /^[\x20-\x7e]*$/;

function headersOf(
  { basic, impersonate }: KubeconfigUser,
  token: string | null,
): { readonly type: 'ok'; readonly headers: RequestHeaders } | Failure {
  if (token !== null && (token.includes(' ') || !visible.test(token)))
    return refused('token: it is none; a token is one word of visible ASCII');
  if (impersonate !== null && ![impersonate.user, ...impersonate.groups].every((each) => visible.test(each)))
    return refused('as, as-groups: only visible ASCII is supported');
  const encoded = basic === null ? null : Buffer.from(`${basic.username}:${basic.password}`).toString('base64');
  const authorization = token !== null ? `Bearer ${token}` : encoded !== null ? `Basic ${encoded}` : null;
  const headers = {
    ...(authorization === null ? {} : { authorization }),
    ...(impersonate === null ? {} : { 'impersonate-user': impersonate.user }),
    ...(impersonate === null || impersonate.groups.length === 0 ? {} : { 'impersonate-group': impersonate.groups }),
  };
  return { type: 'ok', headers };
}

function unsupportedIn({ cluster, user }: Pick<AccessEntry, 'cluster' | 'user'>): Failure | null {
  if (cluster.proxyUrl) return failure({ type: 'protocol', message: 'proxy-url in a kubeconfig is not supported' });
  if (cluster.tlsServerName !== null && isIP(cluster.tlsServerName) !== 0)
    return refused('tls-server-name: it is an IP address; write a name that the certificate of the server bears');
  if (user?.authProvider)
    return refused(`the auth-provider ${redact(user.authProvider)} is not supported; an exec plugin is`);
  if (isPlain(cluster) && user !== null && hasCredentials(user))
    return refused('server: it is http://, and no credentials are sent over that; write https://');
  return null;
}

function isPlain({ server }: KubeconfigCluster): boolean {
  return URL.parse(server)?.protocol === 'http:';
}

function hasCredentials({ token, tokenFile, basic, exec, certData, certFile }: KubeconfigUser): boolean {
  return [token, tokenFile, basic, exec, certData, certFile].some((each) => each !== null);
}

function cautionsOf(entry: AccessEntry): readonly string[] {
  const { cluster } = entry;
  // It is not read at all.
  if (unsupportedIn(entry) !== null) return [];
  if (isPlain(cluster)) return ['It is read over http:// without encryption: what is said of it may be anybody’s.'];
  if (!cluster.insecure) return [];
  return [
    'Its certificate is not verified (insecure-skip-tls-verify): whoever is in between can read its credentials and say what they like.',
  ];
}

/** Why the cluster may have refused the credentials, as far as they themselves tell; null where they do not. */
function whyUnaccepted(
  { user }: AccessEntry,
  { token, cert }: { readonly token: string | null; readonly cert: string | null },
  now: number,
): string | null {
  if (user === null || !hasCredentials(user)) return 'the kubeconfig names none for this context';
  const [tokenEnd, certEnd] = [token === null ? null : endOfToken(token), endOfCertificate(cert)];
  if (tokenEnd !== null && tokenEnd <= now) return `the token expired at ${new Date(tokenEnd).toISOString()}`;
  if (certEnd !== null && certEnd <= now) return `the client certificate expired at ${new Date(certEnd).toISOString()}`;
  return null;
}

function refused(message: string): Failure {
  return failure({ type: 'credentials', message });
}
