import type { IncomingMessage, ServerResponse } from 'node:http';
import { ConflictFilter } from '#lib/api/conflict.ts';
import { CorrectionFilter } from '#lib/api/correction.ts';
import { ExemptionFilter } from '#lib/api/exemption.ts';
import { HistoryQuery } from '#lib/api/history.ts';
import { IncidentFilter } from '#lib/api/incident.ts';
import { ObjectFilter } from '#lib/api/object-filter.ts';
import { ChangesQuery } from '#lib/api/change.ts';
import { openApi } from '#lib/api/openapi.ts';
import { api } from '#lib/api/paths.ts';
import { TransitionsQuery } from '#lib/api/transition.ts';
import { momentText, parseMoment } from '#lib/format/moment.ts';
import { ClusterScope } from '#lib/api/cluster.ts';
import { FleetQuery, NoQuery, ObjectQuery } from '#lib/api/request.ts';
import type { z } from 'zod';
import type { Fault } from '../http/problem.ts';
import type { NotThere } from '../requested/not-there.ts';
import type { BadPeriod } from '../history/period.ts';
import type { NoAnswer } from '../history/record-queries.ts';
import { answerReport, reportPaths } from '../report/answer-report.ts';
import { readQuery } from '../http/query.ts';
import { sendBody, sendJson, sendProblem } from '../http/send.ts';
import { sendLines } from '../http/send-lines.ts';
import type { KnownQueries, NotFound, WebRuntime } from '../web-runtime.ts';
import type { BadCursor } from '../wire/lists/object-list.ts';

const clusterPattern = new RegExp(`^${api.clusters}/([^/]+)$`);

/** Answers one GET of the REST API (all but the stream). */
export async function answerApi(
  runtime: WebRuntime,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  async function answer<Shape extends z.ZodRawShape>(
    schema: z.ZodObject<Shape>,
    make: (query: z.output<z.ZodObject<Shape>>) => unknown,
    elsewhere: readonly string[] = [],
  ): Promise<void> {
    const query = readQuery(url.searchParams, schema, elsewhere);
    if (query.type === 'fault') return sendProblem(request, response, query.fault);
    const value = await make(query.value);
    if (value instanceof Refusal) return sendProblem(request, response, value.fault);
    if (value instanceof CsvFile) return sendLines(request, response, value);
    return sendJson(request, response, value);
  }

  /** As `answer`, of the moment that `at` names. */
  function answerAt<Shape extends z.ZodRawShape>(
    schema: z.ZodObject<Shape>,
    make: (queries: KnownQueries, query: z.output<z.ZodObject<Shape>>) => unknown,
  ): Promise<void> {
    return answer(
      schema,
      async (query) => {
        const queries = await queriesAt(runtime, url.searchParams.get('at') ?? '');
        return queries instanceof Refusal ? queries : make(queries, query);
      },
      ['at'],
    );
  }

  if (reportPaths.includes(url.pathname)) return answerReport(runtime.reports, url, request, response);
  const cluster = clusterPattern.exec(url.pathname)?.[1];
  if (cluster !== undefined) return answerAt(ClusterScope, (queries, asked) => clusterAnswer(queries, cluster, asked));
  switch (url.pathname) {
    case api.clusters:
      return answerAt(NoQuery, (queries) => queries.clusters());
    case api.fleet:
      return answerAt(FleetQuery, (queries, { causes, ...view }) =>
        listOf(queries.missing(view) ?? queries.fleet(view, causes)),
      );
    case api.objects:
      return answerAt(ObjectFilter, (queries, filter) => listOf(queries.objects(filter)));
    case api.exemptions:
      return answer(ExemptionFilter, (filter) =>
        filter.format === 'csv'
          ? fileOf('exemptions.csv', runtime.exemptionCsv(filter))
          : listOf(runtime.exemptions(filter)),
      );
    case api.conflicts:
      return answer(ConflictFilter, (filter) =>
        filter.format === 'csv'
          ? fileOf('conflicts.csv', runtime.conflictCsv(filter))
          : listOf(runtime.conflicts(filter)),
      );
    case api.object:
      return answerAt(ObjectQuery, async (queries, ref) => orNoObject(ref, await queries.objectPage(ref)));
    case api.neighbours:
      return answerAt(ObjectQuery, (queries, ref) => orNoObject(ref, queries.neighbours(ref)));
    case api.changes:
      return answer(ChangesQuery, (query) => runtime.changes(query).then(ofRecord));
    case api.history:
      return answerAt(HistoryQuery, async (queries, query) =>
        query.format === 'csv'
          ? fileOfRecord('history.csv', await queries.historyCsv(query))
          : ofRecord(await queries.history(query)),
      );
    case api.incidents:
      return answerAt(IncidentFilter, async (queries, filter) =>
        filter.format === 'csv'
          ? fileOfRecord('incidents.csv', await queries.incidentCsv(filter))
          : ofRecord(await queries.incidents(filter)),
      );
    case api.corrections:
      return answerAt(CorrectionFilter, async (queries, filter) =>
        filter.format === 'csv'
          ? fileOfRecord('corrections.csv', await queries.correctionCsv(filter))
          : ofRecord(await queries.corrections(filter)),
      );
    case api.transitions:
      return answer(TransitionsQuery, (query) => runtime.transitions(query).then(ofRecord));
    case api.openapi: {
      const body = JSON.stringify(openApi());
      return sendBody(request, response, {
        status: 200,
        type: 'application/json; charset=utf-8',
        body,
        cache: 'revalidate',
      });
    }
    default:
      return sendProblem(request, response, {
        type: 'not-found',
        what: `The API has no ${url.pathname}.`,
        nearest: [],
      });
  }
}

class Refusal {
  readonly fault: Fault;
  constructor(fault: Fault) {
    this.fault = fault;
  }
}

/** A list as a file. */
class CsvFile {
  readonly name: string;
  readonly lines: Iterable<string> | AsyncIterable<string>;
  readonly type = 'text/csv; charset=utf-8';
  constructor(name: string, lines: CsvFile['lines']) {
    this.name = name;
    this.lines = lines;
  }
}

/** A list, or why there is none. */
function listOf<List extends object>(list: List | BadCursor | BadPeriod | NotThere): List | Refusal {
  if (!('type' in list)) return list;
  switch (list.type) {
    case 'bad-cursor':
      return new Refusal({ type: 'bad-parameter', name: 'cursor', message: 'is no cursor of this API' });
    case 'bad-period':
      return new Refusal({ type: 'bad-parameter', name: 'from', message: list.message });
    case 'not-there':
      return new Refusal(list);
  }
}

function fileOf(name: string, lines: CsvFile['lines'] | NotThere): CsvFile | Refusal {
  return 'type' in lines ? new Refusal(lines) : new CsvFile(name, lines);
}

function orNoObject<Found extends object>(ref: ObjectQuery, found: Found | NotFound): Found | Refusal {
  if (!('type' in found)) return found;
  const what = `There is no ${ref.kind} ${ref.namespace === '' ? '' : `${ref.namespace}/`}${ref.name} on ${ref.cluster}.`;
  return new Refusal({ type: 'not-found', what, nearest: found.nearest });
}

/** The questions of the moment that `at` names ('' for now). */
async function queriesAt(runtime: WebRuntime, at: string): Promise<KnownQueries | Refusal> {
  if (at === '') return runtime;
  const moment = parseMoment(at);
  const bad = (message: string): Refusal => new Refusal({ type: 'bad-parameter', name: 'at', message });
  if (moment === null) return bad('must be a time as in RFC 3339, or ms');
  const past = await runtime.past(moment);
  switch (past.type) {
    case 'past':
      return past.queries;
    case 'future':
      return bad(`is not in the past: it is ${momentText(past.now)}`);
    case 'before-record':
      return new Refusal({ type: 'not-recorded', since: past.since === null ? null : momentText(past.since) });
    case 'unreadable':
      return new Refusal({ type: 'not-ready', message: 'The record cannot be read now.' });
  }
}

/** What the record answers, or why it does not. */
function ofRecord<Found extends object>(answer: Found | BadCursor | NoAnswer): Found | Refusal {
  if (answer !== null) return listOf(answer);
  return new Refusal({ type: 'not-ready', message: 'The record cannot be read now.' });
}

function fileOfRecord(name: string, lines: AsyncIterable<string> | NoAnswer): CsvFile | Refusal {
  const found = ofRecord(lines);
  return found instanceof Refusal ? found : new CsvFile(name, found);
}

async function clusterAnswer(queries: KnownQueries, segment: string, asked: ClusterScope): Promise<unknown> {
  let name = segment;
  try {
    name = decodeURIComponent(segment);
  } catch {
    // A segment that is no escaped text names no cluster; the answer says so with what was given.
  }
  const page = queries.clusterPage(name, asked);
  if (!('type' in page)) return page;
  if (page.type === 'not-there') return new Refusal(page);
  return new Refusal({ type: 'not-found', what: `There is no cluster ${name}.`, nearest: page.nearest });
}
