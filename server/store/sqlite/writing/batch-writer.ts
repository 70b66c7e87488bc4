import type { DatabaseSync } from 'node:sqlite';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { kindKey, type ObjectRef, refKey, type RefKey } from '#lib/domain/observation/ref.ts';
import { recordBatchOf, type EncodedBatch } from '../../codec/encoded.ts';
import type { CoverageChange, StoredResume, WriteBatch } from '../../port/port.ts';
import { storedDetail } from '../../codec/pack/packed-detail.ts';
import { allRows, firstRow, milliseconds, millisecondsOrNull, whole, wholeOrNull } from '../rows/cells.ts';
import { noObject, openChangeWriter } from './change-writer.ts';
import { prepare } from '../database.ts';
import type { Dictionary } from '../rows/dictionary.ts';
import { openIncidentWriter } from './incident-writer.ts';
import { openLedgerWriter } from './ledger-writer.ts';
import { objectColumns, objectValues } from '../rows/object-row.ts';
import { openTransitionWriter } from './transition-writer.ts';

/** Writes what belongs to one cluster. Every call must be within a transaction that has checked the lease. */
export interface BatchWriter {
  /** Writes a batch in the order cluster, removed, objects, confirmations, then what is append-only. */
  write(cluster: string, batch: EncodedBatch): void;
  /** Turns the cluster and all its objects into tombstones; their spans and incidents end at `at` (ms), and the record stays. */
  forget(cluster: string, at: number): void;
}

/** An object that is in the store, or was. */
interface Found {
  readonly id: number;
  readonly lives: boolean;
  /** Of the record as it stands: what was known when its verdict began. */
  readonly noticedAt: number | null;
  readonly awayAt: number | null;
}

/** An object that this batch has written: its transitions follow, each with the traits of the record that it belongs to. */
interface Written {
  readonly id: number;
  readonly records: { readonly traits: number; readonly object: CurrentObject }[];
}

/** Counters of one cluster while a batch is being written. */
interface ClusterSequence {
  readonly cluster: number;
  seq: number;
  confirmationSeq: number;
  objects: number;
  /** The kind that was last asked for: a batch is of few kinds, mostly one after the other. */
  kind: { readonly group: string; readonly kind: string; readonly id: number } | null;
  readonly written: Map<RefKey, Written>;
}

/** Where it was last known to be: what a past moment tells of an object that is gone. */
const places: ReadonlySet<string> = new Set(['path', 'source', 'delivered_by', 'repository']);
const emptied = objectColumns
  .filter((column) => !places.has(column))
  .map((column) => `${column} = NULL`)
  .join(', ');
const traitsColumn = objectColumns.indexOf('traits');
const taken = objectColumns.map((column) => `${column} = excluded.${column}`).join(', ');

/** Prepares the statements over an open database. */
export function openBatchWriter(database: DatabaseSync, dictionary: Dictionary): BatchWriter {
  const readSequence = prepare(
    database,
    'SELECT seq, confirmation_seq, objects FROM cluster_sequence WHERE cluster = ?',
  );
  const writeSequence = database.prepare(
    'UPDATE cluster_sequence SET seq = ?, confirmation_seq = ?, objects = ? WHERE cluster = ?',
  );
  const writeRecord = database.prepare('UPDATE cluster SET record = ?, record_seq = ? WHERE id = ?');
  const identity = prepare(
    database,
    `SELECT id, traits, onset_noticed_at, away_at FROM object
     WHERE cluster = ? AND kind = ? AND namespace = ? AND name = ?`,
  );
  const identify = database.prepare('INSERT INTO object (cluster, kind, namespace, name) VALUES (?, ?, ?, ?)');
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
  const transitions = openTransitionWriter(database, dictionary);
  const incidents = openIncidentWriter(database, dictionary);
  const ledger = openLedgerWriter(database, dictionary);
  const bringCoverageBack = database.prepare('UPDATE OR REPLACE coverage SET at = ?1 WHERE cluster = ?2 AND at > ?1');
  const putChange = openChangeWriter(database, dictionary);
  const addCoverage = database.prepare(
    `INSERT INTO coverage (cluster, kind, at, observed, state, reason) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (cluster, at, kind, state, observed) DO NOTHING`,
  );
  const writeResume = database.prepare(
    `INSERT INTO resume (cluster, kind, version, resource_version) VALUES (?, ?, ?, ?)
     ON CONFLICT (cluster, kind) DO UPDATE SET version = excluded.version, resource_version = excluded.resource_version`,
  );
  const dropResume = database.prepare('DELETE FROM resume WHERE cluster = ? AND kind = ?');
  const dropAllResumes = database.prepare('DELETE FROM resume WHERE cluster = ?');
  const living = prepare(database, 'SELECT id FROM object WHERE cluster = ? AND traits IS NOT NULL ORDER BY seq');

  function kindOf(
    sequence: ClusterSequence,
    { group, kind }: { readonly group: string; readonly kind: string },
  ): number {
    if (sequence.kind?.kind === kind && sequence.kind.group === group) return sequence.kind.id;
    const id = dictionary.name(kindKey({ group, kind }));
    sequence.kind = { group, kind, id };
    return id;
  }

  function find(sequence: ClusterSequence, ref: ObjectRef): Found | null {
    const row = firstRow(identity, sequence.cluster, kindOf(sequence, ref), dictionary.name(ref.namespace), ref.name);
    if (row === null) return null;
    return {
      id: whole(row[0]),
      lives: row[1] !== null,
      noticedAt: wholeOrNull(row[2]),
      awayAt: wholeOrNull(row[3]),
    };
  }

  function idOf(sequence: ClusterSequence, ref: ObjectRef): number {
    const known = sequence.written.get(refKey(ref))?.id ?? find(sequence, ref)?.id;
    if (known !== undefined) return known;
    return Number(
      identify.run(sequence.cluster, kindOf(sequence, ref), dictionary.name(ref.namespace), ref.name).lastInsertRowid,
    );
  }

  function writeCluster(sequence: ClusterSequence, record: string): void {
    writeRecord.run(record, ++sequence.seq, sequence.cluster);
  }

  function putObject(sequence: ClusterSequence, object: CurrentObject, detail: Uint8Array): void {
    const { ref } = object;
    const found = find(sequence, ref);
    const kind = kindOf(sequence, ref);
    const namespace = dictionary.name(ref.namespace);
    const values = objectValues(object, dictionary);
    const result = writeObject.run(
      found?.id ?? null,
      sequence.cluster,
      kind,
      namespace,
      ref.name,
      ++sequence.seq,
      ...values,
    );
    const id = found?.id ?? Number(result.lastInsertRowid);
    const written = sequence.written.get(refKey(ref)) ?? { id, records: [] };
    written.records.push({ traits: Number(values[traitsColumn]), object });
    sequence.written.set(refKey(ref), written);
    writeDetail.run(id, detail);
    if (found?.lives) dropConfirmation.run(id);
    else sequence.objects++;
    rewind(id, found, milliseconds(object.onset.noticedAt));
    if (object.awaySince !== null || (found !== null && found.awayAt !== null))
      incidents.record(sequence.cluster, id, object);
  }

  /** A verdict that goes on was noticed earlier than it had been: the machine's clock was set back meanwhile. */
  function rewind(id: number, found: Found | null, noticedAt: number): void {
    if (found === null || found.noticedAt === null || found.noticedAt <= noticedAt) return;
    transitions.setBack(id, noticedAt);
    incidents.setBack(id, noticedAt);
  }

  function setBack(cluster: number, at: number): void {
    transitions.setAllBack(cluster, at);
    incidents.setAllBack(cluster, at);
    bringCoverageBack.run(milliseconds(at), cluster);
  }

  /** The traits of the record with which a verdict began. */
  function traitsOf(written: Written | undefined, transition: WriteBatch['transitions'][number]): number | null {
    const { at, noticedAt, to } = transition;
    const found = written?.records.find(
      ({ object: { onset, verdict } }) => onset.time === at && onset.noticedAt === noticedAt && verdict === to,
    );
    return found?.traits ?? null;
  }

  function putObjects(
    sequence: ClusterSequence,
    objects: readonly CurrentObject[],
    { details, words }: EncodedBatch,
  ): void {
    const ids: number[] = [];
    const wordId = (place: number): number => (ids[place] ??= dictionary.name(words[place] ?? ''));
    for (const [index, object] of objects.entries()) {
      putObject(sequence, object, storedDetail(details[index] ?? '', wordId));
    }
  }

  function remove(sequence: ClusterSequence, id: number, at: number, ended: 'removed' | 'forgotten'): void {
    incidents.end(id, at, ended);
    writeTombstone.run(++sequence.seq, id);
    dropDetail.run(id);
    dropConfirmation.run(id);
    sequence.objects--;
  }

  function putConfirmation(sequence: ClusterSequence, confirmation: WriteBatch['confirmations'][number]): void {
    const found = find(sequence, confirmation.ref);
    if (!found?.lives) return;
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

  function putTransition(sequence: ClusterSequence, transition: WriteBatch['transitions'][number]): void {
    const { ref, to } = transition;
    const traits = to === null ? null : traitsOf(sequence.written.get(refKey(ref)), transition);
    transitions.put(sequence.cluster, idOf(sequence, ref), transition, traits);
  }

  function putCoverage(sequence: ClusterSequence, change: CoverageChange): void {
    const kind = change.kind === null ? 0 : kindOf(sequence, change.kind);
    addCoverage.run(
      sequence.cluster,
      kind,
      milliseconds(change.at),
      change.observed ? 1 : 0,
      change.state,
      change.reason,
    );
  }

  function putResume(sequence: ClusterSequence, resume: StoredResume): void {
    const kind = kindOf(sequence, resume);
    if (resume.resourceVersion === '') dropResume.run(sequence.cluster, kind);
    else writeResume.run(sequence.cluster, kind, resume.version, resume.resourceVersion);
  }

  function within(name: string, task: (sequence: ClusterSequence) => void): void {
    const cluster = dictionary.cluster(name);
    const row = firstRow(readSequence, cluster);
    if (row === null) throw new Error(`the store has no head for cluster ${name}`);
    const sequence: ClusterSequence = {
      cluster,
      seq: whole(row[0]),
      confirmationSeq: whole(row[1]),
      objects: whole(row[2]),
      kind: null,
      written: new Map(),
    };
    task(sequence);
    writeSequence.run(sequence.seq, sequence.confirmationSeq, sequence.objects, cluster);
  }

  return {
    write(cluster, encoded) {
      const batch = recordBatchOf(encoded);
      within(cluster, (sequence) => {
        if (encoded.cluster !== null) writeCluster(sequence, encoded.cluster);
        if (batch.setBackTo !== undefined) setBack(sequence.cluster, batch.setBackTo);
        // What is made anew under the name of what was removed comes in one batch with that.
        for (const { ref, at } of batch.removed) {
          const found = find(sequence, ref);
          if (found?.lives) remove(sequence, found.id, at, 'removed');
        }
        putObjects(sequence, batch.objects, encoded);
        for (const confirmation of batch.confirmations) putConfirmation(sequence, confirmation);
        for (const transition of batch.transitions) putTransition(sequence, transition);
        for (const change of batch.changes) {
          putChange(sequence.cluster, change.ref === null ? noObject : idOf(sequence, change.ref), change);
          ledger.offered(sequence.cluster, change);
        }
        for (const { ref, correction } of batch.corrections)
          ledger.correction(sequence.cluster, idOf(sequence, ref), correction);
        for (const span of batch.earlier) ledger.earlier(idOf(sequence, span.ref), span);
        for (const { ref, commit, at } of batch.arrivals)
          ledger.arrived(sequence.cluster, idOf(sequence, ref), commit, at);
        for (const change of batch.coverage) putCoverage(sequence, change);
        for (const resume of batch.resume) putResume(sequence, resume);
      });
    },
    forget(cluster, at) {
      within(cluster, (sequence) => {
        for (const row of allRows(living, sequence.cluster)) {
          const id = whole(row[0]);
          transitions.end(sequence.cluster, id, at);
          remove(sequence, id, at, 'forgotten');
        }
        putCoverage(sequence, { cluster, kind: null, at, observed: false, state: 'forgotten', reason: null });
        writeRecord.run(null, ++sequence.seq, sequence.cluster);
        dropAllResumes.run(sequence.cluster);
      });
    },
  };
}
