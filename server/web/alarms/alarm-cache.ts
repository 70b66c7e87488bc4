import type { AlarmBook, AlarmChange } from '#lib/domain/alarm/alarm-book.ts';
import type { KnownAlarms } from '#lib/domain/alarm/chain.ts';
import { unknownAlarms } from '#lib/domain/alarm/known-object.ts';

/** Alarms as the store has them. */
export interface AlarmCache {
  /** Answers from what `settle` saw last: one value for ever, whose answers change. */
  readonly alarms: KnownAlarms;
  /** Takes changes in their order. They count from the next `settle` on. */
  apply(changes: readonly AlarmChange[]): void;
  /** Forgets everything: the store was replaced. Nothing is known until `settle`. */
  clear(): void;
  /** To be called whenever the store was read to its end, so that no reading counts by half. True if anything came since the last time. */
  settle(): boolean;
}

/** Makes a cache over a book; nothing is known until it has settled once. */
export function createAlarmCache(book: AlarmBook): AlarmCache {
  let waiting: AlarmChange[] = [];
  let settled = false;
  const current = (): KnownAlarms => (settled ? book : notRead);
  return {
    alarms: {
      stamp: (cluster, at) => current().stamp(cluster, at),
      alarmOf: (object, at, alarmWithin) => current().alarmOf(object, at, alarmWithin),
      chainOf: (object, at, alarmWithin) => current().chainOf(object, at, alarmWithin),
      reachOf: (object, at) => current().reachOf(object, at),
      noticesWith: (fingerprint) => current().noticesWith(fingerprint),
      sources: () => current().sources(),
      loadedRules: (clusters, at) => current().loadedRules(clusters, at),
      rulesReading: (objects) => current().rulesReading(objects),
      clustersOf: (source) => current().clustersOf(source),
      coverage: (clusters, at, policy) => current().coverage(clusters, at, policy),
    },
    apply: (changes) => void (waiting = waiting.length === 0 ? [...changes] : waiting.concat(changes)),
    clear() {
      waiting = [];
      settled = false;
      book.clear();
    },
    settle() {
      const isNews = waiting.length > 0 || !settled;
      for (const change of waiting) book.apply(change);
      waiting = [];
      settled = true;
      return isNews;
    },
  };
}

/** No book has its stamp: what was told before is told anew. */
const notRead: KnownAlarms = { ...unknownAlarms('not-read'), stamp: () => -1 };
