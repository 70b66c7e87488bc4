import { expect, it } from 'vitest';
import { absenceClauses, medianWords } from './absence-clauses.ts';

function said(
  opened: number,
  openAtStart: number,
  closed: number,
  closedFromBefore: number,
  gone: number,
  open: number,
) {
  return absenceClauses({ opened, openAtStart, closed, closedFromBefore, gone, open })
    .map(({ count, words }) => `${count}${words}`)
    .join('; ');
}

it.each([
  [said(0, 0, 0, 0, 0, 0), 'No object was seen to leave git'],
  [said(1, 0, 0, 0, 0, 1), 'Once an object left git; it did not come back; 1 was still away at the end'],
  [said(1, 0, 1, 0, 0, 0), 'Once an object left git; 1 came back'],
  [
    said(1200, 0, 0, 0, 2, 1198),
    '1,200 times an object left git; none of them came back; 2 were removed, or are not watched any more; 1,198 were still away at the end',
  ],
  [
    said(3, 0, 2, 0, 1, 0),
    '3 times an object left git; 2 of them came back; 1 was removed, or is not watched any more',
  ],
  [said(0, 1, 1, 1, 0, 0), 'No more objects left git; 1 that had left before the period came back'],
  [
    said(2, 1, 3, 1, 0, 0),
    '2 times an object left git; 2 of them came back; 1 more that had left before the period came back',
  ],
  [
    said(1, 3, 3, 2, 0, 1),
    'Once an object left git; 1 came back; 2 of the 3 that had left before the period came back; 1 was still away at the end',
  ],
  [said(0, 2, 0, 0, 0, 2), 'No more objects left git; 2 were still away at the end'],
  [
    said(1, 1, 1, 0, 0, 1),
    'Once an object left git; 1 came back; the one that had left before the period did not come back; 1 was still away at the end',
  ],
  [
    said(1, 2, 1, 0, 0, 2),
    'Once an object left git; 1 came back; none of the 2 that had left before the period came back; 2 were still away at the end',
  ],
])('%s', (text, expected) => {
  expect(text).toBe(expected);
});

it.each([
  [1, false, 'The one that came back was away for '],
  [1, true, 'The one that came back was away for at least '],
  [2, false, 'Median time away of those that came back: '],
  [2, true, 'Median time away of those that came back: at least '],
])('the median of %d, at least %s', (closed, atLeast, words) => {
  expect(medianWords(closed, atLeast)).toBe(words);
});
