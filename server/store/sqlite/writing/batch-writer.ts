import type { DatabaseSync } from 'node:sqlite';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { RecordBatch } from '../../codec/decode.ts';
import { recordBatchOf, type EncodedBatch } from '../../codec/encoded.ts';
import type { IncidentPolicy } from '#lib/domain/incident/incident.ts';
import type { Transition } from '#lib/domain/record/current.ts';
import { setBackAtOnce, type FactSource } from '../../port/port.ts';
import { milliseconds } from '../rows/cells.ts';
import { noObject, openChangeWriter } from './change-writer.ts';
import { openClusterSequences, type ClusterSequence, type Written } from './cluster-sequence.ts';
import { openCoverageWriter } from './coverage-writer.ts';
import { openForgettable } from './forgettable.ts';
import type { Dictionary } from '../rows/dictionary.ts';
import { openAbsenceWriter } from './absence-writer.ts';
import { openIncidentWriter, type IncidentWriter } from './incidents/incident-writer.ts';
import { openLedgerWriter } from './ledger-writer.ts';
import { openObjectFinder, type ObjectFinder } from './object-finder.ts';
import { openObjectWriter } from './object-writer.ts';
import { openTransitionWriter } from './transition-writer.ts';

/** Writes what belongs to one cluster. Every call must be within a transaction that has checked the lease. */
export interface BatchWriter {
  /**
   * Writes a batch in the order cluster, removed, objects, confirmations, then what is append-only. True where it brings the record back with a clock,
   * and only some of that was done: then nothing else of it is written yet.
   */
  write(source: FactSource<'cluster'>, batch: EncodedBatch): boolean;
  /**
   * Turns the cluster and at most about `most` of its objects into tombstones; their spans and absences end at `at` (ms), and the record stays.
   * True if some are left.
   */
  forget(source: FactSource<'cluster'>, at: number, most: number): boolean;
}

/** The traits of the record with which a verdict began. */
function traitsOf(written: Written | undefined, { at, noticedAt, to }: Transition): number | null {
  if (to === null) return null;
  const found = written?.records.find(
    ({ object: { onset, verdict } }) => onset.time === at && onset.noticedAt === noticedAt && verdict === to,
  );
  return found?.traits ?? null;
}

/** Writes what stands beside the spans. */
function openBeside(database: DatabaseSync, dictionary: Dictionary, finder: ObjectFinder) {
  const ledger = openLedgerWriter(database, dictionary);
  const putChange = openChangeWriter(database, dictionary);
  return (sequence: ClusterSequence, batch: RecordBatch): void => {
    for (const change of batch.changes) {
      putChange(sequence.cluster, change.ref === null ? noObject : finder.idOf(sequence, change.ref), change);
      ledger.offered(sequence.cluster, change);
    }
    for (const { ref, correction } of batch.corrections)
      ledger.correction(sequence.cluster, finder.idOf(sequence, ref), correction);
    for (const span of batch.earlier) ledger.earlier(finder.idOf(sequence, span.ref), span);
    for (const { ref, commit, at } of batch.arrivals)
      ledger.arrived(sequence.cluster, finder.idOf(sequence, ref), commit, at);
  };
}

/** Parts of a record that are brought back with a clock. */
interface SetBackParts {
  readonly transitions: ReturnType<typeof openTransitionWriter>;
  readonly absences: ReturnType<typeof openAbsenceWriter>;
  readonly coverage: ReturnType<typeof openCoverageWriter>;
  readonly incidents: IncidentWriter;
}

/** Brings a cluster back to a time (ms), some of it in each step; true once all is. Who ends in between has the same batch, or the next one like it, go on. */
function openSetBack({ transitions, absences, coverage, incidents }: SetBackParts) {
  return (cluster: number, at: number): boolean => {
    const later = transitions.noticedLater(cluster, at, setBackAtOnce);
    for (const object of later) for (const part of [transitions, absences]) part.setBack(object, at);
    if (later.length === setBackAtOnce) return false;
    if (![absences, incidents].every((part) => part.setSomeBack(cluster, at, setBackAtOnce))) return false;
    for (const part of [coverage, incidents]) part.setBack(cluster, at);
    return true;
  };
}

/** Prepares the statements over an open database. */
export function openBatchWriter(database: DatabaseSync, dictionary: Dictionary, policy: IncidentPolicy): BatchWriter {
  const within = openClusterSequences(database, dictionary);
  const finder = openObjectFinder(database, dictionary);
  const transitions = openTransitionWriter(database, dictionary);
  const incidents = openIncidentWriter(database, dictionary, policy);
  const absences = openAbsenceWriter(database, dictionary, incidents);
  const coverage = openCoverageWriter(database, dictionary, incidents);
  const putBeside = openBeside(database, dictionary, finder);
  let writtenAt = 0;
  const objects = openObjectWriter(database, dictionary, finder.find, (cluster, id, found, object) => {
    const noticedAt = milliseconds(object.onset.noticedAt);
    // A verdict that goes on was noticed earlier than it had been: the machine's clock was set back meanwhile.
    if (found !== null && found.noticedAt !== null && found.noticedAt > noticedAt) {
      transitions.setBack(id, noticedAt);
      absences.setBack(id, noticedAt);
      incidents.setBack(cluster, noticedAt);
    }
    const at = found?.noticedAt === noticedAt ? writtenAt : object.onset.noticedAt;
    if (object.awaySince !== null || (found !== null && found.awayAt !== null))
      absences.record(cluster, id, object, at);
  });
  const writeRecord = database.prepare('UPDATE cluster SET record = ?, record_seq = ? WHERE id = ?');
  const forgettable = openForgettable(database);
  const setBack = openSetBack({ transitions, absences, coverage, incidents });

  function end(sequence: ClusterSequence, id: number, at: number, ended: 'removed' | 'forgotten'): void {
    absences.end(sequence.cluster, id, at, ended);
    objects.remove(sequence, id);
  }

  function putTransition(sequence: ClusterSequence, transition: Transition): void {
    const traits = traitsOf(sequence.written.get(refKey(transition.ref)), transition);
    transitions.put(sequence.cluster, finder.idOf(sequence, transition.ref), transition, traits);
  }

  return {
    write(source, encoded) {
      const batch = recordBatchOf(encoded);
      return within(source, (sequence) => {
        if (batch.setBackTo !== undefined && !setBack(sequence.cluster, batch.setBackTo)) return true;
        incidents.begin();
        writtenAt = batch.at;
        if (encoded.cluster !== null) writeRecord.run(encoded.cluster, ++sequence.seq, sequence.cluster);
        if (batch.planned !== undefined) incidents.planned(sequence.cluster, batch.planned, batch.at);
        // What is made anew under the name of what was removed comes in one batch with that.
        for (const { ref, at } of batch.removed) {
          const found = finder.find(sequence, ref);
          if (found?.isPresent) end(sequence, found.id, at, 'removed');
        }
        objects.putObjects(sequence, batch.objects, encoded);
        for (const confirmation of batch.confirmations) objects.putConfirmation(sequence, confirmation);
        for (const transition of batch.transitions) putTransition(sequence, transition);
        putBeside(sequence, batch);
        for (const change of batch.coverage) coverage.putCoverage(sequence, change);
        for (const resume of batch.resume) coverage.putResume(sequence, resume);
        incidents.commit(batch.at);
        return false;
      });
    },
    forget(source, at, most) {
      return within(source, (sequence) => {
        incidents.begin();
        const { ids, more } = forgettable.next(sequence, most);
        // In each step: who began to read in the middle has taken up what was left, and drops it.
        writeRecord.run(null, ++sequence.seq, sequence.cluster);
        coverage.forget(sequence, source.name, at);
        for (const id of ids) {
          transitions.end(sequence.cluster, id, at);
          end(sequence, id, at, 'forgotten');
        }
        incidents.commit(at);
        forgettable.taken(sequence);
        return more;
      });
    },
  };
}
