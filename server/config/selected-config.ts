import { loadConfig, type LoadedConfig, type NamedFiles, parseConfig } from './load-config.ts';
import type { Selection } from './process-settings.ts';
import type { ClusterEntry } from './schema.ts';

/** The configuration behind a selection: the file, or the defaults with one cluster per chosen context, each believed about the others. */
export async function selectedConfig(
  selection: Selection,
  namedFiles: NamedFiles = 'must-exist',
): Promise<LoadedConfig> {
  switch (selection.type) {
    case 'file':
      return loadConfig(selection.path, namedFiles);
    case 'contexts': {
      const loaded = parseConfig('', '/');
      if (loaded.type === 'invalid') return loaded;
      const { config } = loaded;
      const security = { ...config.security, hubs: 'chosen' as const };
      return { type: 'ok', config: { ...config, security, clusters: clustersOfContexts(selection.names) } };
    }
  }
}

/** One cluster per context of the default kubeconfig. A context that was chosen by name may run its exec plugin, as in kubectl. */
export function clustersOfContexts(names: readonly string[]): readonly ClusterEntry[] {
  const taken = new Set<string>();
  return names.map((context) => {
    const name = freeName(clusterNameOf(context), taken);
    taken.add(name);
    return { type: 'cluster', name, kubeconfig: null, context, labels: {}, execPlugin: 'as-kubectl' };
  });
}

/**
 * A cluster's name from a context's: contexts may hold slashes (arn:aws:eks:eu-west-3:1234:cluster/checkout),
 * names may not. The last part is what people call it.
 */
export function clusterNameOf(context: string): string {
  const last = context.split('/').findLast((part) => part !== '') ?? context;
  const name = last.replace(/[^A-Za-z0-9._:@-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return name === '' ? 'cluster' : name.slice(0, 200);
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) {
    if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
  }
}
