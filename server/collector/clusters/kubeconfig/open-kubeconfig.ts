import { redact } from '../redact.ts';
import { createAccess, type AccessEntry, type KubeconfigAccess, type KubeconfigOptions } from './kubeconfig-access.ts';
import {
  type InvalidKubeconfig,
  type KubeconfigBounds,
  type KubeconfigDocument,
  largestKubeconfig,
  readKubeconfigDocument,
} from './kubeconfig-document.ts';

/**
 * The way into the cluster of one context (the current one where `context` is null).
 * A malformed file, or a context that does not exist, is `invalid`; credentials that do not work show later, in requests.
 */
export async function openKubeconfig(
  files: readonly string[],
  context: string | null,
  options: KubeconfigOptions,
): Promise<{ readonly type: 'ok'; readonly context: string; readonly access: KubeconfigAccess } | InvalidKubeconfig> {
  const bounds = {
    within: options.filesWithin ?? null,
    most: options.largest ?? largestKubeconfig,
    ...(options.marks === undefined ? {} : { marks: options.marks }),
  };
  const read = await readEntry(files, context, bounds);
  if (read.type === 'invalid') return read;
  const { name } = read;
  const reload = async (): Promise<AccessEntry | null> => {
    const again = await readEntry(files, name, bounds);
    return again.type === 'ok' ? again.entry : null;
  };
  return { type: 'ok', context: name, access: createAccess({ entry: read.entry, reload, options }) };
}

async function readAll(
  files: readonly string[],
  bounds: KubeconfigBounds,
): Promise<{ type: 'ok'; documents: readonly KubeconfigDocument[] } | InvalidKubeconfig> {
  const documents: KubeconfigDocument[] = [];
  let invalid: InvalidKubeconfig = { type: 'invalid', message: 'no kubeconfig is named' };
  for (const file of files) {
    const read = await readKubeconfigDocument(file, bounds);
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
  bounds: KubeconfigBounds,
): Promise<{ type: 'ok'; name: string; entry: AccessEntry } | InvalidKubeconfig> {
  const read = await readAll(files, bounds);
  if (read.type === 'invalid') return read;
  const { documents } = read;
  const name = wanted ?? currentOf(documents) ?? onlyContext(documents);
  const contexts = documents.flatMap((document) => document.contexts);
  if (name === null) return invalid(`no context is named and none is current; there are ${namesOf(contexts)}`);
  const context = contexts.find((each) => each.name === name);
  if (!context) return invalid(`there is no context ${name}; there are ${namesOf(contexts)}`);
  const cluster = documents.flatMap(({ clusters }) => clusters).find((each) => each.name === context.cluster);
  if (!cluster) return invalid(`the cluster ${context.cluster} of context ${name} is missing`);
  const home = documents.find(({ users }) => users.some((each) => each.name === context.user));
  const user = home?.users.find((each) => each.name === context.user) ?? null;
  if (context.user !== null && user === null) return invalid(`the user ${context.user} of context ${name} is missing`);
  const url = URL.parse(cluster.server);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return invalid(`the server of cluster ${cluster.name} is not an http or https URL`);
  return { type: 'ok', name, entry: { cluster, user, folder: home?.folder ?? '' } };
}

function onlyContext(documents: readonly KubeconfigDocument[]): string | null {
  const contexts = documents.flatMap((document) => document.contexts);
  return contexts.length === 1 ? (contexts[0]?.name ?? null) : null;
}

const contextsNamed = 5;

/** "a, b and 3 more" */
function namesOf(contexts: readonly { readonly name: string }[]): string {
  const names = contexts.slice(0, contextsNamed).map(({ name }) => name);
  const more = contexts.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function invalid(message: string): InvalidKubeconfig {
  return { type: 'invalid', message: redact(message) };
}
