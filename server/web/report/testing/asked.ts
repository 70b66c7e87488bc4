import { day, hour } from '#lib/domain/time/length.ts';
import type { ReportRequest } from '../ask-report.ts';
import { november, october } from './october.ts';

/** All clusters, all kinds. */
export const everywhere: ReportRequest['scope'] = { clusters: null, cluster: '', label: '', kind: null };

/** A report over October, made on 2 November, where nothing else is said. */
export function asked(rest: Partial<ReportRequest> = {}): ReportRequest {
  return {
    period: { from: october, to: november, end: november },
    scope: everywhere,
    asOf: november + day,
    version: '1.2.3',
    simulated: false,
    alarmWithin: hour / 4,
    ...rest,
  };
}
