import type { z } from 'zod';
import type { Endpoint } from '#lib/api/endpoint.ts';
import type { KnownMoment } from './fleet/known-moment.ts';
import type { Refused } from './http/problem.ts';
import type { LinesAnswer } from './http/send-lines.ts';

export type Soon<T> = T | Promise<T>;

/** Who waits for an answer. */
export interface Caller {
  /** `askerOf` */
  readonly by: string;
  /** Nobody waits for it any more. */
  readonly isGone: () => boolean;
}

/** Answers an endpoint. */
export interface Answers<Source, Query extends z.ZodObject, Answer extends z.ZodType<object>> {
  /** The answer on the wire, or why there is none. `caller`: absent where a page asks. */
  readonly ask: (source: Source, query: z.output<Query>, caller?: Caller) => Soon<z.output<Answer> | Refused>;
  /** The answer as a file where the query asks for one, else null. `origin`: where the one who asks has reached us. */
  readonly file?: (source: Source, query: z.output<Query>, origin: string | null) => Soon<LinesAnswer | Refused | null>;
}

/** An endpoint that is asked: its answer goes to pages too. */
export interface Asked<Source, Query extends z.ZodObject, Answer extends z.ZodType<object>> extends Pick<
  Answers<Source, Query, Answer>,
  'ask'
> {
  readonly described: Endpoint<Query, Answer>;
  /** The same where past moments are; null where it is asked of the present only. */
  readonly ofPast: AnswersOfPast | null;
}

/** Answers an endpoint of past moments: the query comes from another thread, and is read anew. */
export interface AnswersOfPast {
  ask(moment: KnownMoment, query: unknown): Promise<object>;
  /** null where the query asks for no file. */
  file(moment: KnownMoment, query: unknown, origin: string | null): Promise<LinesAnswer | Refused | null>;
}
