import type { DatabaseSync } from 'node:sqlite';
import { changeKey, type NotedChange } from '#lib/domain/record/change.ts';
import { milliseconds } from '../rows/cells.ts';
import type { Dictionary } from '../rows/dictionary.ts';

/** Stands in the place of an object for what concerns the cluster as a whole, a controller or a package. */
export const noObject = 0;

/** Writes noted changes: one that is there already (the same batch again) stays as it is. Call it within a transaction only. */
export function openChangeWriter(
  database: DatabaseSync,
  dictionary: Dictionary,
): (cluster: number, object: number, change: NotedChange) => void {
  const add = database.prepare(
    `INSERT INTO change (cluster, object, at, not_before, noticed_at, kind, fact) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (cluster, object, at, noticed_at, kind) DO NOTHING`,
  );
  return (cluster, object, { at, notBefore, noticedAt, fact }) => {
    add.run(
      cluster,
      object,
      milliseconds(at),
      milliseconds(notBefore),
      milliseconds(noticedAt),
      dictionary.name(changeKey(fact)),
      dictionary.text(JSON.stringify(fact)),
    );
  };
}
