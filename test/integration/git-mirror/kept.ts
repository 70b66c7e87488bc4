import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configuredAddress } from '#server/git/addresses/address.ts';
import { configuredPlan, type FetchPlan } from '#server/git/mirror/fetch-plan.ts';
import { type Keeper, type KeeperDeps, openKeeper } from '#server/git/mirror/keeper.ts';
import { silentLog } from '#server/runtime/log.ts';

export const minute = 60_000;

/** A folder with a mirror of one repository, and a clock that the test moves. */
export interface Bed {
  readonly folder: string;
  now: number;
  keeper(url: string, change?: Change): Promise<Keeper>;
  remove(): void;
}

interface Change {
  readonly deps?: Partial<KeeperDeps>;
  readonly token?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly plan?: () => Promise<FetchPlan>;
}

/** Makes the folder. */
export function makeBed(): Bed {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-bad-git-'));
  const ended = new AbortController();
  const keepers: Keeper[] = [];
  const bed: Bed = {
    folder,
    now: Date.UTC(2026, 10, 21),
    async keeper(url, { deps = {}, token, environment = {}, plan } = {}) {
      const address = configuredAddress(url);
      if (address.type === 'refused') throw new Error(address.reason);
      const access = { user: null, token: token ?? null, key: null, knownHosts: null };
      const opened = await openKeeper(
        {
          ...{ key: url, url, origin: 'configured', host: null },
          plan: plan ?? (() => configuredPlan(address, access, environment)),
        },
        {
          ...{ folder, mostBytes: 64 * 1024 ** 2, every: minute, now: () => bed.now },
          ...{ log: silentLog, ended: ended.signal, longestFetch: 20_000 },
          ...deps,
        },
      );
      keepers.push(opened);
      return opened;
    },
    remove() {
      ended.abort();
      for (const keeper of keepers.splice(0)) keeper.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return bed;
}

/** Subjects of the default branch, the newest first. */
export async function subjects(of: Keeper): Promise<readonly string[]> {
  const told = await of.reader()?.log({ branch: null, after: null, limit: 10 });
  return told?.type === 'told' ? told.answer.commits.map(({ subject }) => subject) : [];
}
