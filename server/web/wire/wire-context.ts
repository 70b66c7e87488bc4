import type { Policy } from '#lib/domain/guarantee/guarantee.ts';
import type { ConfiguredRepository, GitLinks } from '#lib/git-host/git-links.ts';
import { gitLinks } from '#lib/git-host/git-links.ts';

/** Context of every mapping to the wire. */
export interface WireContext {
  readonly policy: Policy;
  /** ms since the epoch; the moment that everything in one answer speaks of. */
  readonly now: number;
  readonly links: LinksOf;
}

/** The links of a repository by its URL; null where its host is not known. */
export type LinksOf = (repository: string) => GitLinks | null;

/** Remembers the links of each repository: a fleet has few of them and many objects. */
export function linksOf(configured: readonly ConfiguredRepository[]): LinksOf {
  const known = new Map<string, GitLinks | null>();
  return (repository) => {
    const found = known.get(repository);
    if (found !== undefined) return found;
    if (known.size > 10_000) known.clear();
    const links = gitLinks(repository, configured);
    known.set(repository, links);
    return links;
  };
}
