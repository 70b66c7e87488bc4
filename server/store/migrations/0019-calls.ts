import type { Migration } from './migration.ts';

/** Whether the rule of a call reads objects of reconcilers: null for what was recorded before, and where that is not known. */
export const calls: Migration = {
  version: 19,
  name: 'calls',
  sqlite: `
ALTER TABLE alarm_call ADD COLUMN reads_objects INTEGER;
`,
};
