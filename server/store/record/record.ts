import type { RecordReader } from '../port/record-port.ts';
import { readCalls } from './alarm/calls.ts';
import { readGaps } from './gaps.ts';
import { readAbsences } from './absences.ts';
import { readIncidents } from './incident/read-incidents.ts';
import { readLedger } from './ledger.ts';
import { readPastMoment } from './past-moment.ts';
import { nothingRecorded, type Recorded } from './recorded.ts';
import { readShares } from './shares.ts';
import { readSpans } from './spans.ts';
import { readSuspensions } from './suspensions.ts';
import { readTransitions } from './transitions.ts';
import { readWallClock } from './wall-clock.ts';

/**
 * The record over rows, pure: each answer looks at every row. What an engine answers faster is held against this by the contract
 * suite. The lists may grow while it is asked.
 */
export function readRecord(rows: Partial<Recorded>): RecordReader {
  const recorded: Recorded = { ...nothingRecorded, ...rows };
  return {
    ...readSpans(recorded),
    ...readCalls(recorded),
    ...readGaps(recorded),
    ...readAbsences(recorded),
    ...readIncidents(recorded.incidents),
    ...readLedger(recorded),
    ...readShares(recorded),
    ...readTransitions(recorded),
    wallClock: readWallClock(recorded),
    suspensions: readSuspensions(recorded),
    stateAt: readPastMoment(recorded),
  };
}
