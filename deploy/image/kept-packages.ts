/** One package of package-lock.json, by the folder in which it lies. */
export interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dependencies?: { readonly [name: string]: string };
  readonly peerDependencies?: { readonly [name: string]: string };
  readonly peerDependenciesMeta?: { readonly [name: string]: { readonly optional?: boolean } };
}

/** `packages` of package-lock.json. */
export type LockedPackages = { readonly [path: string]: LockedPackage };

/**
 * Packages that the programs load when they run; a test holds the list against what lib and server import. Everything else is what the
 * pages are built with, and is in them.
 */
export const runtimePackages: readonly string[] = [
  '@kubernetes/client-node',
  '@lezer/common',
  '@peculiar/x509',
  '@prometheus-io/lezer-promql',
  'commander',
  'iron-session',
  'jose',
  'lru-cache',
  'next',
  'openid-client',
  'pino',
  'prom-client',
  'yaml',
  'zod',
];

/**
 * Folders of all packages that `names` need, as npm finds them, sorted. Without optional ones, which bring native code that the programs
 * may not load, and without packages of types. Throws where the lock lacks one.
 */
export function keptPackages(locked: LockedPackages, names: readonly string[]): readonly string[] {
  const kept = new Set<string>();
  const waiting = names.map((name) => ({ from: '', name }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { from, name } = next;
    if (name.startsWith('@types/')) continue;
    const path = placeOf(locked, from, name);
    if (path === null) throw new Error(`package-lock.json has no ${name}, which ${from || 'Plumbline'} needs`);
    if (kept.has(path)) continue;
    kept.add(path);
    for (const needed of neededBy(locked[path] ?? {})) waiting.push({ from: path, name: needed });
  }
  return [...kept].toSorted();
}

function neededBy({ dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }: LockedPackage) {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys(dependencies), ...peers];
}

/** The folder in which Node finds a package from that of another: the nearest above. */
function placeOf(locked: LockedPackages, from: string, name: string): string | null {
  for (let folder: string | null = from; folder !== null; folder = above(folder)) {
    const path: string = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (locked[path] !== undefined) return path;
  }
  return null;
}

function above(folder: string): string | null {
  if (folder === '') return null;
  const index = folder.lastIndexOf('/node_modules/');
  return index < 0 ? '' : folder.slice(0, index);
}
