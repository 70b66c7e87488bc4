import type { GitHost } from './host.ts';
import { publicHost } from './host.ts';
import { hostPages } from './host-links.ts';
import type { RepositoryUrl } from './repository-url.ts';
import { parseRepositoryUrl } from './repository-url.ts';

/** One entry of `repositories` in plumbline.yaml: which software serves the pages of a self-hosted repository. */
export interface ConfiguredRepository {
  readonly url: string;
  /** null where the public host's name tells. */
  readonly host: GitHost | null;
}

/** Links to one repository's pages, http(s) only, without user information. null where a revision or path is none. */
export interface GitLinks {
  commit(sha: string): string | null;
  /** The directory `path` (relative to the repository's root) at a commit. */
  tree(sha: string, path: string): string | null;
  compare(from: string, to: string): string | null;
  pullRequest(number: number): string | null;
}

const SHA = /^[0-9a-f]{7,64}$/;

/**
 * Links into the pages of the repository at `url` (any form that git takes).
 * The software is known by a public host's name or by configuration: the same repository first, then the same host.
 * null where neither tells, or the text is no repository URL.
 */
export function gitLinks(url: string, configured: readonly ConfiguredRepository[] = []): GitLinks | null {
  const parsed = parseRepositoryUrl(url);
  if (parsed === null) return null;
  const host = configuredHost(parsed, configured) ?? publicHost(parsed.hostname);
  const pages = host === null ? null : hostPages(host, parsed);
  if (pages === null) return null;
  return {
    commit: (sha) => (SHA.test(sha) ? pages.commit(sha) : null),
    tree(sha, path) {
      const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
      return SHA.test(sha) && !segments.includes('..') ? pages.tree(sha, segments) : null;
    },
    compare: (from, to) => (SHA.test(from) && SHA.test(to) ? pages.compare(from, to) : null),
    pullRequest: (number) => (Number.isSafeInteger(number) && number > 0 ? pages.pullRequest(number) : null),
  };
}

function configuredHost(url: RepositoryUrl, configured: readonly ConfiguredRepository[]): GitHost | null {
  let sameHost: GitHost | null = null;
  for (const entry of configured) {
    const other = parseRepositoryUrl(entry.url);
    if (entry.host === null || other === null || other.hostname !== url.hostname) continue;
    if (repositoryPath(other) === repositoryPath(url)) return entry.host;
    sameHost ??= entry.host;
  }
  return sameHost;
}

function repositoryPath(url: RepositoryUrl): string {
  return url.segments
    .filter((segment) => segment !== 'scm')
    .join('/')
    .toLowerCase();
}
