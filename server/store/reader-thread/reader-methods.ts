import type { StoreReader } from '../port/port.ts';

/** Makes a method, given where a reader has it. */
export type MakeMethod = <A extends readonly unknown[], T>(
  of: (reader: StoreReader) => (...asked: A) => Promise<T>,
) => (...asked: A) => Promise<T>;

/**
 * The methods of a reader that a thread answers, each made by `make`. Both sides of the channel are made from this table: a method
 * has the same number on both, its place in it.
 */
export function readerMethods(make: MakeMethod): Omit<StoreReader, 'follow' | 'close'> {
  return {
    detail: make((reader) => reader.detail),
    transitions: make((reader) => reader.transitions),
    recent: make((reader) => reader.recent),
    changes: make((reader) => reader.changes),
    coverage: make((reader) => reader.coverage),
    clusters: make((reader) => reader.clusters),
    stats: make((reader) => reader.stats),
    record: {
      since: make(({ record }) => record.since),
      spans: make(({ record }) => record.spans),
      spansIn: make(({ record }) => record.spansIn),
      earlier: make(({ record }) => record.earlier),
      gaps: make(({ record }) => record.gaps),
      absences: make(({ record }) => record.absences),
      absenceFigures: make(({ record }) => record.absenceFigures),
      incidents: make(({ record }) => record.incidents),
      incidentCount: make(({ record }) => record.incidentCount),
      incident: make(({ record }) => record.incident),
      members: make(({ record }) => record.members),
      incidentSteps: make(({ record }) => record.incidentSteps),
      membershipsOf: make(({ record }) => record.membershipsOf),
      causeFigures: make(({ record }) => record.causeFigures),
      incidentNews: make(({ record }) => record.incidentNews),
      incidentsUpTo: make(({ record }) => record.incidentsUpTo),
      corrections: make(({ record }) => record.corrections),
      correctionDays: make(({ record }) => record.correctionDays),
      shares: make(({ record }) => record.shares),
      wallClock: make(({ record }) => record.wallClock),
      objectCount: make(({ record }) => record.objectCount),
      hasObject: make(({ record }) => record.hasObject),
      worst: make(({ record }) => record.worst),
      suspensions: make(({ record }) => record.suspensions),
      changeCounts: make(({ record }) => record.changeCounts),
      arrivals: make(({ record }) => record.arrivals),
      arrivalTimes: make(({ record }) => record.arrivalTimes),
      transitions: make(({ record }) => record.transitions),
      transitionCount: make(({ record }) => record.transitionCount),
      changesBeside: make(({ record }) => record.changesBeside),
      stateAt: make(({ record }) => record.stateAt),
    },
  };
}
