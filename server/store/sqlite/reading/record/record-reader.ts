import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '#server/runtime/clock.ts';
import type { RecordReader } from '../../../port/record-port.ts';
import { sharePieces, type AwayPieces } from './shared-pieces.ts';
import { openHasObject, openObjectCount } from '../object-count.ts';
import { recentReadings } from './recent-readings.ts';
import { openRecordGaps } from './record-gaps.ts';
import { openIncidentReader } from './incident-reader.ts';
import { openRecordIncidents } from './record-incidents.ts';
import { openRecordLedger } from './record-ledger.ts';
import { openPieces } from './record-pieces.ts';
import { openRollupReader } from './record-rollups.ts';
import type { Scopes } from './record-scope.ts';
import { openRecordShares } from './record-shares.ts';
import type { Tally } from './share-tally.ts';
import { openRecordSpans } from './record-spans.ts';
import { openRecordState } from './record-state.ts';
import { openRecordSuspensions } from './record-suspensions.ts';
import { openSnapshotAt, openUnchangedThrough } from '../../rows/snapshot-position.ts';
import { openWallClock } from './record-wall-clock.ts';
import { openRecordTransitions } from './record-transitions.ts';
import { openWorst } from './record-worst.ts';

/** Of each sort: a report is about two periods, and each may begin and end within a day. */
const readingsKept = 4;

/** The record over a database that is open for reading; `textOf` gives the text of an id. Each question sees one moment of it. */
export function openRecordReader(
  database: DatabaseSync,
  scopes: Scopes,
  textOf: (id: number) => string,
  clock: Clock,
): RecordReader {
  const gaps = openRecordGaps(scopes);
  const rollups = openRollupReader(scopes);
  const pieces = sharePieces(
    openPieces(scopes, gaps, { through: openUnchangedThrough(scopes, rollups), at: openSnapshotAt(scopes, rollups) }),
    recentReadings<AwayPieces | null>(scopes, clock, readingsKept),
  );
  const incidents = openIncidentReader(scopes, pieces);
  const shares = openRecordShares(scopes, pieces, rollups, recentReadings<Tally>(scopes, clock, readingsKept));
  const objectCount = openObjectCount(scopes, rollups);
  const spans = openRecordSpans(scopes, textOf);
  const ledger = openRecordLedger(scopes, textOf);
  const figures = openRecordIncidents(scopes, incidents, rollups, textOf);
  const transitions = openRecordTransitions(scopes, textOf);
  const stateAt = openRecordState(scopes, incidents, rollups, textOf);

  /** Nothing within waits for anything, so the transaction is over before another question begins. */
  function atOnce<A extends readonly unknown[], T>(question: (...asked: A) => Promise<T>): (...asked: A) => Promise<T> {
    return (...asked) => {
      database.exec('BEGIN');
      try {
        return question(...asked);
      } finally {
        database.exec('COMMIT');
      }
    };
  }

  return {
    since: atOnce(gaps.since),
    spans: atOnce(spans.spans),
    spansIn: atOnce(spans.spansIn),
    earlier: atOnce(ledger.earlier),
    gaps: atOnce(gaps.gaps),
    incidents: atOnce(figures.incidents),
    incidentFigures: atOnce(figures.incidentFigures),
    corrections: atOnce(ledger.corrections),
    correctionDays: atOnce(ledger.correctionDays),
    shares: atOnce(shares.shares),
    objectCount: atOnce(objectCount),
    hasObject: atOnce(openHasObject(scopes)),
    wallClock: atOnce(openWallClock(scopes, gaps, pieces, rollups)),
    worst: atOnce(openWorst(scopes, shares)),
    suspensions: atOnce(openRecordSuspensions(scopes, textOf)),
    changeCounts: atOnce(ledger.changeCounts),
    arrivals: atOnce(ledger.arrivals),
    arrivalTimes: atOnce(ledger.arrivalTimes),
    transitions: atOnce(transitions.transitions),
    transitionCount: atOnce(transitions.transitionCount),
    changesBeside: atOnce(transitions.changesBeside),
    stateAt: atOnce(async (at, scope) => stateAt(at, scope)),
  };
}
