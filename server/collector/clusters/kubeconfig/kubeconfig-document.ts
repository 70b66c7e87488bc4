import { basename, dirname, resolve } from 'node:path';
import { at, type ForeignObject, isForeignObject, listAt, objectAt, textAt, textsAt } from '#lib/foreign.ts';
import { problemLine } from '#server/config/problem.ts';
import { yamlPositions } from '#server/config/yaml-position.ts';
import { readYaml } from '#server/config/yaml-text.ts';
import { readBoundedFile } from '#server/runtime/bounded-file.ts';
import { redact, saying } from '../redact.ts';
import { pathText, wrongField } from './kubeconfig-fields.ts';

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

/** Where a kubeconfig may lie, and how large it may be. */
export interface KubeconfigBounds {
  /** The folder in which it must really lie; null for anywhere. */
  readonly within: string | null;
  /** Bytes. */
  readonly most: number;
  /** Marks (`readYaml`); as many as any YAML where absent. */
  readonly marks?: number;
}

/** Bytes: a kubeconfig with the certificates of a thousand clusters takes some 8 MB. */
export const largestKubeconfig = 16_000_000;

/** Reads one kubeconfig file; anything wrong with it (missing, no YAML, incomplete entries) is `invalid`. */
export async function readKubeconfigDocument(
  file: string,
  bounds: KubeconfigBounds,
): Promise<{ readonly type: 'ok'; readonly document: KubeconfigDocument } | InvalidKubeconfig> {
  const read = await readBoundedFile(file, bounds);
  if (read.type === 'unreadable') return { type: 'invalid', message: `${redact(file)} ${read.why}` };
  const yaml = readYaml(read.text, bounds.marks);
  const name = basename(file);
  if (yaml.type === 'invalid') {
    const problem = { message: yaml.message, line: yaml.position?.line ?? null, column: yaml.position?.column ?? null };
    return { type: 'invalid', message: redact(problemLine(name, problem)) };
  }
  if (!isForeignObject(yaml.content))
    return { type: 'invalid', message: redact(`${name}: it is empty or no kubeconfig`) };
  const wrong = wrongField(yaml.content);
  if (wrong !== null) {
    const place = yamlPositions(yaml.document, yaml.lines).value(wrong.path);
    const message = `${pathText(wrong.path)} ${wrong.message}`;
    const problem = { message, line: place?.line ?? null, column: place?.column ?? null };
    return { type: 'invalid', message: redact(problemLine(name, problem)) };
  }
  try {
    const document = await documentOf(yaml.content, dirname(resolve(file)), bounds.most);
    const { length } = document.contexts;
    return length > 0 ? { type: 'ok', document } : { type: 'invalid', message: redact(`${name}: it has no contexts`) };
  } catch (error) {
    return { type: 'invalid', message: `${redact(name)}: ${saying(error)}` };
  }
}

/**
 * Reads the content of a kubeconfig; `folder` is what its relative paths are relative to. Throws where client-node does, and where
 * aliases make much more of it than the `most` bytes of its file.
 */
async function documentOf(raw: ForeignObject, folder: string, most: number): Promise<KubeconfigDocument> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  // client-node would read a token file while it parses, from the wrong folder and only once.
  const text = JSON.stringify(raw, (key, value: unknown) => (key === 'token-file' ? undefined : value));
  if (text.length > most * 2) throw new Error('its aliases (*name) stand for too much');
  config.loadFromString(text);
  config.makePathsAbsolute(folder);
  const users = new Map(listAt(raw, 'users').map((entry) => [textAt(entry, 'name'), objectAt(entry, 'user')]));
  return {
    folder,
    currentContext: textAt(raw, 'current-context') || null,
    contexts: config.getContexts().map(({ name, cluster, user }) => ({ name, cluster, user: user || null })),
    clusters: config.getClusters().map((cluster) => ({
      name: cluster.name,
      server: cluster.server,
      caData: cluster.caData || null,
      caFile: cluster.caFile || null,
      insecure: cluster.skipTLSVerify,
      tlsServerName: cluster.tlsServerName || null,
      proxyUrl: cluster.proxyUrl ?? null,
    })),
    users: config.getUsers().map((user) => {
      const own = users.get(user.name) ?? {};
      const tokenFile = textAt(own, 'tokenFile');
      const exec = at(own, 'exec');
      const impersonated = textAt(own, 'as');
      return {
        name: user.name,
        certData: user.certData || null,
        certFile: user.certFile || null,
        keyData: user.keyData || null,
        keyFile: user.keyFile || null,
        token: user.token?.trim() || null,
        tokenFile: tokenFile ? resolve(folder, tokenFile) : null,
        basic: user.username ? { username: user.username, password: user.password ?? '' } : null,
        exec: isForeignObject(exec) ? exec : null,
        authProvider: textAt(own, 'auth-provider', 'name'),
        impersonate: impersonated === null ? null : { user: impersonated, groups: textsAt(own, 'as-groups') },
      };
    }),
  };
}
