import type { z } from 'zod';
import type { Changed, NotChanged } from '#lib/api/change.ts';
import * as endpoints from './endpoints/registered.ts';
import type { Asked } from './endpoints/served.ts';
import type { KnownMoment } from './fleet/known-moment.ts';
import type { Refused } from './http/problem.ts';
import { changedOf, type ChangedQuestion } from './past/changed.ts';
import type { Past, Present } from './present.ts';

/** Questions of pages about a moment: the summary of every page, and what endpoints answer. */
export interface PageMoment<Moment = KnownMoment> extends Pick<KnownMoment, 'summary'> {
  ask<Query extends z.ZodObject, Answer extends z.ZodType<object>>(
    endpoint: Asked<Moment, Query, Answer>,
    query: z.output<Query>,
  ): Promise<z.output<Answer> | Refused>;
}

/** Questions of pages. */
export interface WebRuntime extends PageMoment<Present> {
  /** All endpoints by name. Next bundles its own copies of modules: pages take these from here. */
  readonly endpoints: typeof endpoints;
  past(at: number): Promise<Past<PageMoment>>;
  /** Changes between two moments, for its page. */
  changed(question: ChangedQuestion): Promise<Changed | NotChanged>;
}

/** Makes what pages ask of this process. */
export function webRuntimeOf(present: Present, past: (at: number) => Promise<Past>): WebRuntime {
  return {
    ...pageMoment(present),
    endpoints,
    async past(at) {
      const found = await past(at);
      return found.type === 'past' ? { ...found, moment: pageMoment(found.moment) } : found;
    },
    changed: (question) => changedOf(present, question),
  };
}

function pageMoment<Moment extends KnownMoment>(moment: Moment): PageMoment<Moment> {
  return { summary: moment.summary, ask: async (endpoint, query) => endpoint.ask(moment, query) };
}
