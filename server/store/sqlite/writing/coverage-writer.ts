import type { DatabaseSync } from 'node:sqlite';
import type { CoverageChange, StoredResume } from '../../port/port.ts';
import { milliseconds } from '../rows/cells.ts';
import type { Dictionary } from '../rows/dictionary.ts';
import { kindOf, type ClusterSequence } from './cluster-sequence.ts';
import type { IncidentWriter } from './incidents/incident-writer.ts';

/**
 * Writes what was being observed, and where watches may resume, over an open database, and tells `incidents` of it. Call it within a
 * transaction only.
 */
export function openCoverageWriter(database: DatabaseSync, dictionary: Dictionary, incidents: IncidentWriter) {
  const bringCoverageBack = database.prepare('UPDATE OR REPLACE coverage SET at = ?1 WHERE cluster = ?2 AND at > ?1');
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

  function putCoverage(sequence: ClusterSequence, change: CoverageChange): void {
    const kind = change.kind === null ? 0 : kindOf(dictionary, sequence, change.kind);
    const { cluster, objects } = sequence;
    const { changes, lastInsertRowid } = addCoverage.run(
      cluster,
      kind,
      milliseconds(change.at),
      change.observed ? 1 : 0,
      change.state,
      change.reason,
    );
    if (changes !== 0) incidents.covered(change, { id: Number(lastInsertRowid), cluster, objects });
  }

  function putResume(sequence: ClusterSequence, resume: StoredResume): void {
    const kind = kindOf(dictionary, sequence, resume);
    if (resume.resourceVersion === '') dropResume.run(sequence.cluster, kind);
    else writeResume.run(sequence.cluster, kind, resume.version, resume.resourceVersion);
  }

  return {
    putCoverage,
    putResume,
    /** The cluster is forgotten since `at` (ms): nobody looks, and no watch resumes. */
    forget(sequence: ClusterSequence, cluster: string, at: number): void {
      putCoverage(sequence, { cluster, kind: null, at, observed: false, state: 'forgotten', reason: null });
      dropAllResumes.run(sequence.cluster);
    },
    /** The machine's clock was set back to `at` (ms): nothing of the cluster was noticed later. */
    setBack: (cluster: number, at: number): void => void bringCoverageBack.run(milliseconds(at), cluster),
  };
}
