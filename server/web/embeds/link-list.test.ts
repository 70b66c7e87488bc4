import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { day } from '#lib/domain/time/length.ts';
import { isLinkId, linkList, newLinkId, type NewLink } from './link-list.ts';

const now = Date.UTC(2026, 10, 21, 2);
const made: NewLink = { scope: 'fleet', key: 'abcd', by: 'command', madeAt: now, endsAt: now + day };
let path: string;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-list-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  path = join(folder, 'links.db');
});

/** Keeps a link; gives its id. */
function keep(link: Partial<NewLink> = {}): string {
  const kept = linkList(path).keep({ ...made, ...link });
  if (kept.type !== 'kept') throw new Error(kept.type);
  return kept.link.id;
}

function idsAt(time: number): readonly string[] {
  const read = linkList(path).read(time);
  return read.type === 'links' ? read.links.map(({ id }) => id) : [read.why];
}

describe('the list of links', () => {
  it('is empty where there is none, and asking makes none', () => {
    const list = linkList(path);
    expect(list.read(now)).toEqual({ type: 'links', links: [], others: [] });
    expect(list.standing(newLinkId())).toBe('open');
    expect(() => statSync(path)).toThrow('ENOENT');
  });

  it('keeps what was made, the newest first, for its owner alone', () => {
    const first = keep();
    const second = keep({ scope: 'cluster:a', by: 'reader', madeAt: now + 1, endsAt: now + 2 * day });
    expect(linkList(path).read(now)).toEqual({
      type: 'links',
      links: [
        {
          id: second,
          scope: 'cluster:a',
          key: 'abcd',
          by: 'reader',
          madeAt: now + 1,
          endsAt: now + 2 * day,
          revokedAt: null,
        },
        { ...made, id: first, revokedAt: null },
      ],
      others: [],
    });
    expect(isLinkId(first) && first !== second).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('says of a link at once that it is revoked, whoever has the list open; the first time counts', () => {
    const [one, other] = [keep(), keep()];
    const open = linkList(path);
    expect([one, other].map(open.standing)).toEqual(['open', 'open']);
    expect(linkList(path).revoke([one], now + 5)).toEqual({ type: 'revoked', others: [] });
    expect(linkList(path).revoke([one], now + 9)).toEqual({ type: 'revoked', others: [] });
    expect([one, other].map(open.standing)).toEqual(['revoked', 'open']);
    expect(open.read(now)).toMatchObject({ links: expect.arrayContaining([{ ...made, id: one, revokedAt: now + 5 }]) });
  });

  it('revokes what was made elsewhere too, and says that it does not know it', () => {
    const elsewhere = newLinkId();
    expect(linkList(path).revoke([elsewhere], now)).toEqual({ type: 'revoked', others: [elsewhere] });
    expect(linkList(path).standing(elsewhere)).toBe('revoked');
    expect(linkList(path).read(now)).toEqual({ type: 'links', links: [], others: [elsewhere] });
  });

  it('lists no link that has ended, and forgets it 30 days later with what revoked it', () => {
    const [short, long] = [keep(), keep({ endsAt: now + 90 * day })];
    linkList(path).revoke([short], now);
    expect(idsAt(now + day - 1)).toHaveLength(2);
    expect(idsAt(now + day)).toEqual([long]);
    keep({ madeAt: now + 31 * day - 1, endsAt: now + 90 * day });
    expect(linkList(path).standing(short)).toBe('revoked');
    keep({ madeAt: now + 31 * day, endsAt: now + 90 * day });
    expect(linkList(path).standing(short)).toBe('open');
    expect(readFileSync(path, 'latin1')).toContain(long);
  });

  it.each([
    ['is none', () => writeFileSync(path, 'something else')],
    ['is of a newer version', () => new DatabaseSync(path).exec('PRAGMA user_version = 2')],
  ])('that %s opens no link, and is left alone', (_what, spoil) => {
    spoil();
    const before = readFileSync(path);
    const list = linkList(path);
    expect(list.standing(newLinkId())).toBe('unusable');
    const why = { type: 'unusable', why: expect.stringContaining(path) };
    expect([list.keep(made), list.read(now), list.revoke([newLinkId()], now)]).toEqual([why, why, why]);
    expect(readFileSync(path)).toEqual(before);
  });

  it('that was made and not filled is empty', () => {
    writeFileSync(path, '');
    expect(linkList(path).standing(newLinkId())).toBe('open');
    expect(idsAt(now)).toEqual([]);
    expect(idsAt(now)).not.toContain(keep());
    expect(idsAt(now)).toHaveLength(1);
  });

  it('that another process writes is waited for, and what it has written holds', () => {
    keep();
    const other = new DatabaseSync(path);
    onTestFinished(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    expect(linkList(path).keep(made)).toEqual({ type: 'unusable', why: `${path}: database is locked` });
    expect(idsAt(now)).toHaveLength(1);
    other.exec('COMMIT');
    expect(linkList(path).keep(made).type).toBe('kept');
  });
});
