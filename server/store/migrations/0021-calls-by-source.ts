import type { Migration } from './migration.ts';

/** Counts the calls of a source, and reads those of some sources, without looking at those of others: one may have a hundred times as many. */
export const callsBySource: Migration = {
  version: 21,
  name: 'calls by source',
  sqlite: 'CREATE INDEX alarm_call_source ON alarm_call (fact_source, attributed, from_at, to_at);',
};
