import type { RepositoryEntry } from '#server/config/git/repository-schema.ts';
import { foreignUrl } from '#lib/foreign-words.ts';
import { publicHost } from '#lib/git-host/host.ts';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import { parseRepositoryUrl } from '#lib/git-host/repository-url.ts';
import type { Clock, Timer } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import { configuredAddress, foundAddress } from '../addresses/address.ts';
import type { WantedRepository } from '../port/git-reader.ts';
import type { RepositoryState } from '../port/shapes.ts';
import { configuredPlan, type FetchPlan, foundPlan, type Resolve } from './fetch-plan.ts';
import { type Keeper, openKeeper, type KeptRepository } from './keeper.ts';

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
/** A repository that nobody has wanted for so long (ms) is mirrored no more. */
const wantedFor = 86_400_000;

/** Mirrors what is configured at once, and what is found as it is wanted: one fetch at a time, whoever is due first. */
export async function startMirrors(deps: MirrorsDeps): Promise<Mirrors> {
  const { folder, mostBytes, every, clock, log } = deps;
  const ended = new AbortController();
  const keeperDeps = { folder, mostBytes, every, now: clock.now, log, ended: ended.signal };
  const kept = new Map<string, { readonly keeper: Keeper; due: number; wantedAt: number }>();
  let timer: Timer | null = null;
  let fetching: Promise<void> | null = null;

  async function keep(repository: KeptRepository): Promise<void> {
    if (kept.has(repository.key)) return;
    kept.set(repository.key, {
      keeper: await openKeeper(repository, keeperDeps),
      due: clock.now(),
      wantedAt: clock.now(),
    });
  }

  function next(): void {
    if (ended.signal.aborted || fetching !== null) return;
    timer?.cancel();
    const [first] = [...kept.values()].toSorted((a, b) => a.due - b.due);
    if (first === undefined) return;
    timer = clock.after(Math.max(0, first.due - clock.now()), () => {
      fetching = first.keeper.fetch().then((due) => {
        first.due = due;
        fetching = null;
        next();
      });
    });
  }

  for (const entry of deps.repositories) if (entry.mirror) await keep(configured(entry, deps.environment));
  const named = new Set(deps.repositories.map(({ url }) => keyOf(url)));
  next();

  // One after the other: none is opened twice.
  let wanting: Promise<void> = Promise.resolve();

  return {
    states: () => [...kept.values()].map(({ keeper }) => keeper.state()),
    keepers: () => [...kept.values()].map(({ keeper }) => keeper),
    keeper: (url) => kept.get(keyOf(url))?.keeper ?? null,
    want: (repositories) => (wanting = wanting.then(() => want(repositories))),
    async stop() {
      ended.abort();
      timer?.cancel();
      await fetching;
      for (const { keeper } of kept.values()) keeper.close();
    },
  };

  async function want(repositories: readonly WantedRepository[]): Promise<void> {
    const now = clock.now();
    for (const { url, branches } of repositories) {
      const key = keyOf(url);
      if (!named.has(key)) {
        const found = [...kept.values()].filter(({ keeper }) => keeper.repository.origin === 'found').length;
        if (!deps.found || (!kept.has(key) && found >= mostFound)) continue;
        await keep(foundRepository(key, url, deps.resolve));
      }
      const one = kept.get(key);
      if (one === undefined) continue;
      one.wantedAt = now;
      one.keeper.follow(branches);
    }
    for (const [key, { keeper, wantedAt }] of kept) {
      if (keeper.repository.origin === 'configured' || now - wantedAt < wantedFor) continue;
      keeper.close();
      kept.delete(key);
    }
    next();
  }
}

/** Objects of the fleet name their repository as it may be told, without what looks like a secret: so do we. */
function keyOf(url: string): string {
  return repositoryKey(foreignUrl(url));
}

function hostOf(url: string): KeptRepository['host'] {
  const parsed = parseRepositoryUrl(url);
  return parsed === null ? null : publicHost(parsed.hostname);
}

function configured(
  { url, from, host, access }: RepositoryEntry,
  environment: MirrorsDeps['environment'],
): KeptRepository {
  const address = configuredAddress(from);
  const plan = (): Promise<FetchPlan> =>
    address.type === 'refused' ? Promise.resolve(address) : configuredPlan(address, access, environment);
  return { key: keyOf(url), url, origin: 'configured', host: host ?? hostOf(url), plan };
}

function foundRepository(key: string, url: string, resolve: Resolve): KeptRepository {
  const address = foundAddress(url);
  const plan = (): Promise<FetchPlan> =>
    address.type === 'refused' ? Promise.resolve(address) : foundPlan(address, resolve);
  return { key, url, origin: 'found', host: hostOf(url), plan };
}
