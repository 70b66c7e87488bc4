import { createHash } from 'node:crypto';
import { foreignUrl } from '#lib/foreign-words.ts';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import type { RepositoryEntry } from '#server/config/git/repository-schema.ts';
import type { Log } from '#server/runtime/log.ts';

/** Keys by which repositories are told apart. */
export interface RepositoryKeys {
  /** Of the address of a configured repository. */
  own(url: string): string;
  /** Of an address that is asked for: as a source of the fleet has it, or a key itself. */
  asked(url: string): string;
  /** True of keys whose repository is not to be found: it is configured, or several are that it may be. */
  isConfigured(key: string): boolean;
}

/** Objects of the fleet name their repository as it may be told, without what looks like a secret: so do we. */
function toldKey(url: string): string {
  return repositoryKey(foreignUrl(url));
}

/**
 * Keys of configured repositories. Where the addresses of two are the same once what looks like a secret is left out, each has a digest behind
 * it, and the address that both share names neither: nothing of one is told as the other's.
 */
export function configuredKeys(entries: readonly Pick<RepositoryEntry, 'url'>[], log: Log): RepositoryKeys {
  const wholes = new Map<string, Set<string>>();
  for (const { url } of entries) {
    const key = toldKey(url);
    wholes.set(key, (wholes.get(key) ?? new Set()).add(repositoryKey(url)));
  }
  for (const [key, { size }] of wholes)
    if (size > 1)
      log.warn(
        { repository: key, repositories: size },
        'several repositories have the same address once what looks like a secret is left out: objects are joined with none of them',
      );
  const digests = new Set<string>();

  function own(url: string): string {
    const key = toldKey(url);
    if ((wholes.get(key)?.size ?? 0) <= 1) return key;
    const digest = createHash('sha256').update(repositoryKey(url)).digest('hex').slice(0, 8);
    digests.add(`${key}#${digest}`);
    return `${key}#${digest}`;
  }

  return {
    own,
    asked: (url) => (digests.has(url) ? url : toldKey(url)),
    isConfigured: (key) => wholes.has(key),
  };
}
