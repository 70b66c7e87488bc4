/**
 * The head for a Kustomization by its path: the segment above its last one.
 * clusters/production/eu-west-3/apps/checkout and apps/checkout are "apps"; everything under infrastructure/ is "infrastructure".
 * null where the path only says which cluster it is (clusters/production/eu-west-3). `folder` says the same as `folderOf`.
 */
export function pathGroup(path: string | null, cluster: string, folder = folderOf): string | null {
  const found = path === null ? null : folder(path);
  return found === cluster && found !== infrastructure ? null : found;
}

const infrastructure = 'infrastructure';

/** The head for a path on a cluster that has not its name. */
export function folderOf(path: string): string | null {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  const own = segments[0] === 'clusters' ? segments.slice(2) : segments;
  if (own.length < 2) return null;
  return own.includes(infrastructure) ? infrastructure : (own[own.length - 2] ?? null);
}
