import type { AlarmFact } from '#lib/domain/alarm/fact.ts';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';
import { refKey, type ObjectRef, type RefKey } from '#lib/domain/observation/ref.ts';
import type { CurrentCluster, CurrentObject, ObjectDetail } from '#lib/domain/record/current.ts';
import {
  sourceKey,
  type FactSource,
  type FactSourceType,
  type Lease,
  type StoredClusterState,
  type StoredResume,
  type WriteBatch,
} from '#server/store/port/port.ts';
import { startRecord, type RecordWriter } from '../record-writing/record-writer.ts';

type Confirmation = WriteBatch['confirmations'][number];

/** An object that lives, or the tombstone of one. */
export interface ObjectRow {
  readonly ref: ObjectRef;
  readonly seq: number;
  readonly living: { readonly object: CurrentObject; readonly detail: ObjectDetail } | null;
  readonly confirmation: { readonly seq: number; readonly confirmation: Confirmation } | null;
}

/** A fact that lives, one that is too large to be kept, or the tombstone of one. */
export type FactRow = { readonly key: string; readonly seq: number } & (
  | { readonly type: 'living'; readonly fact: AlarmFact }
  | { readonly type: 'too-large' | 'gone' }
);

/** Facts of an alarm source as it tells them now. */
export interface AlarmTable {
  source: AlarmSource | null;
  /** By `factKey`. */
  readonly facts: Map<string, FactRow>;
}

/** Contents of one source of facts. */
export interface SourceTable {
  readonly type: FactSourceType;
  readonly name: string;
  seq: number;
  confirmationSeq: number;
  record: CurrentCluster | null;
  recordSeq: number;
  lease: (Lease & { readonly expiresAt: number }) | null;
  readonly objects: Map<RefKey, ObjectRow>;
  readonly resume: Map<string, StoredResume>;
  /** Its facts, where it is an alarm source. */
  readonly alarms: AlarmTable;
}

/** A whole store in memory: what is there now, and its record. */
export interface Tables {
  /** By the key of their source. */
  readonly sources: Map<string, SourceTable>;
  readonly record: RecordWriter;
}

/** An empty store. */
export function emptyTables(): Tables {
  return { sources: new Map(), record: startRecord() };
}

/** The table of a source, made where there is none. */
export function tableOf({ sources }: Tables, source: FactSource): SourceTable {
  const known = sources.get(sourceKey(source));
  if (known !== undefined) return known;
  const made = { ...source, seq: 0, confirmationSeq: 0, record: null, recordSeq: 0, lease: null };
  const alarms = { source: null, facts: new Map() };
  const table: SourceTable = { ...made, objects: new Map(), resume: new Map(), alarms };
  sources.set(sourceKey(source), table);
  return table;
}

/** The rows of a table that live, in the order in which they were written. */
export function livingRows({ objects }: SourceTable): readonly ObjectRow[] {
  return bySeq([...objects.values()].filter(({ living }) => living !== null));
}

/** In the order in which they were written. */
export function bySeq<T extends { readonly seq: number }>(rows: readonly T[]): readonly T[] {
  return rows.toSorted((a, b) => a.seq - b.seq);
}

/** Writes a batch. */
export function writeBatch({ record }: Tables, table: SourceTable, batch: WriteBatch): void {
  if (batch.cluster !== null) putRecord(table, batch.cluster);
  for (const { ref } of batch.removed) bury(table, table.objects.get(refKey(ref)));
  for (const { object, detail } of batch.objects) {
    const { ref } = object;
    table.objects.set(refKey(ref), { ref, seq: ++table.seq, living: { object, detail }, confirmation: null });
  }
  for (const confirmation of batch.confirmations) {
    const row = table.objects.get(refKey(confirmation.ref));
    if (row === undefined || row.living === null) continue;
    const seq = ++table.confirmationSeq;
    table.objects.set(refKey(row.ref), { ...row, confirmation: { seq, confirmation } });
  }
  for (const resume of batch.resume) {
    const key = `${resume.group}/${resume.kind}`;
    if (resume.resourceVersion === '') table.resume.delete(key);
    else table.resume.set(key, resume);
  }
  record.write(table.name, batch);
}

/** Turns a cluster and at most so many of its objects into tombstones; their record ends at `at` (ms). True if some are left. */
export function forgetCluster({ record }: Tables, table: SourceTable, at: number, most: number): boolean {
  const rows = livingRows(table);
  putRecord(table, null);
  table.resume.clear();
  for (const row of rows.slice(0, most)) bury(table, row);
  record.forget(table.name, at, most);
  return rows.length > most;
}

/** True for a cluster that was being forgotten, and has objects left. */
export function isHalfForgotten(table: SourceTable): boolean {
  return table.record === null && table.recordSeq > 0 && livingRows(table).length > 0;
}

function putRecord(table: SourceTable, record: CurrentCluster | null): void {
  table.record = record;
  table.recordSeq = ++table.seq;
}

function bury(table: SourceTable, row: ObjectRow | undefined): void {
  if (row === undefined || row.living === null) return;
  table.objects.set(refKey(row.ref), { ref: row.ref, seq: ++table.seq, living: null, confirmation: null });
}

/** State that a collector finds of a cluster. */
export function stateOf(table: SourceTable | undefined): StoredClusterState {
  if (table === undefined) return { cluster: null, objects: [], resume: [] };
  const objects = livingRows(table).flatMap(({ living, confirmation }) => {
    if (living === null) return [];
    if (confirmation === null) return [living];
    const { confirmedAt, observedAt, validUntil } = confirmation.confirmation;
    return [{ ...living, object: { ...living.object, confirmedAt, observedAt, validUntil } }];
  });
  const forgetting = isHalfForgotten(table) ? { forgetting: true as const } : {};
  return { ...forgetting, cluster: table.record, objects, resume: [...table.resume.values()] };
}
