import type { NotedAccess } from '#lib/domain/access/visit.ts';
import { legibleLine } from '#lib/domain/observation/legible.ts';
import type { Log } from '#server/runtime/log.ts';

/** Who looked at what: each a line of the log, the last of them in memory. */
export interface AccessLog {
  note(access: NotedAccess): void;
  /** The last ones, the newest first. */
  last(): readonly NotedAccess[];
}

/** Accesses that are kept in memory, for auditors. */
const mostKept = 2_000;
/** Longest path that is kept of one, in UTF-16 units. */
const longestPath = 500;

/** Makes the log of access. A restart empties what is in memory; the lines of the log are for those who must keep them. */
export function accessLog(log: Log): AccessLog {
  const ring: NotedAccess[] = [];
  let next = 0;
  return {
    note(access) {
      // A provider gives subjects as it likes.
      const noted = { ...access, subject: legibleLine(access.subject), path: access.path.slice(0, longestPath) };
      ring[next] = noted;
      next = (next + 1) % mostKept;
      const { at, ...said } = noted;
      log.info({ ...said, since: new Date(at).toISOString() }, 'access');
    },
    last: () => [...ring.slice(next), ...ring.slice(0, next)].toReversed(),
  };
}
