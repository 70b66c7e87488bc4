import { mkdtempSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hour } from '#lib/domain/time/length.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { recentReadings } from './recent-readings.ts';
import { openScopes } from './record-scope.ts';
import { openForReading, openForWriting } from '../../database.ts';

describe('what was read of late', () => {
  let directory: string;
  let writing: DatabaseSync;
  let reading: DatabaseSync;
  let now = 0;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'plumbline-recent-'));
    const path = join(directory, 'plumbline.db');
    const [writer, reader] = [openForWriting(path, 1_000), openForReading(path, 1_000)];
    if (writer.type !== 'open' || reader.type !== 'open') throw new Error('no store');
    [writing, reading] = [writer.database, reader.database];
    now = 50_000;
  });

  afterEach(() => {
    reading.close();
    writing.close();
    rmSync(directory, { recursive: true });
  });

  function write(): void {
    writing.exec(`INSERT INTO name (text) VALUES ('${now}')`);
  }

  function remembering(kept = 2) {
    const scopes = openScopes(reading);
    return recentReadings<number>(scopes, { ...systemClock, now: () => now }, kept);
  }

  it('stays true as long as nothing is written', () => {
    const recent = remembering();
    expect(recent.recall('one', () => 1)).toBe(1);
    now += hour;
    expect(recent.recall('one', () => 2)).toBe(1);
    expect(recent.recall('other', () => 3)).toBe(3);
  });

  it('is one reading for a second, whatever is written meanwhile, and no longer', () => {
    const recent = remembering();
    recent.recall('one', () => 1);
    write();
    now += 999;
    expect(recent.recall('one', () => 2)).toBe(1);
    now += 1;
    expect(recent.recall('one', () => 3)).toBe(3);
  });

  it('is told for five times as long as the reading took, where that is more than a second', () => {
    const recent = remembering();
    const slow = (value: number) => (): number => {
      now += 9_000;
      return value;
    };
    recent.recall('one', slow(1));
    write();
    now += 35_999;
    expect(recent.recall('one', () => 2)).toBe(1);
    now += 1;
    expect(recent.recall('one', () => 3)).toBe(3);
  });

  it('is read anew where the clock was set back', () => {
    const recent = remembering();
    recent.recall('one', () => 1);
    write();
    now -= 1_000;
    expect(recent.recall('one', () => 2)).toBe(2);
  });

  it('is read anew by who asks for that, and forgotten behind so many others', () => {
    const recent = remembering();
    expect([recent.renew('one', () => 1), recent.renew('one', () => 2), recent.recall('one', () => 3)]).toEqual([
      1, 2, 2,
    ]);
    recent.recall('two', () => 4);
    recent.recall('three', () => 5);
    expect(recent.recall('one', () => 6)).toBe(6);
  });
});
