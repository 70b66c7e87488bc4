import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import type { Endpoint } from '#lib/api/endpoint.ts';
import { momentText, parseMoment } from '#lib/format/moment.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { isRefused, refuse, unreadable, type Refused } from '../http/problem.ts';
import { readQuery } from '../http/query.ts';
import { sendLines, type LinesAnswer } from '../http/send-lines.ts';
import { sendJson, sendProblem } from '../http/send.ts';
import type { Past, Present } from '../present.ts';

/** One GET of the API. `inPath`: the parameters that are parts of its path. */
export interface Call {
  readonly present: Present;
  readonly past: (at: number) => Promise<Past>;
  readonly url: URL;
  readonly inPath: Readonly<Record<string, string>>;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** An endpoint that answers calls. */
export interface Served {
  readonly described: Endpoint;
  serve(call: Call): Promise<void>;
}

type Soon<T> = T | Promise<T>;

/** Answers an endpoint. */
interface Answers<Source, Query extends z.ZodObject, Answer extends z.ZodType<object>> {
  /** The answer on the wire, or why there is none. */
  readonly ask: (source: Source, query: z.output<Query>) => Soon<z.output<Answer> | Refused>;
  /** The answer as a file where the query asks for one, else null. `origin`: where the one who asks has reached us. */
  readonly file?: (source: Source, query: z.output<Query>, origin: string | null) => Soon<LinesAnswer | Refused | null>;
}

/** An endpoint whose answer pages get too. */
export interface Asked<Source, Query extends z.ZodObject, Answer extends z.ZodType<object>> extends Served {
  readonly described: Endpoint<Query, Answer>;
  readonly ask: Answers<Source, Query, Answer>['ask'];
}

/** An endpoint that is asked of the present only. */
export function ofPresent<Query extends z.ZodObject, Answer extends z.ZodType<object>>(
  described: Endpoint<Query, Answer, false>,
  answers: Answers<Present, Query, Answer>,
): Asked<Present, Query, Answer> {
  return { described, ask: answers.ask, serve: (call) => serve(described, answers, call, () => call.present) };
}

/** An endpoint that is asked of the present, or of the moment that `at` names. */
export function ofAnyMoment<Query extends z.ZodObject, Answer extends z.ZodType<object>>(
  described: Endpoint<Query, Answer, true>,
  answers: Answers<KnownMoment, Query, Answer>,
): Asked<KnownMoment, Query, Answer> {
  return { described, ask: answers.ask, serve: (call) => serve(described, answers, call, () => momentOf(call)) };
}

async function serve<Source extends object, Query extends z.ZodObject, Answer extends z.ZodType<object>>(
  { query: schema, at }: Endpoint<Query, Answer>,
  { ask, file }: Answers<Source, Query, Answer>,
  { url, inPath, request, response }: Call,
  sourceOf: () => Soon<Source | Refused>,
): Promise<void> {
  const query = readQuery(url.searchParams, schema, { inPath, elsewhere: at ? ['at'] : [] });
  if (isRefused(query)) return sendProblem(request, response, query.refused);
  const source = await sourceOf();
  if (isRefused(source)) return sendProblem(request, response, source.refused);
  const lines = (await file?.(source, query.value, originOf(request))) ?? null;
  if (lines !== null)
    return isRefused(lines) ? sendProblem(request, response, lines.refused) : sendLines(request, response, lines);
  const answer = await ask(source, query.value);
  return isRefused(answer) ? sendProblem(request, response, answer.refused) : sendJson(request, response, answer);
}

/** The moment that `at` names; the present where it is '' or absent. */
async function momentOf({ present, past, url }: Call): Promise<KnownMoment | Refused> {
  const text = url.searchParams.get('at') ?? '';
  if (text === '') return present;
  const bad = (message: string): Refused => refuse({ type: 'bad-parameter', name: 'at', message });
  const at = parseMoment(text);
  if (at === null) return bad('must be a time as in RFC 3339, or ms');
  const found = await past(at);
  switch (found.type) {
    case 'past':
      return found.moment;
    case 'future':
      return bad(`is not in the past: it is ${momentText(found.now)}`);
    case 'before-record':
      return refuse({ type: 'not-recorded', since: found.since === null ? null : momentText(found.since) });
    case 'unreadable':
      return unreadable;
  }
}

/** Where the one who asks has reached us, for links in a file; null where that cannot be told. */
function originOf(request: IncomingMessage): string | null {
  const proxied = request.headers['x-forwarded-proto'];
  const scheme = proxied === 'https' ? 'https' : 'http';
  const { host } = request.headers;
  return host === undefined ? null : (URL.parse(`${scheme}://${host}`)?.origin ?? null);
}
