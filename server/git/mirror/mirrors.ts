import type { RepositoryEntry } from '#server/config/git/repository-schema.ts';
import { publicHost } from '#lib/git-host/host.ts';
import { parseRepositoryUrl } from '#lib/git-host/repository-url.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import { configuredAddress, foundAddress } from '../addresses/address.ts';
import type { WantedRepository } from '../port/git-reader.ts';
import type { RepositoryState } from '../port/shapes.ts';
import { configuredPlan, type FetchPlan, foundPlan, type Resolve } from './fetch-plan.ts';
import { configuredKeys } from './configured-keys.ts';
import type { Keeper, KeptRepository } from './keeper.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { createShelf } from './shelf.ts';

/** Settings of all mirrors. Durations in ms. */
export interface MirrorSettings {
  readonly repositories: readonly RepositoryEntry[];
  /** Repositories that the sources of the fleet name are mirrored too. */
  readonly found: boolean;
  readonly every: number;
  readonly mostBytes: number;
}

export interface MirrorsDeps extends MirrorSettings {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly resolve: Resolve;
  readonly clock: Clock;
  readonly log: Log;
}

/** The mirrors of all repositories. */
export interface Mirrors {
  /** Every repository that is mirrored, or should be. */
  states(): readonly RepositoryState[];
  /** The mirror of an address; null where none is kept. */
  keeper(url: string): Keeper | null;
  keepers(): readonly Keeper[];
  want(repositories: readonly WantedRepository[]): Promise<void>;
  stop(): Promise<void>;
}

/** Most repositories that clusters may have us mirror. */
const mostFound = 50;

/**
 * Mirrors what is configured at once, and what is found as it is wanted: of each one fetch at a time, so that no host that a cluster names holds
 * up what is configured.
 */
export async function startMirrors(deps: MirrorsDeps): Promise<Mirrors> {
  const { clock, log } = deps;
  const ended = new AbortController();
  const keyOf = configuredKeys(deps.repositories, log);
  const shelf = createShelf(deps, ended.signal);
  const own = oneAtATime(clock, () => shelf.due('configured'));
  const found = oneAtATime(clock, () => shelf.due('found'));
  for (const entry of deps.repositories)
    if (entry.mirror) await shelf.keep(configured(keyOf.own(entry.url), entry, deps.environment));
  own.look();
  found.look();

  /** Where the clusters say now that a found repository is, by key. */
  const addresses = new Map<string, string>();
  // One after the other: none is opened twice.
  let wanting: Promise<void> = Promise.resolve();

  return {
    states: () => shelf.keepers().map((keeper) => keeper.state()),
    keepers: shelf.keepers,
    keeper: (url) => shelf.keeper(keyOf.asked(url)),
    want: (repositories) => (wanting = wanting.then(() => want(repositories))),
    async stop() {
      ended.abort();
      await Promise.all([own.stop(), found.stop()]);
      for (const keeper of shelf.keepers()) keeper.close();
    },
  };

  async function want(repositories: readonly WantedRepository[]): Promise<void> {
    for (const { url, branches } of repositories) {
      const key = keyOf.asked(url);
      if (!keyOf.isConfigured(key)) {
        const count = shelf.keepers().filter(({ repository }) => repository.origin === 'found').length;
        if (!deps.found || (shelf.keeper(key) === null && count >= mostFound)) continue;
        const isMoved = (addresses.get(key) ?? url) !== url;
        addresses.set(key, url);
        await shelf.keep(foundRepository(key, () => addresses.get(key) ?? url, deps.resolve));
        if (isMoved) shelf.fetchNow(key);
      }
      shelf.want(key, branches);
    }
    shelf.dropUnwanted();
    for (const key of addresses.keys()) if (shelf.keeper(key) === null) addresses.delete(key);
    found.look();
  }
}

function hostOf(url: string): KeptRepository['host'] {
  const parsed = parseRepositoryUrl(url);
  return parsed === null ? null : publicHost(parsed.hostname);
}

function configured(
  key: string,
  { url, from, host, access }: RepositoryEntry,
  environment: MirrorsDeps['environment'],
): KeptRepository {
  const address = configuredAddress(from);
  const plan = (): Promise<FetchPlan> =>
    address.type === 'refused' ? Promise.resolve(address) : configuredPlan(address, access, environment);
  return { key, url, origin: 'configured', host: host ?? hostOf(url), plan };
}

function foundRepository(key: string, url: () => string, resolve: Resolve): KeptRepository {
  const plan = (): Promise<FetchPlan> => {
    const address = foundAddress(url());
    return address.type === 'refused' ? Promise.resolve(address) : foundPlan(address, resolve);
  };
  return {
    key,
    get url() {
      return url();
    },
    ...{ origin: 'found', host: hostOf(url()), plan },
  };
}
