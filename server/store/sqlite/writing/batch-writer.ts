import type { DatabaseSync } from 'node:sqlite';
import { refKey } from '#lib/domain/observation/ref.ts';
import { recordBatchOf, type EncodedBatch } from '../../codec/encoded.ts';
import type { Transition } from '#lib/domain/record/current.ts';
import type { FactSource } from '../../port/port.ts';
import { allRows, milliseconds, whole } from '../rows/cells.ts';
import { noObject, openChangeWriter } from './change-writer.ts';
import { openClusterSequences, type ClusterSequence, type Written } from './cluster-sequence.ts';
import { openCoverageWriter } from './coverage-writer.ts';
import { prepare } from '../database.ts';
import type { Dictionary } from '../rows/dictionary.ts';
import { openIncidentWriter } from './incident-writer.ts';
import { openLedgerWriter } from './ledger-writer.ts';
import { openObjectFinder } from './object-finder.ts';
import { openObjectWriter } from './object-writer.ts';
import { openTransitionWriter } from './transition-writer.ts';

/** Writes what belongs to one cluster. Every call must be within a transaction that has checked the lease. */
export interface BatchWriter {
  /** Writes a batch in the order cluster, removed, objects, confirmations, then what is append-only. */
  write(source: FactSource<'cluster'>, batch: EncodedBatch): void;
  /** Turns the cluster and all its objects into tombstones; their spans and incidents end at `at` (ms), and the record stays. */
  forget(source: FactSource<'cluster'>, at: number): void;
}

/** The traits of the record with which a verdict began. */
function traitsOf(written: Written | undefined, transition: Transition): number | null {
  const { at, noticedAt, to } = transition;
  const found = written?.records.find(
    ({ object: { onset, verdict } }) => onset.time === at && onset.noticedAt === noticedAt && verdict === to,
  );
  return found?.traits ?? null;
}

/** Prepares the statements over an open database. */
export function openBatchWriter(database: DatabaseSync, dictionary: Dictionary): BatchWriter {
  const within = openClusterSequences(database, dictionary);
  const finder = openObjectFinder(database, dictionary);
  const transitions = openTransitionWriter(database, dictionary);
  const incidents = openIncidentWriter(database, dictionary);
  const ledger = openLedgerWriter(database, dictionary);
  const coverage = openCoverageWriter(database, dictionary);
  const putChange = openChangeWriter(database, dictionary);
  const objects = openObjectWriter(database, dictionary, finder.find, (cluster, id, found, object) => {
    const noticedAt = milliseconds(object.onset.noticedAt);
    // A verdict that goes on was noticed earlier than it had been: the machine's clock was set back meanwhile.
    if (found !== null && found.noticedAt !== null && found.noticedAt > noticedAt) {
      transitions.setBack(id, noticedAt);
      incidents.setBack(id, noticedAt);
    }
    if (object.awaySince !== null || (found !== null && found.awayAt !== null)) incidents.record(cluster, id, object);
  });
  const writeRecord = database.prepare('UPDATE cluster SET record = ?, record_seq = ? WHERE id = ?');
  const living = prepare(database, 'SELECT id FROM object WHERE cluster = ? AND traits IS NOT NULL ORDER BY seq');

  function setBack(cluster: number, at: number): void {
    transitions.setAllBack(cluster, at);
    incidents.setAllBack(cluster, at);
    coverage.setBack(cluster, at);
  }

  function end(sequence: ClusterSequence, id: number, at: number, ended: 'removed' | 'forgotten'): void {
    incidents.end(id, at, ended);
    objects.remove(sequence, id);
  }

  function putTransition(sequence: ClusterSequence, transition: Transition): void {
    const { ref, to } = transition;
    const traits = to === null ? null : traitsOf(sequence.written.get(refKey(ref)), transition);
    transitions.put(sequence.cluster, finder.idOf(sequence, ref), transition, traits);
  }

  return {
    write(source, encoded) {
      const batch = recordBatchOf(encoded);
      within(source, (sequence) => {
        if (encoded.cluster !== null) writeRecord.run(encoded.cluster, ++sequence.seq, sequence.cluster);
        if (batch.setBackTo !== undefined) setBack(sequence.cluster, batch.setBackTo);
        // What is made anew under the name of what was removed comes in one batch with that.
        for (const { ref, at } of batch.removed) {
          const found = finder.find(sequence, ref);
          if (found?.isPresent) end(sequence, found.id, at, 'removed');
        }
        objects.putObjects(sequence, batch.objects, encoded);
        for (const confirmation of batch.confirmations) objects.putConfirmation(sequence, confirmation);
        for (const transition of batch.transitions) putTransition(sequence, transition);
        for (const change of batch.changes) {
          putChange(sequence.cluster, change.ref === null ? noObject : finder.idOf(sequence, change.ref), change);
          ledger.offered(sequence.cluster, change);
        }
        for (const { ref, correction } of batch.corrections)
          ledger.correction(sequence.cluster, finder.idOf(sequence, ref), correction);
        for (const span of batch.earlier) ledger.earlier(finder.idOf(sequence, span.ref), span);
        for (const { ref, commit, at } of batch.arrivals)
          ledger.arrived(sequence.cluster, finder.idOf(sequence, ref), commit, at);
        for (const change of batch.coverage) coverage.putCoverage(sequence, change);
        for (const resume of batch.resume) coverage.putResume(sequence, resume);
      });
    },
    forget(source, at) {
      within(source, (sequence) => {
        for (const row of allRows(living, sequence.cluster)) {
          const id = whole(row[0]);
          transitions.end(sequence.cluster, id, at);
          end(sequence, id, at, 'forgotten');
        }
        const forgotten = { kind: null, at, observed: false, state: 'forgotten', reason: null };
        coverage.putCoverage(sequence, { cluster: source.name, ...forgotten });
        writeRecord.run(null, ++sequence.seq, sequence.cluster);
        coverage.dropAllResumes(sequence.cluster);
      });
    },
  };
}
