import type { IncomingMessage, ServerResponse } from 'node:http';
import { ConflictFilter } from '#lib/api/conflict.ts';
import { ExemptionFilter } from '#lib/api/exemption.ts';
import { ObjectFilter } from '#lib/api/object-filter.ts';
import { ChangesQuery } from '#lib/api/change.ts';
import { openApi } from '#lib/api/openapi.ts';
import { api } from '#lib/api/paths.ts';
import { FleetQuery, NoQuery, ObjectQuery } from '#lib/api/request.ts';
import type { z } from 'zod';
import type { Fault } from '../http/problem.ts';
import { readQuery } from '../http/query.ts';
import { sendBody, sendJson, sendProblem } from '../http/send.ts';
import { sendLines } from '../http/send-lines.ts';
import type { WebRuntime } from '../web-runtime.ts';
import type { BadCursor } from '../wire/object-list.ts';

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
  ): Promise<void> {
    const query = readQuery(url.searchParams, schema);
    if (query.type === 'fault') return sendProblem(request, response, query.fault);
    const value = await make(query.value);
    if (value instanceof Refusal) return sendProblem(request, response, value.fault);
    if (value instanceof CsvFile) return sendLines(request, response, value);
    return sendJson(request, response, value);
  }

  const cluster = clusterPattern.exec(url.pathname)?.[1];
  if (cluster !== undefined) return answer(NoQuery, () => clusterAnswer(runtime, cluster));
  switch (url.pathname) {
    case api.clusters:
      return answer(NoQuery, () => runtime.clusters());
    case api.fleet:
      return answer(FleetQuery, ({ causes, ...view }) => runtime.fleet(view, causes));
    case api.objects:
      return answer(ObjectFilter, (filter) => withoutBadCursor(runtime.objects(filter)));
    case api.exemptions:
      return answer(ExemptionFilter, (filter) =>
        filter.format === 'csv'
          ? new CsvFile('exemptions.csv', runtime.exemptionCsv(filter))
          : withoutBadCursor(runtime.exemptions(filter)),
      );
    case api.conflicts:
      return answer(ConflictFilter, (filter) =>
        filter.format === 'csv'
          ? new CsvFile('conflicts.csv', runtime.conflictCsv(filter))
          : withoutBadCursor(runtime.conflicts(filter)),
      );
    case api.object:
      return answer(ObjectQuery, async (ref) => {
        const page = await runtime.objectPage(ref);
        if (!('type' in page)) return page;
        const what = `There is no ${ref.kind} ${ref.namespace === '' ? '' : `${ref.namespace}/`}${ref.name} on ${ref.cluster}.`;
        return new Refusal({ type: 'not-found', what, nearest: page.nearest });
      });
    case api.changes:
      return answer(ChangesQuery, (query) => changesAnswer(runtime, query));
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
  readonly lines: Iterable<string>;
  readonly type = 'text/csv; charset=utf-8';
  constructor(name: string, lines: Iterable<string>) {
    this.name = name;
    this.lines = lines;
  }
}

function withoutBadCursor<List extends object>(list: List | BadCursor): List | Refusal {
  if (!('type' in list)) return list;
  return new Refusal({ type: 'bad-parameter', name: 'cursor', message: 'is no cursor of this API' });
}

async function changesAnswer(runtime: WebRuntime, query: ChangesQuery): Promise<unknown> {
  const list = await runtime.changes(query);
  if (list === null) return new Refusal({ type: 'not-ready', message: 'The record cannot be read now.' });
  if (!('type' in list)) return list;
  return new Refusal({ type: 'not-found', what: `There is no cluster ${query.cluster}.`, nearest: list.nearest });
}

async function clusterAnswer(runtime: WebRuntime, segment: string): Promise<unknown> {
  let name = segment;
  try {
    name = decodeURIComponent(segment);
  } catch {
    // A segment that is no escaped text names no cluster; the answer says so with what was given.
  }
  const page = runtime.clusterPage(name);
  if (!('type' in page)) return page;
  return new Refusal({ type: 'not-found', what: `There is no cluster ${name}.`, nearest: page.nearest });
}
