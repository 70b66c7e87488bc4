import { openApi } from '#lib/api/openapi.ts';
import { sendBody, sendProblem } from '../http/send.ts';
import * as registered from './registered.ts';
import type { AnswersOfPast } from '../asked.ts';
import type { Call, Served } from './served.ts';

const documentPath = '/api/v1/openapi.json';

/** Answers one GET under /api: by the endpoint whose path it is, or with the OpenAPI document of all of them. */
export async function answerApi(call: Omit<Call, 'inPath'>): Promise<void> {
  const { url, request, response } = call;
  if (url.pathname === documentPath) {
    const body = JSON.stringify(apiDocument());
    const type = 'application/json; charset=utf-8';
    return sendBody(request, response, { status: 200, type, body, cache: 'revalidate' });
  }
  const parts = url.pathname.split('/');
  for (const { endpoint, route } of routes) {
    const inPath = namedParts(route, parts);
    if (inPath !== null) return endpoint.serve({ ...call, inPath });
  }
  const what = `The API has no ${url.pathname}.`;
  return sendProblem(request, response, { type: 'not-found', what, nearest: [] });
}

const endpoints: readonly Served[] = Object.values(registered);

/** The endpoints that answer of past moments, by their paths. */
export const endpointsOfPast: ReadonlyMap<string, AnswersOfPast> = new Map(
  endpoints.flatMap(({ described, ofPast }) => (ofPast === null ? [] : [[described.path, ofPast] as const])),
);

/** The OpenAPI document of all endpoints. */
export function apiDocument(): ReturnType<typeof openApi> {
  return openApi(endpoints.map(({ described }) => described));
}

const routes = endpoints.map((endpoint) => ({ endpoint, route: endpoint.described.path.split('/') }));

/** The parts of a path that a route names in braces, decoded; null where the path is not of this route. */
function namedParts(route: readonly string[], parts: readonly string[]): Readonly<Record<string, string>> | null {
  if (route.length !== parts.length) return null;
  const named: Record<string, string> = {};
  for (const [index, expected] of route.entries()) {
    const part = parts[index] ?? '';
    if (expected.startsWith('{')) {
      if (part === '') return null;
      named[expected.slice(1, -1)] = decodeURIComponent(part);
    } else if (part !== expected) return null;
  }
  return named;
}
