import type { z } from 'zod';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import type { NamedPair } from '#lib/domain/commit/pairs.ts';
import type { RecordScope } from '#server/store/port/record-port.ts';
import type { Embeds } from './embeds/embeds.ts';
import type { Asked } from './asked.ts';
import type { AwaitedCommits } from './commits/wait/awaited-commit.ts';
import type { KnownMoment } from './fleet/known-moment.ts';
import type { Refused } from './http/problem.ts';
import type { LinesAnswer } from './http/send-lines.ts';
import type { ReportService } from './report/report-service.ts';
import type { StreamHub } from './stream/stream-hub.ts';

/** The present: a moment as any other, and what answers of no past one. */
export interface Present extends KnownMoment {
  readonly commits: AwaitedCommits;
  /** Directories that plumbline.yaml says are the same thing in two environments. */
  pairs(): Promise<readonly NamedPair[]>;
  readonly reports: ReportService;
  readonly embeds: Pick<Embeds, 'link'>;
  readonly streams: Pick<StreamHub, 'connect'>;
}

/** A past moment: another thread answers of it. */
export interface PastMoment {
  /** The answer of an endpoint. */
  ask<Query extends z.ZodObject, Answer extends z.ZodType<object>>(
    endpoint: Asked<KnownMoment, Query, Answer>,
    query: z.output<Query>,
  ): Promise<z.output<Answer> | Refused>;
  /** The answer of an endpoint as a file, null where the query asks for none. `origin`: where the one who asks has reached us. */
  file<Query extends z.ZodObject, Answer extends z.ZodType<object>>(
    endpoint: Asked<KnownMoment, Query, Answer>,
    query: z.output<Query>,
    origin: string | null,
  ): Promise<LinesAnswer | Refused | null>;
  /** The summary of every page. */
  summary(): Promise<WireFleetSummary>;
}

/** A past moment, or why there is none. Times in ms since the epoch. */
export type Past =
  | {
      readonly type: 'past';
      readonly moment: PastMoment;
      /** The nearest moments at which what is known of a scope changed; null where there is none. */
      beside(scope: RecordScope): Promise<{ readonly before: number | null; readonly after: number | null }>;
    }
  | { readonly type: 'future'; readonly now: number }
  /** `since`: when the record begins; null where there is none. */
  | { readonly type: 'before-record'; readonly since: number | null }
  | { readonly type: 'unreadable' };
