import { expect, it } from 'vitest';
import { readTokens } from './tokens.ts';

it('hands out what ends with a 0, however it is cut', () => {
  const all = Buffer.from('one\0two\0\0three\0rest');
  for (let size = 1; size <= all.length; size += 1) {
    const heard: string[] = [];
    const reader = readTokens((text) => heard.push(text));
    for (let at = 0; at < all.length; at += size) reader.take(all.subarray(at, at + size));
    expect(heard).toEqual(['one', 'two', '', 'three']);
  }
});

it('tells the beginning of a name of 200 MB, and looks at none of it twice', () => {
  const heard: string[] = [];
  const reader = readTokens((text) => heard.push(text));
  const piece = Buffer.alloc(65_536, 'x');
  const began = process.cpuUsage();
  for (let sent = 0; sent < 200_000_000; sent += piece.length) reader.take(piece);
  reader.take(Buffer.from('\0next\0'));
  const { user } = process.cpuUsage(began);
  expect(heard.map(({ length }) => length)).toEqual([65_536, 4]);
  expect(user / 1_000).toBeLessThan(2_000);
});
