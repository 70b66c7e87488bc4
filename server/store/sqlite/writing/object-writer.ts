import type { DatabaseSync } from 'node:sqlite';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { EncodedBatch } from '../../codec/encoded.ts';
import { storedDetail } from '../../codec/pack/packed-detail.ts';
import type { WriteBatch } from '../../port/port.ts';
import { milliseconds, millisecondsOrNull } from '../rows/cells.ts';
import type { Dictionary } from '../rows/dictionary.ts';
import { objectColumns, objectValues } from '../rows/object-row.ts';
import { kindOf, type ClusterSequence } from './cluster-sequence.ts';
import type { Found, ObjectFinder } from './object-finder.ts';

/** Writes present records. Call it within a transaction only. */
export interface ObjectWriter {
  putObjects(sequence: ClusterSequence, objects: readonly CurrentObject[], packed: EncodedBatch): void;
  /** Makes an object a tombstone. */
  remove(sequence: ClusterSequence, id: number): void;
  putConfirmation(sequence: ClusterSequence, confirmation: WriteBatch['confirmations'][number]): void;
}

/** Where it was last known to be: what a past moment tells of an object that is gone. */
const originColumns: ReadonlySet<string> = new Set(['path', 'source', 'delivered_by', 'repository']);
const emptied = objectColumns
  .filter((column) => !originColumns.has(column))
  .map((column) => `${column} = NULL`)
  .join(', ');
const traitsColumn = objectColumns.indexOf('traits');
const taken = objectColumns.map((column) => `${column} = excluded.${column}`).join(', ');

/** Prepares the statements over an open database. `onWritten` is told of each record, and of what was there before it. */
export function openObjectWriter(
  database: DatabaseSync,
  dictionary: Dictionary,
  find: ObjectFinder['find'],
  onWritten: (cluster: number, id: number, found: Found | null, object: CurrentObject) => void,
): ObjectWriter {
  const writeObject = database.prepare(
    `INSERT INTO object (id, cluster, kind, namespace, name, seq, ${objectColumns.join(', ')})
     VALUES (?, ?, ?, ?, ?, ?, ${objectColumns.map(() => '?').join(', ')})
     ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, ${taken}`,
  );
  const writeDetail = database.prepare(
    'INSERT INTO detail (object, detail) VALUES (?, ?) ON CONFLICT (object) DO UPDATE SET detail = excluded.detail',
  );
  const writeTombstone = database.prepare(`UPDATE object SET seq = ?, ${emptied} WHERE id = ?`);
  const dropDetail = database.prepare('DELETE FROM detail WHERE object = ?');
  const dropConfirmation = database.prepare('DELETE FROM confirmation WHERE object = ?');
  const confirm = database.prepare(
    `INSERT INTO confirmation (object, cluster, seq, confirmed_at, observed_at, valid_until) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (object) DO UPDATE SET seq = excluded.seq, confirmed_at = excluded.confirmed_at,
       observed_at = excluded.observed_at, valid_until = excluded.valid_until`,
  );

  function putObject(sequence: ClusterSequence, object: CurrentObject, detail: Uint8Array): void {
    const { ref } = object;
    const found = find(sequence, ref);
    const values = objectValues(object, dictionary);
    const result = writeObject.run(
      found?.id ?? null,
      sequence.cluster,
      kindOf(dictionary, sequence, ref),
      dictionary.name(ref.namespace),
      ref.name,
      ++sequence.seq,
      ...values,
    );
    const id = found?.id ?? Number(result.lastInsertRowid);
    const written = sequence.written.get(refKey(ref)) ?? { id, records: [] };
    written.records.push({ traits: Number(values[traitsColumn]), object });
    sequence.written.set(refKey(ref), written);
    writeDetail.run(id, detail);
    if (found?.isPresent) dropConfirmation.run(id);
    else sequence.objects++;
    onWritten(sequence.cluster, id, found, object);
  }

  function putObjects(
    sequence: ClusterSequence,
    objects: readonly CurrentObject[],
    { details, strings }: EncodedBatch,
  ): void {
    const ids: number[] = [];
    const stringId = (position: number): number => (ids[position] ??= dictionary.name(strings[position] ?? ''));
    for (const [index, object] of objects.entries())
      putObject(sequence, object, storedDetail(details[index] ?? '', stringId));
  }

  function remove(sequence: ClusterSequence, id: number): void {
    writeTombstone.run(++sequence.seq, id);
    dropDetail.run(id);
    dropConfirmation.run(id);
    sequence.objects--;
  }

  function putConfirmation(sequence: ClusterSequence, confirmation: WriteBatch['confirmations'][number]): void {
    const found = find(sequence, confirmation.ref);
    if (!found?.isPresent) return;
    const { confirmedAt, observedAt, validUntil } = confirmation;
    confirm.run(
      found.id,
      sequence.cluster,
      ++sequence.confirmationSeq,
      millisecondsOrNull(confirmedAt),
      milliseconds(observedAt),
      millisecondsOrNull(validUntil),
    );
  }

  return { putObjects, remove, putConfirmation };
}
