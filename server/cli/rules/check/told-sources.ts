import type { AlarmChange } from '#lib/domain/alarm/alarm-book.ts';
import { type AlarmFact, factKey } from '#lib/domain/alarm/fact.ts';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';
import type { AlarmBatch } from '#server/store/port/alarm-batch.ts';
import type { Change } from '#server/store/port/port.ts';

/** All that an alarm source tells now. */
export interface ToldSource {
  readonly source: AlarmSource;
  readonly facts: readonly AlarmFact[];
}

/** Alarm sources as they are told, by a store or by themselves. */
export interface ToldSources {
  /** Takes a change of a store; those of clusters say nothing here. */
  hear(change: Change): void;
  /** Takes a batch of the source of that name. */
  take(name: string, batch: AlarmBatch): void;
  /** All that the source of that name tells; null where nothing is known of it. */
  of(name: string): ToldSource | null;
}

/** Makes one that has heard nothing. */
export function toldSources(): ToldSources {
  const sources = new Map<string, AlarmSource>();
  const facts = new Map<string, Map<string, AlarmFact>>();

  function factsOf(name: string): Map<string, AlarmFact> {
    const known = facts.get(name) ?? new Map<string, AlarmFact>();
    facts.set(name, known);
    return known;
  }

  function apply(change: AlarmChange): void {
    switch (change.type) {
      case 'alarm-source':
        sources.set(change.source.name, change.source);
        return;
      case 'alarm-fact':
        factsOf(change.source).set(factKey(change.fact), change.fact);
        return;
      case 'alarm-fact-removed':
        factsOf(change.source).delete(change.key);
        return;
      case 'alarm-source-removed':
        sources.delete(change.source);
        facts.delete(change.source);
    }
  }

  return {
    hear(change) {
      switch (change.type) {
        case 'alarm-source':
        case 'alarm-fact':
        case 'alarm-fact-removed':
        case 'alarm-source-removed':
          return apply(change);
        case 'cluster':
        case 'cluster-removed':
        case 'object':
        case 'removed':
        case 'confirmed':
      }
    },
    take(name, { source, put, removed }) {
      for (const key of removed) apply({ type: 'alarm-fact-removed', source: name, key });
      for (const fact of put) apply({ type: 'alarm-fact', source: name, fact });
      if (source !== null) apply({ type: 'alarm-source', source });
    },
    of(name) {
      const source = sources.get(name);
      return source === undefined ? null : { source, facts: [...factsOf(name).values()] };
    },
  };
}
