import { describe, expect, it } from 'vitest';
import {
  incidentClauses,
  incidentHeadline,
  largeWords,
  memberWords,
  notMadeText,
  reachText,
} from './incident-clauses.ts';

function said(
  opened: number,
  openAtStart: number,
  closed: number,
  closedFromBefore: number,
  gone: number,
  open: number,
): string {
  return incidentClauses({ opened, openAtStart, closed, closedFromBefore, gone, open })
    .map(({ count, words }) => `${count}${words}`)
    .join('; ');
}

const otherwise = 'ended because what failed was removed, is not watched any more, or was part of another';

describe('incidents are accounted for', () => {
  it.each([
    [said(0, 0, 0, 0, 0, 0), 'No incident was seen'],
    [said(1, 0, 0, 0, 0, 1), '1 incident opened; it did not close; 1 was still open at the end'],
    [said(1, 0, 1, 0, 0, 0), '1 incident opened; 1 closed'],
    [
      said(1200, 0, 0, 0, 2, 1198),
      `1,200 incidents opened; none of them closed; 2 ${otherwise}; 1,198 were still open at the end`,
    ],
    [said(3, 0, 2, 0, 1, 0), `3 incidents opened; 2 of them closed; 1 ${otherwise}`],
    [said(0, 1, 1, 1, 0, 0), 'No more incidents opened; 1 from before the period closed'],
    [said(2, 1, 3, 1, 0, 0), '2 incidents opened; 2 of them closed; 1 more from before the period closed'],
    [
      said(1, 3, 3, 2, 0, 1),
      '1 incident opened; 1 closed; 2 of the 3 from before the period closed; 1 was still open at the end',
    ],
    [said(0, 2, 0, 0, 0, 2), 'No more incidents opened; 2 were still open at the end'],
    [
      said(1, 1, 1, 0, 0, 1),
      '1 incident opened; 1 closed; the one from before the period did not close; 1 was still open at the end',
    ],
    [
      said(1, 2, 1, 0, 0, 2),
      '1 incident opened; 1 closed; none of the 2 from before the period closed; 2 were still open at the end',
    ],
  ])('%s', (text, expected) => {
    expect(text).toBe(expected);
  });
});

describe('the number of incidents that matter', () => {
  const headline = (opened: number, openAtStart: number, large: number): string =>
    incidentHeadline({ opened, openAtStart, large })
      .map(({ text }) => text)
      .join('');

  it.each([
    [0, 0, 0, 'No incident was seen.', 'was seen.'],
    [
      1,
      0,
      0,
      'The only incident took down fewer than 5 objects at once.',
      'of 1 incident took down 5 objects or more at once.',
    ],
    [
      12,
      1,
      0,
      'None of 13 incidents took down 5 objects or more at once.',
      'of 13 incidents took down 5 objects or more at once.',
    ],
    [
      1,
      0,
      1,
      '1 incident took down 5 objects or more at once; there was none smaller.',
      'incident took down 5 objects or more at once; there was none smaller.',
    ],
    [
      2,
      1,
      3,
      '3 incidents took down 5 objects or more at once; there was none smaller.',
      'incidents took down 5 objects or more at once; there was none smaller.',
    ],
    [
      2,
      1,
      1,
      '1 incident, of 3 of any size, took down 5 objects or more at once.',
      'incident, of 3 of any size, took down 5 objects or more at once.',
    ],
    [
      1660,
      3,
      1050,
      '1,050 incidents, of 1,663 of any size, took down 5 objects or more at once.',
      'incidents, of 1,663 of any size, took down 5 objects or more at once.',
    ],
  ])('%d opened, %d open from before, %d large', (opened, openAtStart, large, sentence, rest) => {
    expect(headline(opened, openAtStart, large)).toBe(sentence);
    expect(largeWords({ opened, openAtStart, large })).toBe(rest);
  });

  it('leads to lists: the large ones, and all', () => {
    expect(incidentHeadline({ opened: 3, openAtStart: 0, large: 1 })).toEqual([
      { text: '1', leads: 'large' },
      { text: ' incident, of ' },
      { text: '3', leads: 'all' },
      { text: ' of any size, took down 5 objects or more at once.' },
    ]);
  });
});

it.each([
  [3, 0, 1102, ' Together they took an object away from git 1,102 times (a lost cluster counts as one).'],
  [1, 0, 7, ' It took an object away from git 7 times (a lost cluster counts as one).'],
  [1, 0, 1, ' It took an object away from git once (a lost cluster counts as one).'],
  [2, 1, 9, ' Those that opened in the period took an object away from git 9 times (a lost cluster counts as one).'],
  [0, 2, 0, ''],
])('of %d that opened and %d from before, %d members are told beside', (opened, openAtStart, members, sentence) => {
  expect((memberWords({ opened, openAtStart, members }) ?? []).join('')).toBe(sentence);
});

it.each([
  [null, 'that has only begun.'],
  ['2026-09-03T12:30:00.000Z', 'so far up to 3 Sep 2026 12:30 UTC.'],
])('stored history that is made into incidents up to %s is told as such, without a number of them', (upTo, end) => {
  expect(notMadeText({ made: { upTo } })).toBe(
    `How many incidents there were cannot be said yet: stored history is still being made into incidents, ${end}`,
  );
});

it.each([
  [1, 1, '1 object'],
  [7, 1, '7 objects'],
  [1204, 2, '1,204 objects on 2 clusters'],
  [0, 2, '0 objects on 2 clusters'],
])('%d objects on %d clusters reach as far as "%s"', (objects, clusters, text) => {
  expect(reachText({ objects, clusters })).toBe(text);
});
