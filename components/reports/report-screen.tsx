'use client';

import './report.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { addressOf } from '#lib/api/endpoint.ts';
import { reportApi, reportFormats, type WireReport } from '#lib/api/report.ts';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { reportsPath } from '#lib/api/paths.ts';
import { reportLinks } from '#lib/report/links.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { parseTime } from '#lib/format/time.ts';
import { minute } from '#lib/domain/time/length.ts';
import { endpointQuery } from '../queries/endpoint-query.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { useNow } from '../ui/now.tsx';
import { StickyLine } from '../ui/sticky-line.tsx';
import { requestedParams, type Asked } from './requested-report.ts';
import { ReportBody } from './report-body.tsx';
import { ReportControls, type ScopeOffer } from './report-controls.tsx';
import { useRequested } from './use-requested.ts';

/** The report that the server sent with the page, or why there is none. */
export interface SentReport {
  readonly asked: Asked;
  readonly answer:
    | { readonly type: 'report'; readonly report: WireReport }
    | { readonly type: 'none'; readonly message: string };
}

interface ReportScreenProps {
  readonly sent: SentReport;
  readonly offer: ScopeOffer;
  readonly summary: WireFleetSummary;
}

/** A period of the record, in words, figures and tables. */
export function ReportScreen({ sent, offer, summary }: ReportScreenProps) {
  const shown = useShown(sent);
  const permalink = shown.report === undefined ? null : reportLinks(shown.report).self;
  return (
    <PageFrame title="Drift report" tab="reports" summary={summary} permalink={permalink}>
      <Report shown={shown} offer={offer} />
    </PageFrame>
  );
}

/** The report that the address asks for, as far as it is there. */
function useShown(sent: SentReport) {
  const [asked, change] = useRequested();
  const params = requestedParams(asked);
  const same = JSON.stringify(params) === JSON.stringify(requestedParams(sent.asked));
  const first = sent.answer.type === 'report' ? sent.answer.report : undefined;
  const query = useQuery({
    ...endpointQuery(reportApi, params),
    // A report is of the moment at which it was asked for: it is made again only when its reader says so.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    ...(same && first !== undefined ? { initialData: first } : {}),
    enabled: !same || first !== undefined,
  });
  const refused = same && sent.answer.type === 'none' ? sent.answer.message : (query.error?.message ?? null);
  const report = query.data ?? (same ? undefined : first);
  return { asked, change, params, refused, report, waiting: query.isFetching, again: () => void query.refetch() };
}

interface ReportProps {
  readonly shown: ReturnType<typeof useShown>;
  readonly offer: ScopeOffer;
}

function Report({ shown, offer }: ReportProps) {
  const { asked, change, params, refused, report, waiting, again } = shown;
  return (
    <>
      <ReportControls asked={asked} change={change} offer={offer} shown={report?.period ?? null} />
      {refused !== null && (
        <StickyLine tone="warn">
          <span>
            {refused} {report !== undefined && 'What stands here is the report before.'}
          </span>
          <a className="link" href={reportsPath()}>
            Report on the last 30 days
          </a>
        </StickyLine>
      )}
      {waiting && (
        <StickyLine>
          <output>The report is being made.</output>
        </StickyLine>
      )}
      {report === undefined ? (
        !waiting && <NoReport />
      ) : (
        <>
          <Age report={report} again={again} />
          <div className={waiting ? 'waiting' : undefined} aria-busy={waiting}>
            <ReportBody report={report} />
            <Files report={report} params={params} />
          </div>
        </>
      )}
    </>
  );
}

function NoReport() {
  return (
    <EmptyState title="There is no report to show." whole>
      <p className="mt-2 text-mute">The pages of the present work all the same.</p>
    </EmptyState>
  );
}

/** A period that lasts goes on while its report stands here. */
const old = 5 * minute;

function Age({ report, again }: { readonly report: WireReport; readonly again: () => void }) {
  const now = useNow();
  const age = now - (parseTime(report.asOf) ?? now);
  if (!report.period.lasting || age < old) return null;
  return (
    <StickyLine>
      <span>This report was made {formatDuration(age)} ago, and its period goes on.</span>
      <button type="button" className="link screen-only" onClick={again}>
        Make it again
      </button>
    </StickyLine>
  );
}

const names = { json: 'JSON', csv: 'CSV', md: 'Markdown', html: 'HTML, one file' } as const;

interface FilesProps {
  readonly report: WireReport;
  readonly params: Readonly<Record<string, string>>;
}

/** The same report as a file, and its address for good: a preset names another period tomorrow. */
function Files({ report, params }: FilesProps) {
  const { period: _named, ...scope } = params;
  const { from, to } = report.period;
  const fixed = { ...scope, from, to };
  return (
    <p className="report-files screen-only">
      As a file:
      {reportFormats.map((format) => (
        <a key={format} className="link" href={addressOf(reportApi, { ...fixed, format })} download={format !== 'json'}>
          {names[format]}
        </a>
      ))}
      <button type="button" className="link" onClick={() => print()}>
        Print
      </button>
      <a className="link" href={reportsPath(fixed)}>
        This period, whenever it is opened
      </a>
    </p>
  );
}
