import type { Migration } from './migration.ts';

/** Words of an object on what is built, beside its path. */
export const builds: Migration = {
  version: 16,
  name: 'builds',
  sqlite: 'ALTER TABLE object ADD COLUMN builds INTEGER;',
};
