import type { Migration } from './migration.ts';

/**
 * What stood is written down four times a day instead of once (`server/store/standing-block.ts`), so that less is left to be read
 * row by row of a past moment: a block counts its marks, and all is rolled up anew.
 */
export const standingMarks: Migration = {
  version: 9,
  name: 'standing-marks',
  sqlite: `
DELETE FROM standing;
DELETE FROM rolled;
DELETE FROM rollup;
`,
};
