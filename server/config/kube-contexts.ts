import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseDocument } from 'yaml';
import { listAt, objectAt, textAt } from '#lib/foreign.ts';

/** One context of the default kubeconfig, as far as a person needs it to choose. */
export interface KubeContext {
  readonly name: string;
  /** The API server's URL, without user and password; null where the context names no cluster that exists. */
  readonly server: string | null;
  readonly current: boolean;
  /** The credential plugin that it runs; null where it needs none. */
  readonly execPlugin: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The files of the default kubeconfig as kubectl finds them: KUBECONFIG, else ~/.kube/config. */
export function defaultKubeconfigs(environment: Environment): readonly string[] {
  const listed = (environment['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  return listed.length > 0 ? listed : [join(environment['HOME'] ?? homedir(), '.kube', 'config')];
}

/** The contexts of kubeconfig files, in their order; the first file to name one wins, as in kubectl. Missing files are none. */
export async function listContexts(paths: readonly string[]): Promise<readonly KubeContext[]> {
  const files = await Promise.all(paths.map(readKubeconfig));
  const current = files.map((file) => textAt(file, 'current-context')).find((name) => name !== null && name !== '');
  const contexts = firstByName(files.flatMap((file) => listAt(file, 'contexts')));
  const clusters = firstByName(files.flatMap((file) => listAt(file, 'clusters')));
  const users = firstByName(files.flatMap((file) => listAt(file, 'users')));
  return [...contexts].map(([name, entry]) => {
    const server = textAt(clusters.get(textAt(entry, 'context', 'cluster') ?? ''), 'cluster', 'server');
    return {
      name,
      server: server === null ? null : withoutUserinfo(server),
      current: name === current,
      execPlugin: textAt(users.get(textAt(entry, 'context', 'user') ?? ''), 'user', 'exec', 'command'),
    };
  });
}

function firstByName(entries: readonly unknown[]): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const entry of entries) {
    const name = textAt(entry, 'name');
    if (name !== null && !found.has(name)) found.set(name, entry);
  }
  return found;
}

async function readKubeconfig(path: string): Promise<unknown> {
  try {
    const document = parseDocument(await readFile(path, 'utf8'));
    const content: unknown = document.errors.length > 0 ? null : document.toJS();
    return objectAt(content);
  } catch {
    return {};
  }
}

function withoutUserinfo(server: string): string {
  return server.replace(/\/\/[^/@]*@/, '//');
}
