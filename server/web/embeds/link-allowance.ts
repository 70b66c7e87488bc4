import { LRUCache } from 'lru-cache';
import { day } from '#lib/domain/time/length.ts';

/** So many links one reader may make in a day: far more than anybody pastes, and too few to use up those of all in one. */
const mostInADay = 50;
/** Readers that are remembered; the one that asked longest ago is forgotten first. */
const readersKept = 10_000;

/** Bound on the links that one reader makes in a day, as this process counts them: the list bounds those of all. Times in ms. */
export interface LinkAllowance {
  has(reader: string, now: number): boolean;
  /** One was made. */
  take(reader: string, now: number): void;
}

/** An allowance of which nothing is used yet. */
export function linkAllowance(): LinkAllowance {
  const used = new LRUCache<string, { readonly since: number; readonly made: number }>({ max: readersKept });

  /** The day of a reader begins with the first link that it makes. */
  function today(reader: string, now: number): { readonly since: number; readonly made: number } {
    const found = used.get(reader);
    const age = now - (found?.since ?? now);
    return found === undefined || age < 0 || age >= day ? { since: now, made: 0 } : found;
  }

  return {
    has: (reader, now) => today(reader, now).made < mostInADay,
    take(reader, now) {
      const { since, made } = today(reader, now);
      used.set(reader, { since, made: made + 1 });
    },
  };
}
