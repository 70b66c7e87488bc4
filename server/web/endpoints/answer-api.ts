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
  for (const { endpoint, pattern } of routes) {
    const found = pattern.exec(url.pathname);
    if (found !== null) return endpoint.serve({ ...call, inPath: namedParts(found) });
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

const routes = endpoints.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.described.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

function namedParts({ groups = {} }: RegExpExecArray): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(groups).map(([name, part]) => [name, decoded(part)]));
}

/** A part of a path; as it was written where it is no escaped text: it names nothing, and the answer says so. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
