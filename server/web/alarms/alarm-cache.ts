import type { KnownAlarms } from '#lib/domain/alarm/chain.ts';
import { factKey, type AlarmFact } from '#lib/domain/alarm/fact.ts';
import { unknownAlarms } from '#lib/domain/alarm/known-object.ts';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { AlarmChange } from './alarm-change.ts';

/** A source with its facts by `factKey`. It never changes, and is the same value as long as the source tells the same. */
export interface ToldSource {
  readonly source: AlarmSource;
  readonly facts: ReadonlyMap<string, AlarmFact>;
}

/** Makes what answers of alarms from all sources by name; {} where there is none. Its stamps are never those of one made before. */
export type MakeAlarms = (sources: ReadonlyMap<string, ToldSource>) => KnownAlarms;

/** Alarm sources and their facts, as the store has them. */
export interface AlarmCache {
  /** Answers from what `settle` saw last: one value for ever, whose answers change. */
  readonly alarms: KnownAlarms;
  /** Takes changes in their order. They count from the next `settle` on. */
  apply(changes: readonly AlarmChange[]): void;
  /** Forgets everything: the store was replaced. Nothing is known until `settle`. */
  clear(): void;
  /**
   * To be called whenever the store was read to its end, so that no reading counts by half. True if the answers are others now: they are made
   * anew where something changed, at most once in `every` ms.
   */
  settle(): boolean;
}

/** Parameters of `createAlarmCache`; `every` in ms. */
interface AlarmCacheDeps {
  readonly makeAlarms: MakeAlarms;
  readonly clock: Pick<Clock, 'now'>;
  readonly every?: number;
}

interface HeldSource {
  source: AlarmSource | null;
  readonly facts: Map<string, AlarmFact>;
  /** As it was told last; null where it changed since. */
  told: ToldSource | null;
}

/** Makes a cache of which nothing is known until it has settled once. */
export function createAlarmCache({ makeAlarms, clock, every = 1_000 }: AlarmCacheDeps): AlarmCache {
  const held = new Map<string, HeldSource>();
  let current = notRead;
  let changed = true;
  let madeAt = Number.NEGATIVE_INFINITY;

  function sourceOf(name: string): HeldSource {
    const found = held.get(name);
    if (found) {
      found.told = null;
      return found;
    }
    const made: HeldSource = { source: null, facts: new Map(), told: null };
    held.set(name, made);
    return made;
  }

  function take(change: AlarmChange): void {
    switch (change.type) {
      case 'alarm-source':
        sourceOf(change.source.name).source = change.source;
        return;
      case 'alarm-source-removed':
        held.delete(change.source);
        return;
      case 'alarm-fact':
        sourceOf(change.source).facts.set(factKey(change.fact), change.fact);
        return;
      case 'alarm-fact-removed':
        if (held.has(change.source)) sourceOf(change.source).facts.delete(change.key);
    }
  }

  return {
    alarms: through(() => current),
    apply(changes) {
      for (const change of changes) take(change);
      changed ||= changes.length > 0;
    },
    clear() {
      held.clear();
      current = notRead;
      changed = true;
      madeAt = Number.NEGATIVE_INFINITY;
    },
    settle() {
      const now = clock.now();
      // A clock that was set back would else keep it waiting.
      if (!changed || (now >= madeAt && now - madeAt < every)) return false;
      changed = false;
      madeAt = now;
      current = makeAlarms(toldBy(held));
      return true;
    },
  };
}

/** No index has its stamp: what was told before is told anew. */
const notRead: KnownAlarms = { ...unknownAlarms('not-read'), stamp: () => -1 };

/** Those of which their own row is there; their facts as they are now, copied where they changed. */
function toldBy(held: ReadonlyMap<string, HeldSource>): ReadonlyMap<string, ToldSource> {
  const sources = new Map<string, ToldSource>();
  for (const [name, each] of held) {
    if (each.source === null) continue;
    each.told ??= { source: each.source, facts: new Map(each.facts) };
    sources.set(name, each.told);
  }
  return sources;
}

function through(now: () => KnownAlarms): KnownAlarms {
  return {
    stamp: (cluster) => now().stamp(cluster),
    expiresAt: (cluster, at) => now().expiresAt(cluster, at),
    alarmOf: (object, at, alarmWithin) => now().alarmOf(object, at, alarmWithin),
    chainOf: (object, at, alarmWithin) => now().chainOf(object, at, alarmWithin),
    reachOf: (object, at) => now().reachOf(object, at),
    sources: () => now().sources(),
    coverage: (clusters, at, alarmWithin) => now().coverage(clusters, at, alarmWithin),
  };
}
