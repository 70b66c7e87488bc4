import { callDays } from './0020-call-days.ts';
import { callsBySource } from './0021-calls-by-source.ts';
import { alarms } from './0018-alarms.ts';
import { calls } from './0019-calls.ts';
import { builds } from './0016-builds.ts';
import { figureVersions } from './0017-figure-versions.ts';
import { first } from './0001-first.ts';
import { incidents } from './0014-incidents.ts';
import { incidentHours } from './0015-incident-hours.ts';
import type { Migration } from './migration.ts';

/** Every step of the schema in order. */
export const migrations: readonly [Migration, ...(readonly Migration[])] = [
  first,
  incidents,
  incidentHours,
  builds,
  figureVersions,
  alarms,
  calls,
  callDays,
  callsBySource,
];

/** The version that this program reads and writes. */
export const storeVersion = migrations.reduce((last, { version }) => Math.max(last, version), 0);

/** The first version that was released: there is no way from a layout before it. */
export const firstVersion = first.version;
