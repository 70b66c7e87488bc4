import { first } from './0001-first.ts';
import { standsOn } from './0002-stands-on.ts';
import { changes } from './0003-changes.ts';
import { packedDetails } from './0004-packed-details.ts';
import { record } from './0005-record.ts';
import { rollups } from './0006-rollups.ts';
import { reportIndexes } from './0007-report-indexes.ts';
import { standing } from './0008-standing.ts';
import { standingMarks } from './0009-standing-marks.ts';
import { commitRanges } from './0010-commit-ranges.ts';
import { awayUnion } from './0011-away-union.ts';
import type { Migration } from './migration.ts';

/** Every step of the schema in order. */
export const migrations: readonly Migration[] = [
  first,
  standsOn,
  changes,
  packedDetails,
  record,
  rollups,
  reportIndexes,
  standing,
  standingMarks,
  commitRanges,
  awayUnion,
];

/** The version that this program reads and writes. */
export const storeVersion = migrations.length;
