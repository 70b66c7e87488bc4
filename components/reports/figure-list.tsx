'use client';

import type { WireReport } from '#lib/api/report.ts';
import { reportsPath } from '#lib/api/paths.ts';
import { shortTime } from '#lib/format/time.ts';
import { countOf } from '#lib/format/number.ts';
import { Linked } from './report-table.tsx';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

interface PeriodLineProps {
  readonly period: { readonly from: string; readonly to: string };
  readonly scope: WireReport['scope'];
  readonly simulated: boolean;
  readonly recordedSince: string | null;
}

/** Of which period and scope a list is, whether it is recorded, and the way back to the report. */
export function PeriodLine({ period, scope, simulated, recordedSince }: PeriodLineProps) {
  const { from, to } = period;
  const asked = Object.entries({ from, to, cluster: scope.cluster, label: scope.label }).filter(
    ([, value]) => value !== '',
  );
  const kind: readonly (readonly [string, string])[] =
    scope.kind === ''
      ? []
      : [
          ['group', scope.group === '' ? '-' : scope.group],
          ['kind', scope.kind],
        ];
  const on = scope.clusters === null ? 'all clusters' : countOf(scope.clusters.length, 'cluster');
  return (
    <p className="px-gutter pb-3 text-mute">
      {shortTime(Date.parse(from), 'year')} to {shortTime(Date.parse(to), 'year')} UTC, {on}
      {scope.label !== '' && ` with ${scope.label}`}
      {scope.kind !== '' && `, ${scope.kind} only`}
      {simulated && ', simulated'}. {recordedSince === null && 'Nothing is recorded. '}
      {recordedSince !== null &&
        recordedSince > from &&
        `The record begins on ${shortTime(Date.parse(recordedSince), 'year')} UTC. `}
      <Linked href={reportsPath(Object.fromEntries([...asked, ...kind]))} text="The report" />
    </p>
  );
}

/** Why a question about a period has no answer, and where one is to be had. */
export function RefusedScreen({ message, summary }: { readonly message: string; readonly summary: WireFleetSummary }) {
  return (
    <PageFrame title="Not to be had" tab="reports" summary={summary}>
      <EmptyState title={message} whole>
        <p className="mt-3">
          <a className="link" href={reportsPath()}>
            Report on the last 30 days
          </a>
        </p>
      </EmptyState>
    </PageFrame>
  );
}
