import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import { createMemoryRoom } from '../reader/index/memory-room.ts';
import { type Keeper, type KeptRepository, openKeeper } from './keeper.ts';
import { removeLeftovers } from './leftovers.ts';
import { mirrorId } from './mirror-id.ts';
import type { DueWork } from './one-at-a-time.ts';

/** Where mirrors are kept, and how. Durations in ms. */
export interface ShelfDeps {
  readonly folder: string;
  readonly mostBytes: number;
  readonly every: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Mirrors that are kept, by key, and the folder that holds them. */
export interface Shelf {
  keepers(): readonly Keeper[];
  keeper(key: string): Keeper | null;
  /** Opens a repository that is not kept so far. */
  keep(repository: KeptRepository): Promise<void>;
  /** Somebody wants a repository now, with these branches. */
  want(key: string, branches: readonly string[]): void;
  /** Makes a repository due at once, whose address is another one now. */
  fetchNow(key: string): void;
  /** Lets go of found repositories that nobody has wanted for a day; their files go next. */
  dropUnwanted(): void;
  /** A fetch of those of one origin, or (`found`) a look at what is left in the folder: whichever is next. */
  due(origin: Origin): DueWork;
}

type Origin = KeptRepository['origin'];

/**
 * Of those that are due the one comes first that has taken least time: it goes before whoever takes a second more if it is due within a minute
 * after him. One whose host lets each fetch last as long as it may makes the others wait for that fetch alone, fifty of them too; and each has
 * its turn in the end.
 */
const weight = 60;
/** One that was never fetched may take as long (ms) as a fetch may. */
const presumed = 600_000;
/** A found repository that nobody has wanted for so long (ms) is mirrored no more. */
const wantedFor = 86_400_000;
/** Files that nobody wants are looked for so often (ms); the first time once the fleet has had time to say what it wants. */
const looksEvery = 3_600_000;

/** An empty shelf. */
export function createShelf({ folder, mostBytes, every, clock, log }: ShelfDeps, ended: AbortSignal): Shelf {
  const kept = new Map<string, Kept>();
  const room = createMemoryRoom();
  const keptIds = new Set<string>();
  const unwantedIds = new Set<string>();
  let lookAt = clock.now() + looksEvery;

  async function look(): Promise<void> {
    lookAt = clock.now() + looksEvery;
    const which = { isKept: (id: string) => keptIds.has(id), isUnwanted: (id: string) => unwantedIds.has(id) };
    await removeLeftovers(folder, which, { now: clock.now(), log });
  }

  /** The next to be fetched of one origin: of those that are due, or the first that will be. */
  function next(origin: Origin): Kept | undefined {
    const own = [...kept.values()].filter(({ keeper }) => keeper.repository.origin === origin);
    const due = own.filter((one) => one.due <= clock.now());
    if (due.length === 0) return own.toSorted((a, b) => a.due - b.due)[0];
    return due.toSorted((a, b) => a.due + weight * a.took - (b.due + weight * b.took))[0];
  }

  async function fetch(one: Kept): Promise<void> {
    const began = clock.now();
    one.due = await one.keeper.fetch();
    const last = clock.now() - began;
    // One that is quick each second time is slow.
    one.took = Math.max(last, (one.took === presumed ? 0 : one.took + last) / 2);
  }

  return {
    keepers: () => [...kept.values()].map(({ keeper }) => keeper),
    keeper: (key) => kept.get(key)?.keeper ?? null,
    async keep(repository) {
      const { key } = repository;
      if (kept.has(key)) return;
      // Before it is opened: a look that is under way is to leave its files.
      keptIds.add(mirrorId(key));
      unwantedIds.delete(mirrorId(key));
      const keeper = await openKeeper(repository, { folder, mostBytes, every, now: clock.now, log, ended, room });
      kept.set(key, { keeper, due: clock.now(), wantedAt: clock.now(), took: presumed });
    },
    want(key, branches) {
      const one = kept.get(key);
      if (one === undefined) return;
      one.wantedAt = clock.now();
      one.keeper.follow(branches);
    },
    fetchNow(key) {
      const one = kept.get(key);
      if (one !== undefined) one.due = Math.min(one.due, clock.now());
    },
    dropUnwanted() {
      for (const [key, { keeper, wantedAt }] of kept) {
        if (keeper.repository.origin === 'configured' || clock.now() - wantedAt < wantedFor) continue;
        log.info({ repository: key }, 'a repository that nobody has wanted for a day is mirrored no more');
        keeper.close();
        kept.delete(key);
        keptIds.delete(mirrorId(key));
        unwantedIds.add(mirrorId(key));
        lookAt = clock.now();
      }
    },
    due(origin) {
      const first = next(origin);
      const looks = origin === 'found' ? lookAt : Number.POSITIVE_INFINITY;
      if (first === undefined || looks <= Math.max(first.due, clock.now())) return { due: looks, work: look };
      return { due: first.due, work: () => fetch(first) };
    },
  };
}

interface Kept {
  readonly keeper: Keeper;
  /** ms since the epoch. */
  due: number;
  wantedAt: number;
  /** Time (ms) that its fetches have taken, the last ones most. */
  took: number;
}
