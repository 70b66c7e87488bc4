import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { at, type ForeignObject, isForeignObject, listAt, objectAt, textAt, textsAt } from '#lib/foreign.ts';
import { saying } from '../redact.ts';

/** One entry of `clusters`, file paths resolved against the kubeconfig's folder. */
export interface KubeconfigCluster {
  readonly name: string;
  readonly server: string;
  readonly caData: string | null;
  readonly caFile: string | null;
  readonly insecure: boolean;
  readonly tlsServerName: string | null;
  readonly proxyUrl: string | null;
}

/** One entry of `users`, file paths resolved; `exec` and what client-node leaves out as it stands in the file. */
export interface KubeconfigUser {
  readonly name: string;
  readonly certData: string | null;
  readonly certFile: string | null;
  readonly keyData: string | null;
  readonly keyFile: string | null;
  readonly token: string | null;
  readonly tokenFile: string | null;
  readonly basic: { readonly username: string; readonly password: string } | null;
  readonly exec: ForeignObject | null;
  readonly authProvider: string | null;
  readonly impersonate: { readonly user: string; readonly groups: readonly string[] } | null;
}

/** A context: which user at which cluster. `user` is null for none. */
interface KubeconfigContext {
  readonly name: string;
  readonly cluster: string;
  readonly user: string | null;
}

/** One kubeconfig file, read. */
export interface KubeconfigDocument {
  readonly folder: string;
  readonly currentContext: string | null;
  readonly contexts: readonly KubeconfigContext[];
  readonly clusters: readonly KubeconfigCluster[];
  readonly users: readonly KubeconfigUser[];
}

export interface InvalidKubeconfig {
  readonly type: 'invalid';
  /** One line, without anything secret. */
  readonly message: string;
}

/** Reads one kubeconfig file; anything wrong with it (missing, no YAML, incomplete entries) is `invalid`. */
export async function readKubeconfigDocument(
  file: string,
): Promise<{ readonly type: 'ok'; readonly document: KubeconfigDocument } | InvalidKubeconfig> {
  try {
    return await parseDocument(await readFile(file, 'utf8'), dirname(resolve(file)));
  } catch (error) {
    return { type: 'invalid', message: saying(error) };
  }
}

/** Reads the text of a kubeconfig; `folder` is what its relative paths are relative to. Throws where client-node does. */
async function parseDocument(
  text: string,
  folder: string,
): Promise<{ type: 'ok'; document: KubeconfigDocument } | InvalidKubeconfig> {
  const [{ KubeConfig }, { parseDocument: parseYaml }] = await Promise.all([
    import('@kubernetes/client-node'),
    import('yaml'),
  ]);
  const yaml = parseYaml(text);
  const [problem] = yaml.errors;
  // Only the first line: the rest of the message quotes the file.
  if (problem) return { type: 'invalid', message: saying(problem.message.split('\n')[0]) };
  const raw: unknown = yaml.toJS();
  if (!isForeignObject(raw)) return { type: 'invalid', message: 'the file is empty or no kubeconfig' };
  const config = new KubeConfig();
  // client-node would read a token file while it parses, from the wrong folder and only once.
  config.loadFromString(JSON.stringify(raw, (key, value: unknown) => (key === 'token-file' ? undefined : value)));
  config.makePathsAbsolute(folder);
  if (config.getContexts().length === 0) return { type: 'invalid', message: 'the file has no contexts' };
  const users = new Map(listAt(raw, 'users').map((entry) => [textAt(entry, 'name'), objectAt(entry, 'user')]));
  return {
    type: 'ok',
    document: {
      folder,
      currentContext: textAt(raw, 'current-context') || null,
      contexts: config.getContexts().map(({ name, cluster, user }) => ({ name, cluster, user: user || null })),
      clusters: config.getClusters().map((cluster) => ({
        name: cluster.name,
        server: cluster.server,
        caData: cluster.caData ?? null,
        caFile: cluster.caFile ?? null,
        insecure: cluster.skipTLSVerify,
        tlsServerName: cluster.tlsServerName ?? null,
        proxyUrl: cluster.proxyUrl ?? null,
      })),
      users: config.getUsers().map((user) => {
        const own = users.get(user.name) ?? {};
        const tokenFile = textAt(own, 'tokenFile');
        const exec = at(own, 'exec');
        const impersonated = textAt(own, 'as');
        return {
          name: user.name,
          certData: user.certData ?? null,
          certFile: user.certFile ?? null,
          keyData: user.keyData ?? null,
          keyFile: user.keyFile ?? null,
          token: user.token?.trim() || null,
          tokenFile: tokenFile === null ? null : resolve(folder, tokenFile),
          basic: user.username ? { username: user.username, password: user.password ?? '' } : null,
          exec: isForeignObject(exec) ? exec : null,
          authProvider: textAt(own, 'auth-provider', 'name'),
          impersonate: impersonated === null ? null : { user: impersonated, groups: textsAt(own, 'as-groups') },
        };
      }),
    },
  };
}
