import { describe, expect, it } from 'vitest';
import { AbsenceFilter, type WireAbsenceList } from '#lib/api/absence.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import { absenceClauses } from '#lib/report/clauses/absence-clauses.ts';
import { hour } from '#lib/domain/time/length.ts';

import { readRecord } from '#server/store/record/record.ts';
import { given } from '../testing/moment.ts';
import { sampleNow, sampleRef } from '../testing/sample.ts';
import { linksOf } from '../wire/wire-context.ts';
import { absenceList } from './absence-list.ts';

const ago = (hours: number): number => sampleNow - hours * hour;

function absence(name: string, opened: number, closed: number | null, ended: Absence['ended']): Absence {
  return {
    ref: sampleRef({ name }),
    uid: 'u',
    openedAt: ago(opened),
    bound: 'exact',
    noticedAt: ago(opened),
    closedAt: closed === null ? null : ago(closed),
    ended,
    worst: 'diverged',
    reason: 'BuildFailed',
    rootCause: null,
    range: null,
  };
}

/** The list of the last 48 h. */
async function listOf(absences: readonly Absence[]): Promise<WireAbsenceList> {
  const list = await absenceList({
    record: readRecord({ absences }),
    filter: AbsenceFilter.parse({}),
    scopes: [{ clusters: null }],
    period: { from: ago(48), to: sampleNow },
    find: () => null,
    context: { policy: defaultPolicy, now: sampleNow, links: linksOf([]) },
  });
  return given(list);
}

it.each([
  ['no beginning is only known as "at least"', ['exact', 'exact', 'exact'], false],
  ['that of the longest is', ['exact', 'exact', 'at-least'], false],
  ['that of the shortest is', ['at-least', 'exact', 'exact'], true],
  ['that of the one in the middle is', ['exact', 'at-least', 'exact'], true],
] as const)('the median time away is "at least" where it may be longer: %s', async (_, bounds, atLeast) => {
  const absences = bounds.map((bound, index) => ({
    ...absence(`app-${index}`, 21 + index, 20, 'converged'),
    bound,
  }));
  const { figures } = await listOf(absences);
  expect([figures.medianToConverge, figures.medianToConvergeAtLeast]).toEqual([2 * hour, atLeast]);
});

const removedBefore = 'No more objects left git; 1 was removed, or is not watched any more';
const twoRemoved = '3 times an object left git; 1 of them came back; 2 were removed, or are not watched any more';

describe('the figures of a list of absences', () => {
  it.each([
    ['nothing', [], 'No object was seen to leave git'],
    ['one away before, removed within', [absence('gone', 200, 10, 'removed')], removedBefore],
    [
      'three that were away before',
      [1, 2, 3].map((n) => absence(`old-${n}`, 100, n, 'converged')),
      'No more objects left git; 3 that had left before the period came back',
    ],
    [
      'of three that were away before one came back, and one more left',
      [
        absence('back', 200, 10, 'converged'),
        absence('away', 200, null, null),
        absence('off', 200, null, null),
        absence('new', 10, null, null),
      ],
      'Once an object left git; it did not come back; 1 of the 3 that had left before the period came back; 3 were still away at the end',
    ],
    [
      'two away before that did not come back, and one that did',
      [absence('a', 200, null, null), absence('b', 200, null, null), absence('c', 20, 10, 'converged')],
      'Once an object left git; 1 came back; none of the 2 that had left before the period came back; 2 were still away at the end',
    ],
    [
      'three of which two were removed',
      [absence('a', 20, 10, 'converged'), absence('b', 20, 10, 'removed'), absence('c', 20, 10, 'forgotten')],
      twoRemoved,
    ],
    [
      'one that lasts from before',
      [absence('a', 200, null, null)],
      'No more objects left git; 1 was still away at the end',
    ],
  ])('account for each row: %s', async (_, absences, sentence) => {
    const { rows, figures } = await listOf(absences);
    expect(rows).toHaveLength(absences.length);
    const { opened, openAtStart, closed, gone, open } = figures;
    expect(opened + openAtStart).toBe(rows.length);
    expect(closed + gone + open).toBe(rows.length);
    expect(
      absenceClauses(figures)
        .map(({ count, words }) => count + words)
        .join('; '),
    ).toBe(sentence);
  });
});
