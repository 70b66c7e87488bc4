import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { day } from '#lib/domain/time/length.ts';
import { prepare } from '#server/store/sqlite/database.ts';
import { smallFile, type Unusable } from '#server/store/sqlite/small-file.ts';
import { allRows, firstRow, firstWhole, text, whole, wholeOrNull, type Row } from '#server/store/sqlite/rows/cells.ts';

/** One signed link that was made. Times in ms since the epoch. */
export interface KeptLink {
  /** 16 hex digits; it stands in the link, under its signature. */
  readonly id: string;
  /** As `scopeText` writes it. */
  readonly scope: string;
  /** The key that signed it. */
  readonly key: string;
  /** Whoever ran `plumbline link`, or a reader of the pages. */
  readonly by: 'command' | 'reader';
  readonly madeAt: number;
  readonly endsAt: number;
  readonly revokedAt: number | null;
}

/** A link that is to be signed. */
export type NewLink = Pick<KeptLink, 'scope' | 'key' | 'by' | 'madeAt' | 'endsAt'>;

/** Bounds on what readers make. */
export interface ReaderBounds {
  /** So many of theirs may open at once. */
  readonly most: number;
  /** One that ends at most so much earlier (ms) is given again in place of a new one. */
  readonly sameWithin: number;
}

/** The link as it is kept; `isNew` false for one of before. `full`: readers have as many as they may. */
export type KeptAnswer =
  | { readonly type: 'kept'; readonly link: KeptLink; readonly isNew: boolean }
  | { readonly type: 'full' };

/** The signed links that were made, and which of them are revoked: one small file beside the store. Never throws. */
export interface LinkList {
  /** `unusable` where that cannot be said: such a link opens nothing. */
  standing(id: string): 'open' | 'revoked' | 'unusable';
  /** Keeps a link before it is handed out; with `bounds` gives one of before where it is as good, and none over `most`. */
  keep(link: NewLink, bounds?: ReaderBounds): KeptAnswer | Unusable;
  /** Those that have not ended at `now` (ms), the newest first, and the ids that were revoked without being kept here. */
  read(
    now: number,
  ): { readonly type: 'links'; readonly links: readonly KeptLink[]; readonly others: readonly string[] } | Unusable;
  /** Revokes links at `now` (ms), kept here or not: who holds the key may have made one elsewhere. Gives those that are not. */
  revoke(
    ids: readonly string[],
    now: number,
  ): { readonly type: 'revoked'; readonly others: readonly string[] } | Unusable;
}

/** Name of the file in the data directory. */
export const linkListFile = 'links.db';

/** True for the text of an id. */
export function isLinkId(text: string): boolean {
  return /^[0-9a-f]{16}$/.test(text);
}

/** An id for a new link. */
export function newLinkId(): string {
  return randomBytes(8).toString('hex');
}

/** Time (ms) for which an ended link is still kept. */
const keptAfterEnd = 30 * day;
const version = 1;

const schema = `
  CREATE TABLE link (
    id TEXT PRIMARY KEY, scope TEXT NOT NULL, key TEXT NOT NULL, maker TEXT NOT NULL, made INTEGER NOT NULL, ends INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE revoked (id TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${version};
`;

/**
 * The list in the file at `path`, which may not be there yet: then no link is kept and none revoked. The file is opened for each question,
 * so that what another process writes, or puts in its place, holds at once.
 */
export function linkList(path: string): LinkList {
  const using = smallFile({ path, schema, version });

  return {
    standing(id) {
      const standing = using<'open' | 'revoked'>('read', 'open', (database) =>
        firstRow(prepare(database, 'SELECT 1 FROM revoked WHERE id = ?'), id) === null ? 'open' : 'revoked',
      );
      return typeof standing === 'string' ? standing : 'unusable';
    },
    keep: (link, bounds) => using<KeptAnswer>('write', { type: 'full' }, (database) => keepIn(database, link, bounds)),
    read: (now) =>
      using<Read>('read', { type: 'links', links: [], others: [] }, (database) => ({
        type: 'links',
        links: allRows(prepare(database, `${kept} WHERE ends > ? ORDER BY made DESC, link.id`), now).map(linkOf),
        others: allRows(
          prepare(database, 'SELECT id FROM revoked WHERE id NOT IN (SELECT id FROM link) ORDER BY id'),
        ).map(([id]) => text(id)),
      })),
    revoke: (ids, now) =>
      using<Revoked>('write', { type: 'revoked', others: [] }, (database) => {
        const revoke = database.prepare('INSERT OR IGNORE INTO revoked (id, at) VALUES (?, ?)');
        for (const id of ids) revoke.run(id, now);
        const known = prepare(database, 'SELECT 1 FROM link WHERE id = ?');
        return { type: 'revoked', others: ids.filter((id) => firstRow(known, id) === null) };
      }),
  };
}

type Read = Exclude<ReturnType<LinkList['read']>, Unusable>;
type Revoked = Exclude<ReturnType<LinkList['revoke']>, Unusable>;

const kept = 'SELECT link.id, scope, key, maker, made, ends, at FROM link LEFT JOIN revoked ON revoked.id = link.id';

function keepIn(database: DatabaseSync, link: NewLink, bounds: ReaderBounds | undefined): KeptAnswer {
  const { scope, key, by, madeAt, endsAt } = link;
  const old = madeAt - keptAfterEnd;
  database.prepare('DELETE FROM revoked WHERE id IN (SELECT id FROM link WHERE ends <= ?)').run(old);
  database.prepare('DELETE FROM link WHERE ends <= ?').run(old);
  if (bounds !== undefined) {
    const ofReaders = "maker = 'reader' AND at IS NULL AND ends > ?";
    const same = `${kept} WHERE ${ofReaders} AND ends <= ? AND scope = ? AND key = ? ORDER BY ends DESC LIMIT 1`;
    const found = firstRow(prepare(database, same), endsAt - bounds.sameWithin, endsAt, scope, key);
    if (found !== null) return { type: 'kept', link: linkOf(found), isNew: false };
    const open = firstWhole(prepare(database, `SELECT count(*) FROM (${kept} WHERE ${ofReaders})`), madeAt) ?? 0;
    if (open >= bounds.most) return { type: 'full' };
  }
  const id = newLinkId();
  database.prepare('INSERT INTO link VALUES (?, ?, ?, ?, ?, ?)').run(id, scope, key, by, madeAt, endsAt);
  return { type: 'kept', link: { ...link, id, revokedAt: null }, isNew: true };
}

function linkOf([id, scope, key, by, madeAt, endsAt, revokedAt]: Row): KeptLink {
  return {
    id: text(id),
    scope: text(scope),
    key: text(key),
    by: text(by) === 'reader' ? 'reader' : 'command',
    madeAt: whole(madeAt),
    endsAt: whole(endsAt),
    revokedAt: wholeOrNull(revokedAt),
  };
}
