import type { Migration } from './migration.ts';

/** What an object stands on beside its source and delivery, and what was tried when a verdict began. Null where there is none. */
export const standsOn: Migration = {
  version: 2,
  name: 'stands-on',
  sqlite: `
ALTER TABLE object ADD COLUMN stands_on INTEGER;
ALTER TABLE transition ADD COLUMN attempted INTEGER;
`,
};
