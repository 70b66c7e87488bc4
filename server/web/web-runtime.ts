import type { z } from 'zod';
import type { Changed, NotChanged } from '#lib/api/change.ts';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import * as endpoints from './endpoints/registered.ts';
import type { Asked } from './asked.ts';
import type { KnownMoment } from './fleet/known-moment.ts';
import type { Refused } from './http/problem.ts';
import { changedOf, type ChangedQuestion } from './past/changed.ts';
import { besideOthers, createPatience, type Patience, wholePage } from './git/patience.ts';
import type { Past, Present } from './present.ts';

/** Questions of pages about a moment: the summary of every page, and what endpoints answer. */
export interface PageMoment<Moment = KnownMoment> {
  summary(): WireFleetSummary | Promise<WireFleetSummary>;
  ask<Query extends z.ZodObject, Answer extends z.ZodType<object>>(
    endpoint: Asked<Moment, Query, Answer>,
    query: z.output<Query>,
  ): Promise<z.output<Answer> | Refused>;
}

/** Questions of pages. */
export interface WebRuntime extends PageMoment<Present> {
  summary(): WireFleetSummary;
  /** All endpoints by name. Next bundles its own copies of modules: pages take these from here. */
  readonly endpoints: typeof endpoints;
  /** Waiting of pages for git, one for all as they have one git: for what stands beside other things, and for what a page is about. */
  readonly patience: { readonly beside: Patience; readonly whole: Patience };
  past(at: number): Promise<Past>;
  /** Changes between two moments, for its page. */
  changed(question: ChangedQuestion): Promise<Changed | NotChanged>;
}

/** Makes what pages ask of this process. */
export function webRuntimeOf(present: Present, past: (at: number) => Promise<Past>): WebRuntime {
  return {
    summary: () => present.summary(),
    ask: async (endpoint, query) => endpoint.ask(present, query),
    endpoints,
    patience: { beside: createPatience(present, besideOthers), whole: createPatience(present, wholePage) },
    past,
    changed: (question) => changedOf(present, question),
  };
}
