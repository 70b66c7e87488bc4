import type { ClusterAccess } from '../access.ts';
import { createAccess, type AccessEntry, type KubeconfigOptions } from './kubeconfig-access.ts';
import { type InvalidKubeconfig, type KubeconfigDocument, readKubeconfigDocument } from './kubeconfig-document.ts';

/**
 * The way into the cluster of one context (the current one where `context` is null).
 * A malformed file, or a context that does not exist, is `invalid`; credentials that do not work show later, in requests.
 */
export async function openKubeconfig(
  files: readonly string[],
  context: string | null,
  options: KubeconfigOptions,
): Promise<{ readonly type: 'ok'; readonly context: string; readonly access: ClusterAccess } | InvalidKubeconfig> {
  const read = await readEntry(files, context);
  if (read.type === 'invalid') return read;
  const { name } = read;
  const reload = async (): Promise<AccessEntry | null> => {
    const again = await readEntry(files, name);
    return again.type === 'ok' ? again.entry : null;
  };
  return { type: 'ok', context: name, access: createAccess({ entry: read.entry, reload, options }) };
}

async function readAll(
  files: readonly string[],
): Promise<{ type: 'ok'; documents: readonly KubeconfigDocument[] } | InvalidKubeconfig> {
  const documents: KubeconfigDocument[] = [];
  let invalid: InvalidKubeconfig = { type: 'invalid', message: 'no kubeconfig is named' };
  for (const file of files) {
    const read = await readKubeconfigDocument(file);
    if (read.type === 'ok') documents.push(read.document);
    else invalid = read;
  }
  return documents.length > 0 ? { type: 'ok', documents } : invalid;
}

function currentOf(documents: readonly KubeconfigDocument[]): string | null {
  return documents.find(({ currentContext }) => currentContext !== null)?.currentContext ?? null;
}

async function readEntry(
  files: readonly string[],
  wanted: string | null,
): Promise<{ type: 'ok'; name: string; entry: AccessEntry } | InvalidKubeconfig> {
  const read = await readAll(files);
  if (read.type === 'invalid') return read;
  const { documents } = read;
  const name = wanted ?? currentOf(documents) ?? onlyContext(documents);
  if (name === null) return { type: 'invalid', message: 'no context is named and none is current' };
  const context = documents.flatMap(({ contexts }) => contexts).find((each) => each.name === name);
  if (!context) return { type: 'invalid', message: `there is no context ${name}` };
  const cluster = documents.flatMap(({ clusters }) => clusters).find((each) => each.name === context.cluster);
  if (!cluster) return { type: 'invalid', message: `the cluster ${context.cluster} of context ${name} is missing` };
  const home = documents.find(({ users }) => users.some((each) => each.name === context.user));
  const user = home?.users.find((each) => each.name === context.user) ?? null;
  if (context.user !== null && user === null)
    return { type: 'invalid', message: `the user ${context.user} of context ${name} is missing` };
  const url = URL.parse(cluster.server);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return { type: 'invalid', message: `the server of cluster ${cluster.name} is not an http or https URL` };
  return { type: 'ok', name, entry: { cluster, user, folder: home?.folder ?? '' } };
}

function onlyContext(documents: readonly KubeconfigDocument[]): string | null {
  const contexts = documents.flatMap((document) => document.contexts);
  return contexts.length === 1 ? (contexts[0]?.name ?? null) : null;
}
