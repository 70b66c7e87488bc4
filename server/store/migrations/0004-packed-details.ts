import type { Migration } from './migration.ts';

/**
 * Details are packed (`packed-detail.ts`): an eighth of the bytes of their JSON, and details are most of what is stored. What was
 * written before stays JSON until its object changes. Words of details are in `name`, each once and for ever.
 */
export const packedDetails: Migration = {
  version: 4,
  name: 'packed-details',
  sqlite: `
CREATE TABLE packed (
  object INTEGER PRIMARY KEY,
  detail ANY NOT NULL
) STRICT;
INSERT INTO packed (object, detail) SELECT object, detail FROM detail;
DROP TABLE detail;
ALTER TABLE packed RENAME TO detail;
`,
};
