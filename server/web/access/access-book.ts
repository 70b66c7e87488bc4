import { z } from 'zod';
import type { Grant } from '#lib/domain/access/scope.ts';
import { type Role, roles } from '#lib/domain/access/viewer.ts';
import { parseForeign } from '#lib/foreign.ts';
import { day } from '#lib/domain/time/length.ts';
import { prepare } from '#server/store/sqlite/database.ts';
import { smallFile, type Unusable } from '#server/store/sqlite/small-file.ts';
import { allRows, firstRow, text, whole, wholeOrNull, type Row } from '#server/store/sqlite/rows/cells.ts';

/** A token of a machine, as it is kept. Times in ms since the epoch. */
export interface KeptToken {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of its secret, in hex. */
  readonly hash: string;
  readonly roles: readonly Role[];
  /** True for everything; else `grants`, and those of `teams` as the configuration has them now. */
  readonly everything: boolean;
  readonly grants: readonly Grant[];
  readonly teams: readonly string[];
  readonly madeAt: number;
  readonly endsAt: number;
  readonly revokedAt: number | null;
}

/** Tokens of machines, and sessions that ended before their time: one small file beside the store. Never throws. */
export interface AccessBook {
  token(id: string): { readonly type: 'token'; readonly token: KeptToken | null } | Unusable;
  /** Those that have not ended at `now` (ms), the newest first. */
  tokens(now: number): { readonly type: 'tokens'; readonly tokens: readonly KeptToken[] } | Unusable;
  keepToken(token: KeptToken): { readonly type: 'kept' } | Unusable;
  /** Revokes a token at `now` (ms); false where there is none. */
  revokeToken(id: string, now: number): { readonly type: 'revoked'; readonly was: boolean } | Unusable;
  /** True if a session ended before its time. */
  hasEnded(session: string): boolean | Unusable;
  /** Ends a session at `now` (ms) that would have ended at `end`; it is kept until then. */
  endSession(session: string, end: number, now: number): { readonly type: 'ended' } | Unusable;
}

/** Name of the file in the data directory. */
export const accessBookFile = 'access.db';

/** Time (ms) for which a token that has ended is still kept. */
const keptAfterEnd = 30 * day;
const version = 1;

const schema = `
  CREATE TABLE token (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL, rights TEXT NOT NULL, made INTEGER NOT NULL, ends INTEGER NOT NULL,
    revoked INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE ended (session TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${version};
`;

const rightsShape = z.strictObject({
  roles: z.array(z.enum(roles)),
  everything: z.boolean(),
  grants: z.array(
    z.strictObject({
      clusters: z.array(z.string()).nullable(),
      labels: z.record(z.string(), z.string()),
      namespaces: z.array(z.string()).nullable(),
    }),
  ),
  teams: z.array(z.string()),
});

/**
 * The book in the file at `path`, which may not be there yet. The file is opened for each question, so that what another process writes,
 * or puts in its place, holds at once.
 */
export function accessBook(path: string): AccessBook {
  const using = smallFile({ path, schema, version });

  const columns = 'id, name, hash, rights, made, ends, revoked';
  return {
    token: (id) =>
      using<{ type: 'token'; token: KeptToken | null }>('read', { type: 'token', token: null }, (database) => {
        const row = firstRow(prepare(database, `SELECT ${columns} FROM token WHERE id = ?`), id);
        return { type: 'token', token: row === null ? null : tokenOf(row) };
      }),
    tokens: (now) =>
      using<{ type: 'tokens'; tokens: readonly KeptToken[] }>('read', { type: 'tokens', tokens: [] }, (database) => ({
        type: 'tokens',
        tokens: allRows(prepare(database, `SELECT ${columns} FROM token WHERE ends > ? ORDER BY made DESC, id`), now)
          .map(tokenOf)
          .filter((token) => token !== null),
      })),
    keepToken: (token) =>
      using<{ type: 'kept' }>('write', { type: 'kept' }, (database) => {
        const { id, name, hash, madeAt, endsAt, ...rest } = token;
        const rights = rightsShape.parse({
          roles: rest.roles,
          everything: rest.everything,
          grants: rest.grants,
          teams: rest.teams,
        });
        database.prepare('DELETE FROM token WHERE ends <= ?').run(madeAt - keptAfterEnd);
        database
          .prepare(`INSERT INTO token (${columns}) VALUES (?, ?, ?, ?, ?, ?, NULL)`)
          .run(id, name, hash, JSON.stringify(rights), madeAt, endsAt);
        return { type: 'kept' };
      }),
    revokeToken: (id, now) =>
      using<{ type: 'revoked'; was: boolean }>('write', { type: 'revoked', was: false }, (database) => {
        const { changes } = database
          .prepare('UPDATE token SET revoked = coalesce(revoked, ?) WHERE id = ?')
          .run(now, id);
        return { type: 'revoked', was: Number(changes) > 0 };
      }),
    hasEnded: (session) =>
      using<boolean>(
        'read',
        false,
        (database) => firstRow(prepare(database, 'SELECT 1 FROM ended WHERE session = ?'), session) !== null,
      ),
    endSession: (session, end, now) =>
      using<{ type: 'ended' }>('write', { type: 'ended' }, (database) => {
        database.prepare('DELETE FROM ended WHERE until <= ?').run(now);
        database.prepare('INSERT OR IGNORE INTO ended (session, until) VALUES (?, ?)').run(session, Math.ceil(end));
        return { type: 'ended' };
      }),
  };
}

/** A row as a token; null where its rights are of a shape that this version does not know: it opens nothing. */
function tokenOf([id, name, hash, rights, made, ends, revoked]: Row): KeptToken | null {
  const read = rightsShape.safeParse(parseForeign(text(rights)));
  if (!read.success) return null;
  return {
    id: text(id),
    name: text(name),
    hash: text(hash),
    ...read.data,
    madeAt: whole(made),
    endsAt: whole(ends),
    revokedAt: wholeOrNull(revoked),
  };
}
