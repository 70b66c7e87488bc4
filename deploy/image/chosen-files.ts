import { basename } from 'node:path';

/** Of lib and server: code that runs, and nothing else that lies there, such as a key or a kubeconfig. Folders are looked into. */
export function isOfPrograms(path: string, isFolder: boolean): boolean {
  const name = basename(path);
  if (isFolder) return !name.startsWith('.') && name !== 'testing' && name !== '__snapshots__';
  return name.endsWith('.ts') && !name.endsWith('.test.ts');
}

/** Of the built pages (.next): without the cache and the traces of the build, and maps of sources. */
export function isOfPages(path: string): boolean {
  if (/\/\.next\/(?:cache|diagnostics|trace|trace-build|types|turbopack)$/.test(path)) return false;
  return !/\.(?:map|nft\.json)$/.test(basename(path));
}

/** Of the npm package in `folder`: what runs, and its licence. Packages within it are told by themselves. */
export function isOfPackage(folder: string, path: string): boolean {
  const below = path.slice(path.indexOf(folder) + folder.length);
  if (/(?:^|\/)node_modules$/.test(below)) return false;
  // Documents for who writes pages, which Next brings with it.
  if (folder === 'node_modules/next' && /^\/dist\/docs(?:\/|$)/.test(below)) return false;
  return !/\.(?:map|d\.[cm]?ts)$|\/(?:readme|changelog)(?:\.md)?$/i.test(below);
}
