import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import type { Viewer } from '#lib/domain/access/viewer.ts';
import type { Endpoint } from '#lib/api/endpoint.ts';
import { momentText, parseMoment } from '#lib/format/moment.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { isRefused, refuse, unreadable, type Refused } from '../http/problem.ts';
import { readQuery } from '../http/query.ts';
import { sendLines, type LinesAnswer } from '../http/send-lines.ts';
import { sendJson, sendProblem } from '../http/send.ts';
import type { Past, PastMoment, Present } from '../present.ts';
import type { Answers, AnswersOfPast, Asked, Caller, Soon } from '../asked.ts';
import { askerOf } from '../stream/asker.ts';

/** One GET of the API. `inPath`: the parameters that are parts of its path. */
export interface Call {
  /** Who asks: `present` and `past` are of his world already. */
  readonly viewer: Viewer;
  readonly present: Present;
  readonly past: (at: number) => Promise<Past>;
  readonly url: URL;
  /** Where people reach the pages (https://host), for links in a file. Never what the request says of its host. */
  readonly origin: string;
  readonly inPath: Readonly<Record<string, string>>;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** An endpoint that answers calls. */
export interface Served {
  readonly described: Endpoint;
  serve(call: Call): Promise<void>;
  readonly ofPast: AnswersOfPast | null;
}

/** An endpoint that is asked by calls and by pages. */
export interface AskedByCall<Of, Query extends z.ZodObject, Answer extends z.ZodType<object>> extends Asked<
  Of,
  Query,
  Answer
> {
  serve(call: Call): Promise<void>;
}

/** An endpoint that is asked of the present only. */
export function ofPresent<Query extends z.ZodObject, Answer extends z.ZodType<object>>(
  described: Endpoint<Query, Answer, false>,
  answers: Answers<Present, Query, Answer>,
): AskedByCall<Present, Query, Answer> {
  return {
    described,
    ask: answers.ask,
    serve: (call) => serve(described, call, () => asNow(answers, call.present, callerOf(call))),
    ofPast: null,
  };
}

/** An endpoint that answers by who asks, so that no page asks it. */
export function ofCaller<Query extends z.ZodObject, Answer extends z.ZodType<object>>(
  described: Endpoint<Query, Answer, false>,
  ask: (call: Call, query: z.output<Query>) => Soon<z.output<Answer> | Refused>,
): Served {
  return {
    described,
    serve: (call) => serve(described, call, () => ({ ask: (query) => ask(call, query) })),
    ofPast: null,
  };
}

/** An endpoint that is asked of the present, or of the moment that `at` names. */
export function ofAnyMoment<Query extends z.ZodObject, Answer extends z.ZodType<object>>(
  described: Endpoint<Query, Answer, true>,
  answers: Answers<KnownMoment, Query, Answer>,
): AskedByCall<KnownMoment, Query, Answer> {
  const { ask, file } = answers;
  const asked: AskedByCall<KnownMoment, Query, Answer> = {
    described,
    ask,
    serve: (call) => serve(described, call, () => sourceOf(call)),
    ofPast: {
      ask: async (moment, query) => ask(moment, described.query.parse(query)),
      file: async (moment, query, origin) => (await file?.(moment, described.query.parse(query), origin)) ?? null,
    },
  };

  async function sourceOf(call: Call): Promise<Source<Query> | Refused> {
    const past = await pastOf(call);
    if (past === null) return asNow(answers, call.present);
    if (isRefused(past)) return past;
    return {
      ask: (query) => past.ask(asked, query),
      ...(file && { file: (query, origin) => past.file(asked, query, origin) }),
    };
  }

  return asked;
}

/**
 * An endpoint that reads from its own query of which moment it is asked, and never refuses one. `ask` answers of any moment; `answer` a
 * call, whichever moments that takes.
 */
export function ofReadMoment<Query extends z.ZodObject, Answer extends z.ZodType<object>>(
  described: Endpoint<Query, Answer, false>,
  {
    ask,
    answer,
  }: Pick<Answers<KnownMoment, Query, Answer>, 'ask'> & {
    readonly answer: (call: Call, query: z.output<Query>) => Soon<z.output<Answer>>;
  },
): AskedByCall<KnownMoment, Query, Answer> {
  return {
    described,
    ask,
    serve: (call) => serve(described, call, () => ({ ask: (query) => answer(call, query) })),
    ofPast: {
      ask: async (moment, query) => ask(moment, described.query.parse(query)),
      file: () => Promise.resolve(null),
    },
  };
}

/** Whom a query is asked of. */
interface Source<Query extends z.ZodObject> {
  ask(query: z.output<Query>): Soon<object>;
  file?(query: z.output<Query>, origin: string): Soon<LinesAnswer | Refused | null>;
}

function asNow<Of, Query extends z.ZodObject, Answer extends z.ZodType<object>>(
  { ask, file }: Answers<Of, Query, Answer>,
  moment: Of,
  caller?: Caller,
): Source<Query> {
  return {
    ask: (query) => ask(moment, query, caller),
    ...(file && { file: (query, origin) => file(moment, query, origin) }),
  };
}

function callerOf({ request, response }: Call): Caller {
  return { by: askerOf(request), isGone: () => response.destroyed };
}

async function serve<Query extends z.ZodObject>(
  { query: schema, at, header }: Endpoint<Query>,
  { url, origin, inPath, request, response }: Call,
  sourceOf: () => Soon<Source<Query> | Refused>,
): Promise<void> {
  if (header !== undefined && request.headers[header.name.toLowerCase()] !== header.value) {
    const message = `This is answered to requests with the header "${header.name}: ${header.value}" only.`;
    return sendProblem(request, response, { type: 'forbidden', message });
  }
  const query = readQuery(url.searchParams, schema, { inPath, elsewhere: at ? ['at'] : [] });
  if (isRefused(query)) return sendProblem(request, response, query.refused);
  const source = await sourceOf();
  if (isRefused(source)) return sendProblem(request, response, source.refused);
  const lines = (await source.file?.(query.value, origin)) ?? null;
  if (lines !== null)
    return isRefused(lines) ? sendProblem(request, response, lines.refused) : sendLines(request, response, lines);
  const answer = await source.ask(query.value);
  return isRefused(answer) ? sendProblem(request, response, answer.refused) : sendJson(request, response, answer);
}

/** The past moment that `at` names; null for the present where it is '' or absent. */
async function pastOf({ past, url }: Call): Promise<PastMoment | Refused | null> {
  const text = url.searchParams.get('at') ?? '';
  if (text === '') return null;
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
