import { readFile } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { Clock } from '#server/runtime/clock.ts';
import type { ClusterAccess, RequestHeaders } from '../access.ts';
import { type Failure, failure } from '../answer.ts';
import { createExecSource, type ExecCredential, type ExecSource } from './exec-plugin.ts';
import type { KubeconfigCluster, KubeconfigUser } from './kubeconfig-document.ts';
import { saying } from '../redact.ts';

/** A context with what it points to. `folder`: what a relative exec command is relative to. */
export interface AccessEntry {
  readonly cluster: KubeconfigCluster;
  readonly user: KubeconfigUser | null;
  readonly folder: string;
}

export interface KubeconfigOptions {
  readonly clock: Clock;
  /** Absolute paths of exec plugins that may run. */
  readonly allowedExecPlugins?: readonly string[];
  /** For a context of the default kubeconfig that a person chose by name: its plugin runs as with kubectl. */
  readonly allowExec?: boolean;
  /** Files that the kubeconfig names (certificates, token) must lie in this folder. Anywhere where absent. */
  readonly filesWithin?: string;
  /** ms that an exec plugin may take; default 30 s. */
  readonly execTimeout?: number;
}

export interface AccessDeps {
  readonly entry: AccessEntry;
  /** Reads the kubeconfig again after a 401; null where it is not to be read. */
  reload(): Promise<AccessEntry | null>;
  readonly options: KubeconfigOptions;
}

type Text = { readonly type: 'ok'; readonly text: string | null } | Failure;

/** client-go reads a token file anew each minute. */
const tokenKept = 60_000;

/** The access of one context. The server's URL is fixed; everything else is read anew after `refresh`. */
export function createAccess({ entry: first, reload, options }: AccessDeps): ClusterAccess {
  const files = createFileReader(options);
  const tokens = createTokens(options.clock, files);
  let entry = first;
  let reading: Promise<void> | null = null;
  let exec = execSource(first, options);

  /** The entry, and what its plugin gives; unless it needs what is not supported, or the plugin fails. */
  async function current(): Promise<{ type: 'ok'; entry: AccessEntry; credential: ExecCredential | null } | Failure> {
    await reading;
    const used = entry;
    const unsupported = unsupportedIn(used);
    if (unsupported) return unsupported;
    const run = await exec?.get();
    return run?.type === 'fault' ? run : { type: 'ok', entry: used, credential: run?.credential ?? null };
  }

  async function readAgain(): Promise<void> {
    const again = await reload();
    reading = null;
    if (again === null || JSON.stringify(again) === JSON.stringify(entry)) return;
    entry = again;
    exec = execSource(again, options);
  }

  return {
    server: first.cluster.server.replace(/\/$/, ''),
    async tls() {
      const now = await current();
      if (now.type === 'fault') return now;
      const { cluster, user } = now.entry;
      const [ca, cert, key] = await Promise.all([
        files.material(cluster.caData, cluster.caFile),
        files.material(user?.certData ?? null, user?.certFile ?? null),
        files.material(user?.keyData ?? null, user?.keyFile ?? null),
      ]);
      if (ca.type === 'fault') return ca;
      if (cert.type === 'fault') return cert;
      if (key.type === 'fault') return key;
      return {
        type: 'ok',
        tls: {
          ca: ca.text,
          cert: now.credential?.cert ?? cert.text,
          key: now.credential?.key ?? key.text,
          serverName: cluster.tlsServerName,
          insecure: cluster.insecure,
        },
      };
    },
    async headers() {
      const now = await current();
      if (now.type === 'fault') return now;
      const { user } = now.entry;
      if (user === null) return { type: 'ok', headers: {} };
      const read: Text = now.credential?.token ? { type: 'ok', text: now.credential.token } : await tokens.read(user);
      return read.type === 'fault' ? read : { type: 'ok', headers: headersOf(user, read.text) };
    },
    refresh() {
      reading ??= readAgain();
      tokens.forget();
      exec?.refresh();
    },
  };
}

function execSource({ user, cluster, folder }: AccessEntry, options: KubeconfigOptions): ExecSource | null {
  if (!user?.exec) return null;
  return createExecSource({
    plugin: { exec: user.exec, folder, cluster },
    policy: { allowed: options.allowedExecPlugins ?? [], any: options.allowExec ?? false },
    clock: options.clock,
    ...(options.execTimeout === undefined ? {} : { timeout: options.execTimeout }),
  });
}

type FileReader = ReturnType<typeof createFileReader>;

function createFileReader({ filesWithin }: KubeconfigOptions) {
  async function file(path: string): Promise<Text> {
    if (filesWithin !== undefined && !resolve(path).startsWith(resolve(filesWithin) + sep))
      return refused(`the file ${path} lies outside of the folder that kubeconfigs may name files in`);
    try {
      return { type: 'ok', text: await readFile(path, 'utf8') };
    } catch (error) {
      return refused(saying(error));
    }
  }

  return {
    file,
    /** Inline data (base64) wins over a file, as in client-go; null where there is neither. */
    async material(data: string | null, path: string | null): Promise<Text> {
      if (data !== null) return { type: 'ok', text: Buffer.from(data, 'base64').toString('utf8') };
      return path === null ? { type: 'ok', text: null } : file(path);
    },
  };
}

/** Bearer tokens: inline, or from a file that is read anew each minute. */
function createTokens(clock: Clock, { file }: FileReader) {
  let token: { readonly text: string; readonly until: number } | null = null;
  return {
    async read({ tokenFile, token: inline }: KubeconfigUser): Promise<Text> {
      if (tokenFile === null) return { type: 'ok', text: inline };
      if (token === null || clock.now() >= token.until) {
        const read = await file(tokenFile);
        // As client-go: a token file that is gone leaves the last one that was read.
        if (read.type === 'fault' && token === null) return inline === null ? read : { type: 'ok', text: inline };
        const text = read.type === 'ok' ? (read.text ?? '').trim() : '';
        if (text === '' && token === null) return refused(`the token file ${tokenFile} is empty`);
        token = { text: text || (token?.text ?? ''), until: clock.now() + tokenKept };
      }
      return { type: 'ok', text: token.text };
    },
    forget(): void {
      token = null;
    },
  };
}

function headersOf({ basic, impersonate }: KubeconfigUser, token: string | null): RequestHeaders {
  const encoded = basic === null ? null : Buffer.from(`${basic.username}:${basic.password}`).toString('base64');
  const authorization = token !== null ? `Bearer ${token}` : encoded !== null ? `Basic ${encoded}` : null;
  return {
    ...(authorization === null ? {} : { authorization }),
    ...(impersonate === null ? {} : { 'impersonate-user': impersonate.user }),
    ...(impersonate === null || impersonate.groups.length === 0 ? {} : { 'impersonate-group': impersonate.groups }),
  };
}

function unsupportedIn({ cluster, user }: Pick<AccessEntry, 'cluster' | 'user'>): Failure | null {
  if (cluster.proxyUrl) return failure({ type: 'protocol', message: 'proxy-url in a kubeconfig is not supported' });
  if (user?.authProvider) return refused(`the auth-provider ${user.authProvider} is not supported; an exec plugin is`);
  return null;
}

function refused(message: string): Failure {
  return failure({ type: 'credentials', message });
}
