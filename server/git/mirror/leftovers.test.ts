import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLog } from '#server/runtime/log.ts';
import { type Leftovers, removeLeftovers } from './leftovers.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 10, 21);
let outer: string;
let folder: string;
let said: string[];
beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'plumbline-left-'));
  folder = join(outer, 'git');
  mkdirSync(folder);
  said = [];
});
afterEach(() => rmSync(outer, { recursive: true, force: true }));

const id = (letter: string): string => letter.repeat(16);

/** A mirror (or, by `ending`, another folder of one) last used before `now` by so many ms. */
function mirror(letter: string, age: number, ending = '.git'): void {
  const path = join(folder, `${id(letter)}${ending}`);
  mkdirSync(join(path, 'objects'), { recursive: true });
  writeFileSync(join(path, 'objects', 'pack'), 'x');
  if (ending === '.git') writeFileSync(join(folder, `${id(letter)}.json`), '{}');
  for (const each of [path, ...(ending === '.git' ? [join(folder, `${id(letter)}.json`)] : [])])
    utimesSync(each, (now - age) / 1_000, (now - age) / 1_000);
}

async function look(change: Partial<Leftovers> = {}, at = now): Promise<readonly string[]> {
  const log = { ...silentLog, info: (_: object, words: string) => void said.push(words) };
  await removeLeftovers(folder, { isKept: () => false, isUnwanted: () => false, ...change }, { now: at, log });
  return readdirSync(folder).toSorted();
}

it('a mirror goes a day after its last fetch, with what is remembered of it, and that is said', async () => {
  mirror('a', day);
  mirror('b', day - 1_000);
  expect(await look()).toEqual([`${id('b')}.git`, `${id('b')}.json`]);
  expect(said).toEqual(Array.from({ length: 2 }, () => 'a mirror that nobody wants is removed'));
  expect(await look({}, now + 1_000)).toEqual([]);
});

it('one that is kept stays, however old; one that is wanted no more goes at once', async () => {
  mirror('a', 90 * day);
  mirror('b', 0);
  const kept = await look({ isKept: (one) => one === id('a'), isUnwanted: (one) => one === id('b') });
  expect(kept).toEqual([`${id('a')}.git`, `${id('a')}.json`]);
});

it('one that was set aside goes after a day, of a mirror that is kept too', async () => {
  mirror('a', 0);
  mirror('a', day - 1, '.git.broken');
  const isKept = (): boolean => true;
  expect(await look({ isKept })).toContain(`${id('a')}.git.broken`);
  expect(await look({ isKept }, now + 1_000)).toEqual([`${id('a')}.git`, `${id('a')}.json`]);
  expect(said).toEqual(['a broken mirror that was set aside is removed']);
});

it('touches nothing outside of the folder, and nothing that is not of mirrors', async () => {
  const outside = join(outer, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'kept'), 'x');
  symlinkSync(outside, join(folder, `${id('a')}.git`));
  symlinkSync(join(outside, 'kept'), join(folder, `${id('a')}.json`));
  mirror('b', day);
  symlinkSync(outside, join(folder, `${id('b')}.git`, 'objects', 'link'));
  for (const name of ['mirrors.lock', 'ask.sock', 'notes.git', `${id('c')}.git.old`])
    writeFileSync(join(folder, name), '');
  const left = await look({ isUnwanted: () => true }, now + 9 * day);
  expect(left).toEqual(
    [`${id('a')}.git`, `${id('a')}.json`, 'ask.sock', `${id('c')}.git.old`, 'mirrors.lock', 'notes.git'].toSorted(),
  );
  expect(existsSync(join(outside, 'kept'))).toBe(true);
});

it('removes at most 20 at one look', async () => {
  for (const letter of '0123456789abcdef') mirror(letter, 2 * day);
  expect(await look()).toHaveLength(12);
  expect(await look()).toHaveLength(0);
});
