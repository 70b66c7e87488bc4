import type { Migration } from './migration.ts';

/**
 * Calls of what is away. `reads_objects`: whether the rule of a call reads objects of reconcilers, null for what was recorded before, and where that is
 * not known. `fault.hash`: of the key of the cause, where that lies elsewhere, null where something fails itself. `key_hash` is a function of the
 * connection that migrates (`server/store/sqlite/database.ts`).
 */
export const calls: Migration = {
  version: 19,
  name: 'calls',
  sqlite: `
ALTER TABLE alarm_call ADD COLUMN reads_objects INTEGER;
ALTER TABLE fault ADD COLUMN hash INTEGER;
UPDATE fault SET hash = (
  SELECT CASE WHEN json_valid(t.text) THEN CASE WHEN json_extract(t.text, '$.own') = 0 THEN key_hash(json_extract(t.text, '$.keys[0]')) END END
  FROM text t WHERE t.id = fault.fault
) WHERE fault IS NOT NULL;
CREATE INDEX fault_hash ON fault (hash, at) WHERE hash IS NOT NULL;
`,
};
