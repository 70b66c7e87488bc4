import type { DatabaseSync } from 'node:sqlite';
import type { Transition } from '#lib/domain/record/current.ts';
import { allRows, firstRow, milliseconds, text, whole } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import type { Dictionary } from '../rows/dictionary.ts';

/** Why an object's last transition is one to nothing though it was not deleted. */
const forgotten = 'Forgotten';

/** Writes changes of verdict over an open database, and with each the end of the span before it. Call it within a transaction only. */
export function openTransitionWriter(database: DatabaseSync, dictionary: Dictionary) {
  const open = prepare(
    database,
    'SELECT id, noticed_at, to_verdict, uid FROM transition WHERE object = ? AND until IS NULL ORDER BY id DESC LIMIT 1',
  );
  const add = database.prepare(
    `INSERT INTO transition (object, cluster, at, noticed_at, bound, from_verdict, to_verdict, uid, reason, message, commit_id, attempted, root_cause, traits)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (object, at, noticed_at, to_verdict) DO NOTHING`,
  );
  const close = database.prepare('UPDATE transition SET until = ? WHERE id = ?');
  const later = prepare(
    database,
    'SELECT id, at FROM transition WHERE object = ?2 AND (noticed_at > ?1 OR until > ?1) ORDER BY id',
  );
  const bringBack = database.prepare(
    'UPDATE OR IGNORE transition SET at = ?2, noticed_at = MIN(noticed_at, ?1), until = MIN(until, ?1) WHERE id = ?3',
  );
  const noticedLater = prepare(
    database,
    'SELECT DISTINCT object FROM transition WHERE cluster = ? AND noticed_at > ? LIMIT ?',
  );

  /** The machine's clock was set back to `time` (ms): of an object nothing was noticed later than that. */
  function setBack(object: number, time: number): void {
    const now = milliseconds(time);
    for (const [id, at] of allRows(later, now, object)) {
      // Two that came to the same word would be one now: none of them is lost for a millisecond of its beginning.
      for (let begun = whole(at); bringBack.run(now, begun, whole(id)).changes === 0;) begun -= 1;
    }
  }

  /** One that is there already stays as it is. `traits` is the text of the object's traits in the same batch, null for a removal. */
  function put(cluster: number, object: number, transition: Transition, traits: number | null): void {
    const { at, noticedAt, bound, from, to, uid, reason, message, commit, attempted, rootCause } = transition;
    const noticed = milliseconds(noticedAt);
    const before = firstRow(open, object);
    const { changes } = add.run(
      object,
      cluster,
      milliseconds(at),
      noticed,
      bound,
      from ?? '',
      to ?? '',
      uid,
      dictionary.text(reason),
      dictionary.text(message),
      dictionary.textOrNull(commit),
      dictionary.textOrNull(attempted),
      dictionary.textOrNull(rootCause === null ? null : JSON.stringify(rootCause)),
      traits,
    );
    if (before === null || changes === 0) return;
    if (whole(before[1]) > noticed) setBack(object, noticed);
    close.run(noticed, whole(before[0]));
  }

  return {
    put,
    /** Ends the span of an object whose cluster is forgotten, at `at` (ms). */
    end(cluster: number, object: number, at: number): void {
      const before = firstRow(open, object);
      if (before === null || before[2] === '') return;
      const noticed = milliseconds(at);
      const verdict = text(before[2]);
      const none = [dictionary.text(forgotten), dictionary.text(''), null, null, null, null];
      const { changes } = add.run(object, cluster, noticed, noticed, 'exact', verdict, '', text(before[3]), ...none);
      if (changes === 0) return;
      if (whole(before[1]) > noticed) setBack(object, noticed);
      close.run(noticed, whole(before[0]));
    },
    setBack,
    /** Objects of a cluster, those that are gone too, of which something was noticed later than `at` (ms): so many at most. */
    noticedLater: (cluster: number, at: number, most: number): readonly number[] =>
      allRows(noticedLater, cluster, milliseconds(at), most).map(([object]) => whole(object)),
  };
}
