import type { IncomingMessage, ServerResponse } from 'node:http';
import { ArrivalsQuery, ReportFileQuery, SpansQuery } from '#lib/api/report.ts';
import { api } from '#lib/api/paths.ts';
import type { Fault } from '../http/problem.ts';
import { readQuery } from '../http/query.ts';
import { sendJson, sendProblem } from '../http/send.ts';
import { sendLines } from '../http/send-lines.ts';
import type { ReportService, ReportRefusal } from './report-service.ts';
import { reportFile } from './report-file.ts';

/** The paths of the API that are about periods of the record. */
export const reportPaths: readonly string[] = [api.report, api.spans, api.arrivals];

/** Answers one GET of them: a report as JSON or as a file, or what its figures are made of. */
export async function answerReport(
  desk: ReportService,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  function refuse(fault: Fault): Promise<void> {
    return sendProblem(request, response, fault);
  }

  async function send<Answer extends object>(answer: Answer | ReportRefusal): Promise<void> {
    return 'type' in answer ? refuse(faultOf(answer)) : sendJson(request, response, answer);
  }

  switch (url.pathname) {
    case api.spans: {
      const query = readQuery(url.searchParams, SpansQuery);
      return query.type === 'fault' ? refuse(query.fault) : send(await desk.spans(query.value));
    }
    case api.arrivals: {
      const query = readQuery(url.searchParams, ArrivalsQuery);
      return query.type === 'fault' ? refuse(query.fault) : send(await desk.arrivals(query.value));
    }
    default: {
      const query = readQuery(url.searchParams, ReportFileQuery);
      if (query.type === 'fault') return refuse(query.fault);
      const report = await desk.report(query.value);
      if ('type' in report) return refuse(faultOf(report));
      const { format } = query.value;
      if (format === 'json') return sendJson(request, response, report);
      return sendLines(request, response, reportFile(report, format, originOf(request)));
    }
  }
}

function faultOf(refusal: ReportRefusal): Fault {
  switch (refusal.type) {
    case 'wrong':
      return { type: 'bad-parameter', name: refusal.name, message: refusal.message };
    case 'not-there':
      return refusal;
    case 'unreadable':
      return { type: 'not-ready', message: 'The record cannot be read now.' };
  }
}

/** Where the one who asks has reached us, for links in a file; null where that cannot be told. */
function originOf(request: IncomingMessage): string | null {
  const proxied = request.headers['x-forwarded-proto'];
  const scheme = proxied === 'https' ? 'https' : 'http';
  const { host } = request.headers;
  return host === undefined ? null : (URL.parse(`${scheme}://${host}`)?.origin ?? null);
}
