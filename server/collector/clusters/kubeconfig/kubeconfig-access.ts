import { readFile } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { Clock } from '#server/runtime/clock.ts';
import type { ClusterAccess, RequestHeaders } from '../transport/access.ts';
import { type Failure, failure } from '../transport/answer.ts';
import { createExecSource, type ExecCredential, type ExecSource } from './exec-plugin.ts';
import type { KubeconfigCluster, KubeconfigUser } from './kubeconfig-document.ts';
import { saying } from '../redact.ts';

/** A context with what it points to. `folder`: what a relative exec command is relative to. */
export interface AccessEntry {
  readonly cluster: KubeconfigCluster;
  readonly user: KubeconfigUser | null;
  readonly folder: string;
}

export interface AccessDeps {
  readonly entry: AccessEntry;
  /** Reads the kubeconfig again after a 401; null where it is not to be read. */
  reload(): Promise<AccessEntry | null>;
  readonly options: {
    readonly clock: Clock;
    readonly allowedExecPlugins?: readonly string[];
    readonly allowExec?: boolean;
    readonly filesWithin?: string;
    readonly execTimeout?: number;
  };
}

type Text = { readonly type: 'ok'; readonly text: string | null } | Failure;

/** client-go reads a token file anew each minute. */
const tokenKept = 60_000;

/** The access of one context. The server's URL is fixed; everything else is read anew after `refresh`. */
export function createAccess({ entry: first, reload, options }: AccessDeps): ClusterAccess {
  const { clock } = options;
  let entry = first;
  let reading: Promise<void> | null = null;
  let exec = execSource(first);
  let token: { readonly text: string; readonly until: number } | null = null;

  function execSource({ user, cluster, folder }: AccessEntry): ExecSource | null {
    if (!user?.exec) return null;
    return createExecSource({
      plugin: { exec: user.exec, folder, cluster },
      policy: { allowed: options.allowedExecPlugins ?? [], any: options.allowExec ?? false },
      clock,
      ...(options.execTimeout === undefined ? {} : { timeout: options.execTimeout }),
    });
  }

  async function current(): Promise<AccessEntry> {
    await reading;
    return entry;
  }

  async function readAgain(): Promise<void> {
    const again = await reload();
    reading = null;
    if (again === null || JSON.stringify(again) === JSON.stringify(entry)) return;
    entry = again;
    exec = execSource(again);
  }

  async function file(path: string | null): Promise<Text> {
    if (path === null) return { type: 'ok', text: null };
    if (options.filesWithin !== undefined && !resolve(path).startsWith(resolve(options.filesWithin) + sep)) {
      return refused(`the file ${path} lies outside of the folder that kubeconfigs may name files in`);
    }
    try {
      return { type: 'ok', text: await readFile(path, 'utf8') };
    } catch (error) {
      return refused(saying(error));
    }
  }

  /** Inline data wins over a file, as in client-go. */
  function material(data: string | null, path: string | null): Promise<Text> {
    return data === null
      ? file(path)
      : Promise.resolve({ type: 'ok', text: Buffer.from(data, 'base64').toString('utf8') });
  }

  async function bearer({ tokenFile, token: inline }: KubeconfigUser): Promise<Text> {
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
  }

  async function plugin(): Promise<{ type: 'ok'; credential: ExecCredential | null } | Failure> {
    return exec === null ? { type: 'ok', credential: null } : exec.get();
  }

  return {
    server: first.cluster.server.replace(/\/$/, ''),
    async tls() {
      const { cluster, user } = await current();
      const unsupported = unsupportedIn({ cluster, user });
      if (unsupported) return unsupported;
      const run = await plugin();
      if (run.type === 'fault') return run;
      const [ca, cert, key] = await Promise.all([
        material(cluster.caData, cluster.caFile),
        material(user?.certData ?? null, user?.certFile ?? null),
        material(user?.keyData ?? null, user?.keyFile ?? null),
      ]);
      for (const read of [ca, cert, key]) if (read.type === 'fault') return read;
      if (ca.type === 'fault' || cert.type === 'fault' || key.type === 'fault') return refused('a file cannot be read');
      return {
        type: 'ok',
        tls: {
          ca: ca.text,
          cert: run.credential?.cert ?? cert.text,
          key: run.credential?.key ?? key.text,
          serverName: cluster.tlsServerName,
          insecure: cluster.insecure,
        },
      };
    },
    async headers() {
      const { cluster, user } = await current();
      const unsupported = unsupportedIn({ cluster, user });
      if (unsupported) return unsupported;
      if (user === null) return { type: 'ok', headers: {} };
      const run = await plugin();
      if (run.type === 'fault') return run;
      const read = run.credential?.token ? { type: 'ok' as const, text: run.credential.token } : await bearer(user);
      if (read.type === 'fault') return read;
      return { type: 'ok', headers: headersOf(user, read.text) };
    },
    refresh() {
      reading ??= readAgain();
      token = null;
      exec?.refresh();
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
