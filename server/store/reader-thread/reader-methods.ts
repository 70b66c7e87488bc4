import type { StoreReader } from '../port/port.ts';
import type { RecordScope } from '../port/record-scope.ts';

/**
 * The threads that answer, each one question after the other. A report is the work of two, and no page waits for them: `figures` counts objects and sums
 * up how long they were in which verdict, `events` counts what happened. Of a part of clusters `parts` counts both: no sums of whole days answer for that, and
 * nobody who asks for whole clusters waits for it. `rows` answers all other questions.
 */
export type ReaderThread = 'figures' | 'events' | 'parts' | 'rows';

/** Makes a method, given where a reader has it and the thread that answers it: always the same, or by what is asked. */
export type MakeMethod = <A extends readonly unknown[], T>(
  of: (reader: StoreReader) => (...asked: A) => Promise<T>,
  by: ReaderThread | ((...asked: A) => ReaderThread),
) => (...asked: A) => Promise<T>;

/** The thread that counts in a scope: `whole` for one of whole clusters, and of one object, which is soon counted. */
function countedBy(whole: ReaderThread): (...asked: readonly [RecordScope, ...unknown[]]) => ReaderThread {
  return ({ kind, namespace, name, within }) => {
    const isPart = name === undefined && (kind !== undefined || namespace !== undefined || within !== undefined);
    return isPart ? 'parts' : whole;
  };
}

const summed = countedBy('figures');
const counted = countedBy('events');

/**
 * The methods of a reader that a thread answers, each made by `make`. Both sides of the channel are made from this table: a method
 * has the same number on both, its place in it. Figures that must add up to each other come of one thread, which reads once for all.
 */
export function readerMethods(make: MakeMethod): Omit<StoreReader, 'follow' | 'close'> {
  return {
    detail: make((reader) => reader.detail, 'rows'),
    transitions: make((reader) => reader.transitions, 'rows'),
    recent: make((reader) => reader.recent, 'rows'),
    changes: make((reader) => reader.changes, 'rows'),
    coverage: make((reader) => reader.coverage, 'rows'),
    clusters: make((reader) => reader.clusters, 'rows'),
    alarmSources: make((reader) => reader.alarmSources, 'rows'),
    stats: make((reader) => reader.stats, 'rows'),
    record: {
      since: make(({ record }) => record.since, 'rows'),
      spans: make(({ record }) => record.spans, 'rows'),
      spansIn: make(({ record }) => record.spansIn, 'rows'),
      earlier: make(({ record }) => record.earlier, 'rows'),
      gaps: make(({ record }) => record.gaps, 'rows'),
      absences: make(({ record }) => record.absences, 'rows'),
      absenceFigures: make(({ record }) => record.absenceFigures, counted),
      // By any other order all of a period are looked at: reports ask so.
      incidents: make(
        ({ record }) => record.incidents,
        ({ order, scope }) => (order === 'newest' ? 'rows' : counted(scope)),
      ),
      incidentCount: make(({ record }) => record.incidentCount, 'rows'),
      incident: make(({ record }) => record.incident, 'rows'),
      members: make(({ record }) => record.members, 'rows'),
      membersOfMany: make(({ record }) => record.membersOfMany, 'rows'),
      incidentSteps: make(({ record }) => record.incidentSteps, 'rows'),
      membershipsOf: make(({ record }) => record.membershipsOf, 'rows'),
      causeFigures: make(({ record }) => record.causeFigures, counted),
      incidentNews: make(({ record }) => record.incidentNews, 'rows'),
      incidentsUpTo: make(({ record }) => record.incidentsUpTo, 'rows'),
      calls: make(({ record }) => record.calls, 'rows'),
      callsOf: make(({ record }) => record.callsOf, 'rows'),
      alarmFigures: make(({ record }) => record.alarmFigures, counted),
      absencesCalled: make(({ record }) => record.absencesCalled, 'rows'),
      callsOfIncident: make(({ record }) => record.callsOfIncident, 'rows'),
      incidentCalls: make(({ record }) => record.incidentCalls, 'rows'),
      alarmCoverage: make(({ record }) => record.alarmCoverage, 'events'),
      corrections: make(({ record }) => record.corrections, 'rows'),
      correctionDays: make(({ record }) => record.correctionDays, counted),
      shares: make(({ record }) => record.shares, summed),
      wallClock: make(({ record }) => record.wallClock, summed),
      objectCount: make(({ record }) => record.objectCount, summed),
      hasObject: make(({ record }) => record.hasObject, 'rows'),
      worst: make(({ record }) => record.worst, summed),
      suspensions: make(({ record }) => record.suspensions, counted),
      changeCounts: make(({ record }) => record.changeCounts, counted),
      arrivals: make(({ record }) => record.arrivals, 'rows'),
      arrivalTimes: make(({ record }) => record.arrivalTimes, counted),
      transitions: make(({ record }) => record.transitions, 'rows'),
      transitionCount: make(({ record }) => record.transitionCount, 'rows'),
      changesBeside: make(({ record }) => record.changesBeside, 'rows'),
      stateAt: make(({ record }) => record.stateAt, 'rows'),
    },
  };
}
