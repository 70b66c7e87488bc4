import { describe, expect, it } from 'vitest';
import type { Changed } from '#lib/api/change.ts';
import { minutesAgo } from '../testing/wire-fleet.ts';
import { changedSentence, listedSentence } from './changed-text.ts';

const week: Changed = {
  asOf: minutesAgo(0),
  from: minutesAgo(7 * 24 * 60),
  to: minutesAgo(0),
  upToNow: true,
  cluster: '',
  clusters: ['eu-west-3'],
  total: { transitions: 12_345, changes: 18 },
  transitions: [],
  changes: [],
  back: minutesAgo(49),
  crowded: false,
  recordedSince: minutesAgo(90 * 24 * 60),
  observed: 1,
};

describe('the summary of what changed', () => {
  it('is about the period that was asked for and all that is in it, however much of it is listed', () => {
    expect(changedSentence(week)).toBe(
      'From 14 Nov 02:59:14 UTC to now: 12,345 changes of verdict and 18 changes on the clusters.',
    );
    expect(changedSentence({ ...week, cluster: 'eu-west-3', total: { transitions: 1, changes: 0 } })).toBe(
      'From 14 Nov 02:59:14 UTC to now on eu-west-3: 1 change of verdict.',
    );
  });

  it('names the year where that is another one', () => {
    const [from, to] = ['2025-11-14T02:59:14Z', '2025-12-01T00:00:00Z'];
    const total = { transitions: 0, changes: 3 };
    expect(changedSentence({ ...week, from, to, upToNow: false, total })).toBe(
      'From 14 Nov 2025 02:59:14 UTC to 1 Dec 2025 00:00:00 UTC: 3 changes on the clusters.',
    );
    expect(listedSentence({ ...week, back: '2025-11-21T02:10:14Z' })).toContain('after 21 Nov 2025 02:10:14 UTC');
  });

  it('does not name a number that was not counted', () => {
    expect(changedSentence({ ...week, total: { transitions: 100_000, changes: 1 } })).toBe(
      'From 14 Nov 02:59:14 UTC to now: 100,000 or more changes of verdict and 1 change on the clusters.',
    );
  });

  it('says that nothing changed only where nothing did', () => {
    expect(changedSentence({ ...week, total: { transitions: 0, changes: 0 } })).toBe(
      'From 14 Nov 02:59:14 UTC to now, nothing changed that was seen.',
    );
  });

  it('says beside it what is listed', () => {
    expect(listedSentence({ ...week, changes: [] })).toMatch(/, after 21 Nov 02:10:14 UTC\.$/);
  });
});
