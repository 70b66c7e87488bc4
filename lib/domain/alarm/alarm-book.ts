import type { CurrentObject } from '../record/current.ts';
import { alertName, type SourceBook } from './book/source-book.ts';
import { sourceSet } from './book/source-set.ts';
import { coverageMaker } from './coverage/coverage.ts';
import { loadedRules, rulesReading } from './coverage/loaded-rules.ts';
import { reachKeeper } from './coverage/kept-reach.ts';
import { chainText } from './chain-text.ts';
import type { AlarmChain, KnownAlarms, KnownNotice } from './chain.ts';
import type { AlarmFact } from './fact.ts';
import type { AlarmState } from './link.ts';
import { furthest, heardFor, mostLookedAlone, reachOf, type Reach } from './object-chain.ts';
import type { AlarmSource } from './source.ts';

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

/** Makes one that no source has told anything. */
export function alarmBook(): AlarmBook {
  const sources = sourceSet();
  const reaches = reachKeeper(sources);

  function reachFor(object: CurrentObject, now: number): { readonly book: SourceBook | null; readonly reach: Reach } {
    if (sources.books().length === 0) return { book: null, reach: { type: 'unknown', why: 'none' } };
    const found = sources.covering(object.ref.cluster).map((book) => ({ book, reach: reachOf(book, object, now) }));
    const best = furthest(found.map(({ reach }) => reach));
    return found.find(({ reach }) => reach === best) ?? { book: null, reach: { type: 'unknown', why: 'not-covered' } };
  }

  return {
    apply(change) {
      reaches.told();
      switch (change.type) {
        case 'alarm-source':
          return sources.rename(change.source);
        case 'alarm-fact':
          return sources.put(change.source, change.fact);
        case 'alarm-fact-removed':
          return sources.remove(change.source, change.key);
        case 'alarm-source-removed':
          return sources.drop(change.source);
      }
    },
    clear() {
      reaches.clear();
      sources.clear();
    },
    stamp: sources.stamp,
    noticesWith: (fingerprint) => sources.books().flatMap((book) => noticesWith(book, fingerprint)),
    sources: () => sources.books().map((book) => book.source()),
    loadedRules: (clusters, now) => loadedRules(sources.books(), clusters, now),
    rulesReading: (objects) => rulesReading(sources.books(), objects),
    clustersOf: (source) =>
      sources.books().flatMap((book) => (book.source().name === source ? [...book.clusters()] : [])),
    ...coverageMaker(sources.books, sources.stamp),
    reachOf: reaches.reachOf,
    alarmOf: (object, now, alarmWithin) => stateOf(reachFor(object, now).reach, object, now, alarmWithin),
    chainOf(object, now, alarmWithin): AlarmChain {
      const { book, reach } = reachFor(object, now);
      const alarm = stateOf(reach, object, now, alarmWithin);
      const told = sources
        .covering(object.ref.cluster)
        .map((one) => ({ book: one, ...heardFor(one, object, mostLookedAlone) }));
      const heard = told.flatMap(({ book: of, alerts }) => alerts.map((alert) => ({ book: of, alert })));
      return chainText({ object, book, reach, alarm, heard, isCut: told.some((one) => one.isCut) });
    },
  };
}

function noticesWith(book: SourceBook, fingerprint: string): readonly KnownNotice[] {
  return [...book.alerts()].flatMap(({ fact, named }) =>
    fact.type === 'notice' && fact.fingerprint === fingerprint
      ? [
          {
            source: book.source().name,
            alert: alertName(fact),
            labels: fact.labels,
            cluster: named.cluster,
            startsAt: fact.startsAt,
          },
        ]
      : [],
  );
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
