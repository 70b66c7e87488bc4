import { objectTimesWithin } from './told-within.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';
import { objectWithin } from '../hide/object.ts';
import type { SightNow } from '../sight.ts';
import { callsWithin } from './calls-within.ts';
import { incidentsWithin } from './incidents-within.ts';
import { sealedPages } from './sealed-pages.ts';

/** One decision for each method of the record: a new one is told to nobody before it has its own. */
type Decided<Reader> = { readonly [Method in keyof Reader]-?: Reader[Method] };

/**
 * The record as a sight tells it: of what lies outside nothing is told, and nothing is counted; where it is the cause of something inside it has no
 * name.
 */
export function recordWithin(record: RecordReader, sightNow: SightNow): RecordReader {
  const within = (scope: RecordScope): RecordScope => ({ ...scope, within: sightNow().within });
  const told = objectTimesWithin(sightNow);
  const decided: Decided<RecordReader> = {
    ...callsWithin(record, sightNow),
    ...incidentsWithin(record, sightNow),
    since: (scope) => record.since(within(scope)),
    spans: async (ref, period, limit) =>
      sightNow().sees(ref) ? (await record.spans(ref, period, limit)).map(told.caused) : [],
    async spansIn(scope, period, page) {
      return told.page(await record.spansIn(within(scope), period, page));
    },
    earlier: async (ref) => (sightNow().sees(ref) ? record.earlier(ref) : []),
    async gaps(clusters, period) {
      const { granted } = sightNow();
      return record.gaps(
        clusters.filter((name) => granted(name) !== 'none'),
        period,
      );
    },
    async absences(scope, period, page) {
      return told.page(await record.absences(within(scope), period, page));
    },
    absenceFigures: (scope, period, alarmWithin) => record.absenceFigures(within(scope), period, alarmWithin),
    corrections: (scope, period, page) => record.corrections(within(scope), period, page),
    correctionDays: (scope, period) => record.correctionDays(within(scope), period),
    shares: (scope, period, by) => record.shares(within(scope), period, by),
    wallClock: (scope, period, applications) => record.wallClock(within(scope), period, applications),
    objectCount: (scope, period) => record.objectCount(within(scope), period),
    hasObject: (scope, period) => record.hasObject(within(scope), period),
    worst: (scope, period, limit) => record.worst(within(scope), period, limit),
    async suspensions(scope, period, limit) {
      const found = await record.suspensions(within(scope), period, limit);
      return found.map((one) => ({ ...one, span: told.caused(one.span) }));
    },
    changeCounts: (scope, period, types) => record.changeCounts(within(scope), period, types),
    arrivals: (scope, period, limit) => record.arrivals(within(scope), period, limit),
    arrivalTimes: (scope, period) => record.arrivalTimes(within(scope), period),
    async transitions(scope, period, page) {
      return told.page(await record.transitions(within(scope), period, page));
    },
    transitionCount: (scope, period, most) => record.transitionCount(within(scope), period, most),
    changesBeside: (at, scope) => record.changesBeside(at, within(scope)),
    async stateAt(at, scope) {
      const sight = sightNow();
      const { clusters, objects } = await record.stateAt(at, within(scope));
      return { clusters, objects: objects.map((object) => objectWithin(object, sight)) };
    },
    async absencesCalled(scope, period, asked) {
      return told.page(await record.absencesCalled(within(scope), period, asked));
    },
    async alarmFigures(scope, period, alarmWithin) {
      const figures = await record.alarmFigures(within(scope), period, alarmWithin);
      // How many calls a source made may be those of others.
      return { ...figures, unlooked: figures.unlooked.map(({ source }) => ({ source, calls: null })) };
    },
  };
  return sealedPages(decided);
}
