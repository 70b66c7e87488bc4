import { LRUCache } from 'lru-cache';
import { Unreadable, type ObjectReader } from '../objects.ts';
import { isBehind, type CommitIndex, type Place } from './commit-index.ts';
import type { Line } from './line.ts';

/** Ancestors beyond first parents: those that a merge brought. */
export interface Ancestry {
  /**
   * For one question: positions on the line of `to` at which commits came into its history; null for one that is not in the history of
   * `to`. Rejects with `Unreadable`: what many different commits would take too long.
   */
  ask(): (sha: string, to: Place) => Promise<number | null>;
}

interface Arrival {
  /** null: it had not arrived at `checked`. */
  readonly position: number | null;
  readonly checked: number;
}

/** Answers that are kept, and commits of one question that git is asked about. */
const kept = 20_000;
const mostAsked = 100;

/** Ancestors in one repository. A commit must be there. */
export function createAncestry(index: CommitIndex, objects: ObjectReader): Ancestry {
  const arrivals = new LRUCache<Line, Map<string, Arrival>>({ max: 100 });

  async function read(sha: string, line: Line): Promise<Arrival> {
    const checked = line.last();
    const tip = { line, position: checked };
    const args = ['rev-list', '--ancestry-path', '--end-of-options', `${sha}..${line.sha(checked)}`];
    const output = await objects.run(args);
    let position: number | null = null;
    for (const each of output.toString('latin1').split('\n')) {
      const place = index.find(each);
      if (place === null || !isBehind(place, tip)) continue;
      position = Math.min(position ?? place.position, place.position);
    }
    return { position, checked };
  }

  function book(line: Line): Map<string, Arrival> {
    const known = arrivals.get(line) ?? new Map<string, Arrival>();
    if (known.size >= kept) known.clear();
    arrivals.set(line, known);
    return known;
  }

  return {
    ask() {
      let count = 0;
      return async (sha, to) => {
        const place = index.find(sha);
        if (place !== null && isBehind(place, to)) return place.position;
        const known = book(to.line);
        let arrival = known.get(sha);
        if (arrival === undefined || (arrival.position === null && arrival.checked < to.position)) {
          if (++count > mostAsked) throw new Unreadable('too-many');
          arrival = await read(sha, to.line);
          known.set(sha, arrival);
        }
        const { position } = arrival;
        return position !== null && position <= to.position ? position : null;
      };
    },
  };
}
