import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type ForeignObject, listAt, objectAt, textAt } from '#lib/foreign.ts';
import { readBoundedFile } from '#server/runtime/bounded-file.ts';
import { problemLine } from './problem.ts';
import { readYaml } from './yaml-text.ts';

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
  const read = await Promise.all(paths.map(readKubeconfig));
  const files = read.map((each) => (each.type === 'ok' ? each.content : {}));
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

/** One line for each kubeconfig that is there and cannot be read, with its place: its contexts are in no list. */
export async function brokenKubeconfigs(paths: readonly string[]): Promise<readonly string[]> {
  const read = await Promise.all(paths.map(readKubeconfig));
  return read.flatMap((each) => (each.type === 'broken' ? [each.line] : []));
}

/** Bytes; as large as any kubeconfig that the collector reads. */
const largestKubeconfig = 16_000_000;

async function readKubeconfig(
  path: string,
): Promise<
  { readonly type: 'ok'; readonly content: ForeignObject } | { readonly type: 'broken'; readonly line: string }
> {
  const read = await readBoundedFile(path, { most: largestKubeconfig });
  if (read.type === 'unreadable')
    return read.code === 'missing' ? { type: 'ok', content: {} } : { type: 'broken', line: `${path} ${read.why}` };
  const yaml = readYaml(read.text);
  if (yaml.type === 'ok') return { type: 'ok', content: objectAt(yaml.content) };
  const { message, position } = yaml;
  return {
    type: 'broken',
    line: problemLine(path, { message, line: position?.line ?? null, column: position?.column ?? null }),
  };
}

function withoutUserinfo(server: string): string {
  return server.replace(/\/\/[^/@]*@/, '//');
}
