import type { RecordScope } from '#server/store/port/record-port.ts';
import type { Embeds } from './embeds/embeds.ts';
import type { KnownMoment } from './fleet/known-moment.ts';
import type { ReportService } from './report/report-service.ts';
import type { StreamHub } from './stream/stream-hub.ts';

/** The present: a moment as any other, and what answers of no past one. */
export interface Present extends KnownMoment {
  readonly reports: ReportService;
  readonly embeds: Pick<Embeds, 'link'>;
  readonly streams: Pick<StreamHub, 'connect'>;
}

/** A past moment, or why there is none. Times in ms since the epoch. */
export type Past<Moment = KnownMoment> =
  | {
      readonly type: 'past';
      readonly moment: Moment;
      /** The nearest moments at which what is known of a scope changed; null where there is none. */
      beside(scope: RecordScope): Promise<{ readonly before: number | null; readonly after: number | null }>;
    }
  | { readonly type: 'future'; readonly now: number }
  /** `since`: when the record begins; null where there is none. */
  | { readonly type: 'before-record'; readonly since: number | null }
  | { readonly type: 'unreadable' };
