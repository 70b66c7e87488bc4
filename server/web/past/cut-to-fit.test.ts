import { describe, expect, it } from 'vitest';
import { cutToFit } from './cut-to-fit.ts';

const own = (time: number): number => time;

describe('what is complete of a list that goes on', () => {
  it.each([
    ['all of it, where it does not go on', [5, 4, 4], false, [5, 4, 4], null],
    ['all but its last moment', [5, 4, 4], true, [5], 4],
    ['the one moment that it has', [4, 4, 4], true, [4, 4, 4], 4],
    ['nothing of nothing', [], true, [], null],
  ])('%s', (_what, items, goesOn, kept, back) => {
    expect(cutToFit(items, goesOn, own)).toEqual({ items: kept, back });
  });
});
