import type { WireLag, WireLagList } from '#lib/api/commit.ts';
import { minutesAgo } from './wire-fleet.ts';

const repository = 'git.example.org/acme/control';
const asOf = minutesAgo(0);

/** A Kustomization that is 3 commits behind, 2 of which touch its path, since 12 min. */
export function wireLag(name: string, part: Partial<WireLag> = {}): WireLag {
  return {
    ref: {
      cluster: 'eu-west-3',
      group: 'kustomize.toolkit.fluxcd.io',
      kind: 'Kustomization',
      namespace: 'flux-system',
      name,
    },
    href: `/${name}`,
    repository,
    path: `apps/${name}`,
    branch: 'main',
    runs: 'a'.repeat(40),
    commits: 3,
    touching: 2,
    atLeast: false,
    oldest: { sha: 'b'.repeat(40), subject: 'Commit b', at: minutesAgo(12) },
    why: null,
    text: '',
    ...part,
  };
}

/** Its mirror is older than what its source offers. */
export const unknownLag = { commits: null, touching: null, oldest: null, why: 'older-mirror' } as const;

/** Lags of a repository whose mirror was fetched a minute ago. */
export function wireLags(lags: readonly WireLag[], part: Partial<WireLagList> = {}): WireLagList {
  const repositories = [{ key: repository, mirroredAt: minutesAgo(1), reason: null }];
  return { asOf, lags: [...lags], leftOut: 0, repositories, ...part };
}
