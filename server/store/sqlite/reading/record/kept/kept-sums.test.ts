import { mkdtempSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hour } from '#lib/domain/time/length.ts';
import { beginningOf } from '../../../../codec/rollup-block.ts';
import { openForReading, openForWriting } from '../../../database.ts';
import { openScopes } from '../record-scope.ts';
import { keptSums, type KeptSums } from './kept-sums.ts';

describe('kept sums', () => {
  let directory: string;
  let writing: DatabaseSync;
  let reading: DatabaseSync;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'plumbline-kept-sums-'));
    const path = join(directory, 'plumbline.db');
    const [writer, reader] = [openForWriting(path, 1_000), openForReading(path, 1_000)];
    if (writer.type !== 'open' || reader.type !== 'open') throw new Error('no store');
    [writing, reading] = [writer.database, reader.database];
  });

  afterEach(() => {
    reading.close();
    writing.close();
    rmSync(directory, { recursive: true });
  });

  function keeping(
    of: 'days' | 'hours',
    bytes = 1_000_000,
    bytesOf = (_value: string): number => 10,
  ): KeptSums<string> {
    return keptSums(openScopes(reading), { of, bytes, bytesOf });
  }

  const blocks = (from: number, to: number) => ({ from: beginningOf(from), to: beginningOf(to) });
  const rollUp = (block: number): void =>
    writing.exec(
      `INSERT INTO rollup (cluster, block, totals, shares, away) VALUES (1, ${block}, x'00', x'00', x'00')
       ON CONFLICT (cluster, block) DO UPDATE SET totals = excluded.totals`,
    );

  it.each([
    ['rolled up', (block: number) => rollUp(block)],
    ['rolled up again', (block: number) => (rollUp(block), rollUp(block))],
    [
      'rolled up and dropped',
      (block: number) => (rollUp(block), writing.exec(`DELETE FROM rollup WHERE block = ${block}`)),
    ],
    [
      'given absences',
      (block: number) =>
        writing.exec(`INSERT INTO rollup_absences (cluster, block, absences) VALUES (1, ${block}, x'00')`),
    ],
    [
      'given unions',
      (block: number) => writing.exec(`INSERT INTO rollup_union (cluster, block, lists) VALUES (1, ${block}, x'00')`),
    ],
  ])('of days are read anew where one of their blocks was %s, and stay elsewhere', (_what, change) => {
    const kept = keeping('days');
    expect(kept.recall(blocks(5, 8), 'one', () => 'first')).toBe('first');
    change(4);
    change(8);
    writing.exec("INSERT INTO incident_hour (hour, noticed_by, figures) VALUES (0, 0, x'00')");
    expect(kept.recall(blocks(5, 8), 'one', () => 'second')).toBe('first');
    change(7);
    expect(kept.recall(blocks(5, 8), 'one', () => 'third')).toBe('third');
    expect(kept.recall(blocks(5, 8), 'one', () => 'fourth')).toBe('third');
  });

  it.each([3, -2])('of hours are read anew where an hour of block %i was added up, changed or removed', (block) => {
    const kept = keeping('hours');
    const read = (value: string): string => kept.recall(blocks(block, block + 1), 'one', () => value);
    const first = beginningOf(block);
    const last = beginningOf(block + 1) - hour;
    const write = (at: number): void =>
      writing.exec(`INSERT INTO incident_hour (hour, noticed_by, figures) VALUES (${at}, 0, x'00')`);
    expect(read('first')).toBe('first');
    write(first - hour);
    write(last + hour);
    expect(read('second')).toBe('first');
    write(first);
    expect(read('third')).toBe('third');
    write(last);
    expect(read('fourth')).toBe('fourth');
    writing.exec(`UPDATE incident_hour SET figures = x'01' WHERE hour = ${last}`);
    expect(read('fifth')).toBe('fifth');
    writing.exec(`DELETE FROM incident_hour WHERE hour = ${first}`);
    expect(read('sixth')).toBe('sixth');
    expect(read('seventh')).toBe('sixth');
  });

  it('tell what else is asked apart, and are renewed by who asks for that', () => {
    const kept = keeping('days');
    kept.recall(blocks(1, 2), 'one', () => 'one');
    expect(kept.recall(blocks(1, 2), 'other', () => 'other')).toBe('other');
    expect(kept.recall(blocks(1, 3), 'one', () => 'longer')).toBe('longer');
    expect(kept.renew(blocks(1, 2), 'one', () => 'anew')).toBe('anew');
    expect(kept.recall(blocks(1, 2), 'one', () => 'never')).toBe('anew');
  });

  it('take no more memory than they may', () => {
    const kept = keeping('days', 25_000, () => 10_000);
    kept.recall(blocks(1, 2), 'one', () => 'one');
    kept.recall(blocks(2, 3), 'one', () => 'two');
    expect(kept.recall(blocks(1, 2), 'one', () => 'anew')).toBe('one');
    kept.recall(blocks(3, 4), 'one', () => 'three');
    expect(kept.recall(blocks(1, 2), 'one', () => 'anew')).toBe('one');
    expect(kept.recall(blocks(2, 3), 'one', () => 'anew')).toBe('anew');
  });
});
