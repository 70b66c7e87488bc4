import { factKey, type AlarmFact } from '#lib/domain/alarm/fact.ts';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';
import { encodeFact } from '#server/store/codec/alarm/encoded-alarms.ts';
import type { AlarmBatch, StoredAlarms } from '#server/store/port/alarm-batch.ts';
import type { Change } from '#server/store/port/port.ts';
import { withUnread } from '#server/store/record/alarm/unread-facts.ts';
import { bySeq, type AlarmTable, type FactRow, type SourceTable, type Tables } from './tables.ts';

/** Writes a batch of an alarm source. */
export function writeAlarms({ record }: Tables, table: SourceTable, batch: AlarmBatch): void {
  const { alarms } = table;
  const before = unreadOf(alarms);
  for (const key of batch.removed) bury(table, key);
  for (const fact of batch.put) putFact(table, fact);
  const source = batch.source ?? alarms.source;
  const isAsBefore = JSON.stringify(source) === JSON.stringify(alarms.source) && unreadOf(alarms) === before;
  if (source !== null && !isAsBefore) putSource(table, source);
  record.writeAlarms(table.name, batch);
}

/** Turns an alarm source and its facts into tombstones; its calls end at `at` (ms). */
export function forgetAlarms({ record }: Tables, table: SourceTable, at: number): void {
  for (const key of table.alarms.facts.keys()) bury(table, key);
  putSource(table, null);
  record.forgetAlarms(table.name, at);
}

/** State that a collector finds of an alarm source. */
export function storedAlarms({ record }: Tables, name: string, table: SourceTable | undefined): StoredAlarms {
  if (table === undefined) return { source: null, facts: [], openCalls: [] };
  const facts = bySeq([...table.alarms.facts.values()]).flatMap((row) => (row.type === 'living' ? [row.fact] : []));
  const openCalls = record.recorded.calls.filter(({ source, to }) => source === name && to === null);
  return { source: table.alarms.source, facts, openCalls };
}

/** Told to followers of a source itself. */
export function sourceChange({ name, alarms }: SourceTable): Change {
  if (alarms.source === null) return { type: 'alarm-source-removed', source: name };
  return {
    type: 'alarm-source',
    source: withUnread(alarms.source, { tooLarge: unreadOf(alarms), foreign: 0 }),
  };
}

/** Told to followers of a fact. */
export function factChange(source: string, row: FactRow): Change {
  if (row.type === 'living') return { type: 'alarm-fact', source, fact: row.fact };
  return { type: 'alarm-fact-removed', source, key: row.key };
}

function unreadOf({ facts }: AlarmTable): number {
  return [...facts.values()].filter(({ type }) => type === 'too-large').length;
}

function putSource(table: SourceTable, source: AlarmSource | null): void {
  table.alarms.source = source;
  table.recordSeq = ++table.seq;
}

function putFact(table: SourceTable, fact: AlarmFact): void {
  const key = factKey(fact);
  const known = table.alarms.facts.get(key);
  const fits = encodeFact(fact).body !== null;
  const isSame = fits
    ? known?.type === 'living' && JSON.stringify(known.fact) === JSON.stringify(fact)
    : known?.type === 'too-large';
  if (isSame) return;
  const seq = ++table.seq;
  table.alarms.facts.set(key, fits ? { key, seq, type: 'living', fact } : { key, seq, type: 'too-large' });
}

function bury(table: SourceTable, key: string): void {
  const known = table.alarms.facts.get(key);
  if (known !== undefined && known.type !== 'gone')
    table.alarms.facts.set(key, { key, seq: ++table.seq, type: 'gone' });
}
