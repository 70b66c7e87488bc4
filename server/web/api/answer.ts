import type { IncomingMessage, ServerResponse } from 'node:http';
import { ObjectFilter } from '#lib/api/object-filter.ts';
import { openApi } from '#lib/api/openapi.ts';
import { api } from '#lib/api/paths.ts';
import { FleetQuery, NoQuery, ObjectQuery } from '#lib/api/request.ts';
import type { z } from 'zod';
import type { Fault } from '../http/problem.ts';
import { readQuery } from '../http/query.ts';
import { sendBody, sendJson, sendProblem } from '../http/send.ts';
import type { WebRuntime } from '../web-runtime.ts';

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
    return value instanceof Refusal ? sendProblem(request, response, value.fault) : sendJson(request, response, value);
  }

  const cluster = clusterPattern.exec(url.pathname)?.[1];
  if (cluster !== undefined) return answer(NoQuery, () => clusterAnswer(runtime, cluster));
  switch (url.pathname) {
    case api.clusters:
      return answer(NoQuery, () => runtime.clusters());
    case api.fleet:
      return answer(FleetQuery, ({ causes, ...view }) => runtime.fleet(view, causes));
    case api.objects:
      return answer(ObjectFilter, (filter) => {
        const list = runtime.objects(filter);
        if (!('type' in list)) return list;
        return new Refusal({ type: 'bad-parameter', name: 'cursor', message: 'is no cursor of this API' });
      });
    case api.object:
      return answer(ObjectQuery, async (ref) => {
        const page = await runtime.objectPage(ref);
        if (!('type' in page)) return page;
        const what = `There is no ${ref.kind} ${ref.namespace === '' ? '' : `${ref.namespace}/`}${ref.name} on ${ref.cluster}.`;
        return new Refusal({ type: 'not-found', what, nearest: page.nearest });
      });
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

async function clusterAnswer(runtime: WebRuntime, segment: string): Promise<unknown> {
  let name = segment;
  try {
    name = decodeURIComponent(segment);
  } catch {
    // A segment that is no escaped text names no cluster; the answer says so with what was given.
  }
  const page = await runtime.clusterPage(name);
  if (!('type' in page)) return page;
  return new Refusal({ type: 'not-found', what: `There is no cluster ${name}.`, nearest: page.nearest });
}
