import type { CurrentObject } from '../record/current.ts';
import { sourceBook, type Touched, type WrittenBook } from './book/source-book.ts';
import { chainText } from './chain-text.ts';
import type { AlarmChain, KnownAlarms } from './chain.ts';
import type { AlarmFact } from './fact.ts';
import type { AlarmState } from './link.ts';
import { furthest, heardFor, lateAt, reachOf, type Reach } from './object-chain.ts';
import { isBelieved, type AlarmSource } from './source.ts';

/** News of alarm sources, as the store tells them. */
export type AlarmChange =
  | { readonly type: 'alarm-source'; readonly source: AlarmSource }
  | { readonly type: 'alarm-fact'; readonly source: string; readonly fact: AlarmFact }
  /** `key`: that of `factKey`. */
  | { readonly type: 'alarm-fact-removed'; readonly source: string; readonly key: string }
  | { readonly type: 'alarm-source-removed'; readonly source: string };

/** Alarms of the fleet, kept in step with what sources tell. */
export interface AlarmBook extends KnownAlarms {
  apply(change: AlarmChange): void;
  /** Forgets everything: another store took the place of the one that was followed. */
  clear(): void;
}

interface Kept {
  readonly book: WrittenBook;
  /** A 1 or a 0 for each program: it was believed when that was last looked at, or not. */
  believed: string;
  /** Next time (ms) at which a rule is late, or what a program told is believed no longer. */
  until: number;
}

/** Makes one that no source has told anything. */
export function alarmBook(): AlarmBook {
  const sources = new Map<string, Kept>();
  const stamps = new Map<string, number>();
  let everyone = 0;
  let stamp = 0;

  function touch(touched: Touched, { book }: Kept): void {
    const clusters = touched === 'all' ? book.clusters() : touched;
    for (const cluster of clusters) stamps.set(cluster, ++stamp);
  }

  /** Time alone changes what is believed, and which rules are late. */
  function look(now: number): void {
    for (const kept of sources.values()) {
      if (now < kept.until) continue;
      const believed = believedText(kept.book, now);
      if (believed !== kept.believed || isAnyLate(kept, now)) touch('all', kept);
      kept.believed = believed;
      kept.until = nextTurn(kept.book, now);
    }
  }

  function covering(cluster: string): readonly WrittenBook[] {
    return Array.from(sources.values(), ({ book }) => book).filter((book) => book.covers(cluster));
  }

  function reachFor(object: CurrentObject, now: number): { readonly book: WrittenBook | null; readonly reach: Reach } {
    if (sources.size === 0) return { book: null, reach: { type: 'unknown', why: 'none' } };
    const reaches = covering(object.ref.cluster).map((book) => ({ book, reach: reachOf(book, object, now) }));
    const best = furthest(reaches.map(({ reach }) => reach));
    return (
      reaches.find(({ reach }) => reach === best) ?? { book: null, reach: { type: 'unknown', why: 'not-covered' } }
    );
  }

  return {
    apply(change) {
      switch (change.type) {
        case 'alarm-source':
          // Who covers what may be another by this.
          if (renamed(sources, change.source)) everyone = ++stamp;
          return;
        case 'alarm-fact':
        case 'alarm-fact-removed': {
          const kept = sources.get(change.source);
          if (kept === undefined) return;
          touch(change.type === 'alarm-fact' ? kept.book.put(change.fact) : kept.book.remove(change.key), kept);
          kept.until = 0;
          return;
        }
        case 'alarm-source-removed':
          sources.delete(change.source);
          everyone = ++stamp;
          return;
      }
    },
    clear() {
      sources.clear();
      everyone = ++stamp;
    },
    stamp(cluster, now) {
      look(now);
      return Math.max(everyone, stamps.get(cluster) ?? 0);
    },
    alarmOf: (object, now, alarmWithin) => stateOf(reachFor(object, now).reach, object, now, alarmWithin),
    chainOf(object, now, alarmWithin): AlarmChain {
      const { book, reach } = reachFor(object, now);
      const alarm = stateOf(reach, object, now, alarmWithin);
      const heard = covering(object.ref.cluster).flatMap((one) =>
        heardFor(one, object).map((alert) => ({ book: one, alert })),
      );
      return chainText({ object, book, reach, alarm, heard });
    },
  };
}

/** Takes the record of a source; true where it says something else than before. */
function renamed(sources: Map<string, Kept>, source: AlarmSource): boolean {
  const found = sources.get(source.name);
  const before = found?.book.source() ?? null;
  const kept = found === undefined || isAttributedElse(before, source) ? remade(found, source) : found;
  sources.set(source.name, kept);
  kept.book.rename(source);
  kept.until = 0;
  return before === null || isOther(before, source);
}

/** A book in which every alert is attributed as the source says now. */
function remade(before: Kept | undefined, source: AlarmSource): Kept {
  const book = sourceBook(source);
  for (const fact of before?.book.facts() ?? []) book.put(fact);
  return { book, believed: '', until: 0 };
}

function isAttributedElse(before: AlarmSource | null, { attribution }: AlarmSource): boolean {
  return JSON.stringify(before?.attribution) !== JSON.stringify(attribution);
}

function stateOf(reach: Reach, object: CurrentObject, now: number, alarmWithin: number): AlarmState {
  switch (reach.type) {
    case 'unknown':
      return { state: 'unknown', why: reach.why };
    case 'sounding':
      return { state: 'sounding', since: reach.since, by: reach.heard.by };
    case 'broken': {
      // An object that nobody sees may be as in git: nobody has to be called for it.
      if (object.verdict === 'unobserved') return { state: 'unknown', why: 'not-seen' };
      const due = (object.awaySince ?? object.onset).time + alarmWithin;
      return { state: now < due ? 'pending' : 'silent', broken: reach.link };
    }
  }
}

function believedText(book: WrittenBook, now: number): string {
  return book
    .source()
    .programs.map((program) => (isBelieved(program, now) ? '1' : '0'))
    .join('');
}

function isAnyLate({ book, until }: Kept, now: number): boolean {
  return Array.from(book.rules.reading(), lateAt).some((late) => late !== null && late >= until && late <= now);
}

/** Next time after `now` (ms) at which time alone changes what a source tells. */
function nextTurn(book: WrittenBook, now: number): number {
  const times = [
    ...book.source().programs.map(({ validUntil }) => validUntil),
    ...Array.from(book.rules.reading(), (rule) => lateAt(rule) ?? Infinity),
  ];
  return times.reduce((next, time) => (time > now ? Math.min(next, time) : next), Infinity);
}

/** Tests if a record of a source says something else than before, but for times that each reading renews. */
function isOther(before: AlarmSource, after: AlarmSource): boolean {
  const said = ({ attribution, programs, cut }: AlarmSource): string =>
    JSON.stringify([attribution, cut, programs.map(({ program, url, state }) => [program, url, state])]);
  return said(before) !== said(after);
}
