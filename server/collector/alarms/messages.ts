import type { AlarmEntry } from '#server/config/alarms-schema.ts';
import type { AlarmBatch, StoredAlarms } from '#server/store/port/alarm-batch.ts';

/** Messages to the thread that reads alarm sources. */
export type ToThread =
  /** Read this source, going on from what is stored. */
  | { readonly type: 'read'; readonly entry: AlarmEntry; readonly stored: StoredAlarms }
  /** The batch of the source that was sent last is stored, or could not be. */
  | { readonly type: 'stored'; readonly source: string; readonly fault: string | null }
  | { readonly type: 'stop' };

/** Messages of that thread. */
export type FromThread =
  | { readonly type: 'batch'; readonly source: string; readonly batch: AlarmBatch }
  /** It has stopped, and sent all that it knew. */
  | { readonly type: 'stopped' };
