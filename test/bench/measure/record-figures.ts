import type { Figure } from '../figure.ts';
import type { RecordResult } from './measure-record.ts';

/** The size of the record that the bars are for. */
const at = '10,000,000 spans, 60,000 objects';

/** Figures measured of the record, beside its bars. */
export function recordFigures(result: RecordResult): readonly Figure[] {
  const { bulk, bytes, carriedOver, calls, rollUp, ceiling, report, longestQuestion, timeline, past, matrix, writing } =
    result;
  const size = `${bulk.spans.toLocaleString('en')} spans`;
  const area = `Record: ${size} of ${bulk.objects.toLocaleString('en')} objects in 90 days`;
  return [
    { area, name: 'absences among them', value: bulk.absences, unit: 'count', bar: null },
    { area, name: 'on disk', value: bytes, unit: 'bytes', bar: null },
    { area, name: 'written in bulk', value: bulk.seconds, unit: 's', bar: null },
    { area, name: 'made into incidents in the background', value: carriedOver.seconds, unit: 's', bar: null },
    { area, name: 'calls', value: calls, unit: 'count', bar: null },
    { area, name: 'incidents made', value: carriedOver.incidents, unit: 'count', bar: null },
    { area, name: 'rolled up, all days', value: rollUp.seconds, unit: 's', bar: null },
    { area, name: 'rolling up, longest step', value: rollUp.longest, unit: 'ms', bar: null },
    {
      area,
      name: 'ceiling: what a report is added up from read, nothing done',
      value: ceiling.ms,
      unit: 'ms',
      bar: null,
    },
    { area, name: 'read by the ceiling', value: ceiling.bytes, unit: 'bytes', bar: null },
    {
      area,
      name: 'report on 90 days, first of a process that read nothing yet, with its calls',
      value: report.cold,
      unit: 'ms',
      bar: { most: 1_000, at },
    },
    { area, name: 'report on 30 days, behind it', value: report.month, unit: 'ms', bar: null },
    { area, name: 'report on 90 days, first after these', value: report.first, unit: 'ms', bar: { most: 1_000, at } },
    { area, name: 'report on 90 days, again', value: report.again, unit: 'ms', bar: { most: 1_000, at } },
    { area, name: 'report on 90 days, after a write', value: report.written, unit: 'ms', bar: { most: 1_000, at } },
    {
      area,
      name: 'report on 45 days and the 45 before, first',
      value: report.comparedFirst,
      unit: 'ms',
      bar: { most: 1_000, at },
    },
    { area, name: 'report on 45 days and the 45 before', value: report.compared, unit: 'ms', bar: { most: 1_000, at } },
    { area, name: 'report on days that begin at 01:01', value: report.odd, unit: 'ms', bar: null },
    { area, name: 'longest question of a report', value: longestQuestion, unit: 'ms', bar: null },
    { area, name: 'timeline of an object, p50', value: timeline.p50, unit: 'ms', bar: null },
    { area, name: 'timeline of an object, p99', value: timeline.p99, unit: 'ms', bar: { most: 20, at } },
    { area, name: 'fleet at a past moment, read first', value: past.first, unit: 'ms', bar: null },
    { area, name: 'fleet at a past moment, read, p50', value: past.p50, unit: 'ms', bar: null },
    { area, name: 'fleet at a past moment, read, p99', value: past.p99, unit: 'ms', bar: null },
    { area, name: 'matrix at a past moment, first', value: matrix.first, unit: 'ms', bar: null },
    { area, name: 'matrix at a past moment, p50', value: matrix.p50, unit: 'ms', bar: { most: 200, at } },
    { area, name: 'matrix at a past moment, p99', value: matrix.p99, unit: 'ms', bar: null },
    ...(writing === null ? [] : recordingFigures(writing)),
  ];
}

function recordingFigures(writing: NonNullable<RecordResult['writing']>): readonly Figure[] {
  const meanwhile = `Record: while a report, timelines and past moments are asked again and again`;
  return [
    { area: meanwhile, name: 'transitions recorded, alone', value: writing.alone, unit: 'objects/s', bar: null },
    { area: meanwhile, name: 'transitions recorded meanwhile', value: writing.asked, unit: 'objects/s', bar: null },
    { area: meanwhile, name: 'commit meanwhile, p99', value: writing.commit, unit: 'ms', bar: null },
    { area: meanwhile, name: 'report on 45 days meanwhile, slowest', value: writing.report, unit: 'ms', bar: null },
  ];
}
