import type { Period } from '#lib/domain/record/span.ts';
import type { RecordReader } from '#server/store/port/record-port.ts';
import { askReport } from '#server/web/report/ask-report.ts';

/** Asks a record for the report on the whole fleet, as the page does. */
export async function askBenchReport(record: RecordReader, period: Period): Promise<unknown> {
  return askReport(record, {
    period: { ...period, end: period.to },
    scope: { clusters: null, cluster: '', label: '', kind: null },
    asOf: period.to,
    version: 'bench',
    simulated: true,
    alarmWithin: 900_000,
  });
}
