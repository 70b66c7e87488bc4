import type { ReportFormat, WireReport } from '#lib/api/report.ts';
import { legibleJson } from '#lib/domain/observation/legible.ts';
import { makeDocument } from '#lib/report/make-document.ts';
import { reportHtml } from '#lib/draw/report/report-html.ts';
import { reportMarkdown } from '#lib/draw/report/report-markdown.ts';
import { reportCsv } from './report-csv.ts';

/** A report as it is kept or mailed. */
export interface ReportFile {
  readonly type: string;
  /** "drift-report-2026-10-01-to-2026-11-01.html" */
  readonly name: string;
  readonly lines: Iterable<string>;
}

const types: Readonly<Record<ReportFormat, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

/** A report in one of its formats. `origin` is where Plumbline is served (https://host), null where that is not known. */
export function reportFile(report: WireReport, format: ReportFormat, origin: string | null): ReportFile {
  const day = (time: string): string => time.slice(0, 10);
  const name = `drift-report-${day(report.period.from)}-to-${day(report.period.to)}.${format}`;
  return { type: types[format], name, lines: linesOf(report, format, origin) };
}

function linesOf(report: WireReport, format: ReportFormat, origin: string | null): Iterable<string> {
  switch (format) {
    case 'json':
      return [`${legibleJson(JSON.stringify(report))}\n`];
    case 'csv':
      return reportCsv(report);
    case 'md':
      return [reportMarkdown(makeDocument(report), origin)];
    case 'html':
      return [reportHtml(report, makeDocument(report), origin)];
  }
}
