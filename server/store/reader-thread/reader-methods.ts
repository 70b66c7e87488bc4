import type { StoreReader } from '../port/port.ts';

/**
 * The threads that answer, each one question after the other. A report is the work of two, and no page waits for them: `figures` counts objects and sums
 * up how long they were in which verdict, `events` counts what happened. `rows` answers all other questions.
 */
export type ReaderThread = 'figures' | 'events' | 'rows';

/** Makes a method, given where a reader has it and the thread that answers it: always the same, or by what is asked. */
export type MakeMethod = <A extends readonly unknown[], T>(
  of: (reader: StoreReader) => (...asked: A) => Promise<T>,
  by: ReaderThread | ((...asked: A) => ReaderThread),
) => (...asked: A) => Promise<T>;

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
      absenceFigures: make(({ record }) => record.absenceFigures, 'events'),
      // By any other order all of a period are looked at: reports ask so.
      incidents: make(
        ({ record }) => record.incidents,
        ({ order }) => (order === 'newest' ? 'rows' : 'events'),
      ),
      incidentCount: make(({ record }) => record.incidentCount, 'rows'),
      incident: make(({ record }) => record.incident, 'rows'),
      members: make(({ record }) => record.members, 'rows'),
      membersOfMany: make(({ record }) => record.membersOfMany, 'rows'),
      incidentSteps: make(({ record }) => record.incidentSteps, 'rows'),
      membershipsOf: make(({ record }) => record.membershipsOf, 'rows'),
      causeFigures: make(({ record }) => record.causeFigures, 'events'),
      incidentNews: make(({ record }) => record.incidentNews, 'rows'),
      incidentsUpTo: make(({ record }) => record.incidentsUpTo, 'rows'),
      calls: make(({ record }) => record.calls, 'rows'),
      callsOf: make(({ record }) => record.callsOf, 'rows'),
      alarmFigures: make(({ record }) => record.alarmFigures, 'events'),
      absencesCalled: make(({ record }) => record.absencesCalled, 'rows'),
      callsOfIncident: make(({ record }) => record.callsOfIncident, 'rows'),
      incidentCalls: make(({ record }) => record.incidentCalls, 'rows'),
      alarmCoverage: make(({ record }) => record.alarmCoverage, 'events'),
      corrections: make(({ record }) => record.corrections, 'rows'),
      correctionDays: make(({ record }) => record.correctionDays, 'events'),
      shares: make(({ record }) => record.shares, 'figures'),
      wallClock: make(({ record }) => record.wallClock, 'figures'),
      objectCount: make(({ record }) => record.objectCount, 'figures'),
      hasObject: make(({ record }) => record.hasObject, 'rows'),
      worst: make(({ record }) => record.worst, 'figures'),
      suspensions: make(({ record }) => record.suspensions, 'events'),
      changeCounts: make(({ record }) => record.changeCounts, 'events'),
      arrivals: make(({ record }) => record.arrivals, 'rows'),
      arrivalTimes: make(({ record }) => record.arrivalTimes, 'events'),
      transitions: make(({ record }) => record.transitions, 'rows'),
      transitionCount: make(({ record }) => record.transitionCount, 'rows'),
      changesBeside: make(({ record }) => record.changesBeside, 'rows'),
      stateAt: make(({ record }) => record.stateAt, 'rows'),
    },
  };
}
