import { describe, expect, it } from 'vitest';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { CommitRange } from '#lib/domain/record/commit-range.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { minute } from '#lib/domain/time/length.ts';
import { noon, objectOf, refOf } from '#test/contract/store-records.ts';
import { afterEnd, afterRecord } from './absence-rules.ts';

/** It worked at a and broke at a commit that is called after the minute. */
function rangeAt(at: number): CommitRange {
  return { lastGood: 'main@sha1:a', firstBad: `main@sha1:${at}`, seenBetween: 0, watched: true };
}

/** A record in a verdict since `at` minutes, away since `away` minutes (null: converged). */
function record(verdict: Verdict, at: number, away: number | null, uid = 'one'): CurrentObject {
  const time = noon + at * minute;
  return objectOf(refOf('a', 1), {
    uid,
    verdict,
    reason: `because ${verdict}`,
    onset: { time: time - 5, bound: 'exact', noticedAt: time },
    awaySince: away === null ? null : { time: noon + away * minute, bound: 'exact', noticedAt: noon + away * minute },
    range: verdict === 'diverged' ? rangeAt(at) : null,
  });
}

/** All absences of a series of records. */
function absencesOf(...records: readonly CurrentObject[]): readonly Absence[] {
  const all: Absence[] = [];
  for (const one of records) {
    const newest = all.at(-1) ?? null;
    const next = afterRecord(newest, one);
    if (next === null) continue;
    if (newest !== null && next.openedAt === newest.openedAt && next.uid === newest.uid) all[all.length - 1] = next;
    else all.push(next);
  }
  return all;
}

describe('an absence', () => {
  it('begins when a record is away, with the range in which it broke', () => {
    expect(absencesOf(record('converged', 0, null), record('diverged', 1, 1))).toEqual([
      {
        ref: refOf('a', 1),
        uid: 'one',
        openedAt: noon + minute,
        bound: 'exact',
        noticedAt: noon + minute,
        closedAt: null,
        ended: null,
        worst: 'diverged',
        reason: 'because diverged',
        rootCause: null,
        range: rangeAt(1),
      },
    ]);
  });

  it('ends when Plumbline knows that it is converged', () => {
    expect(absencesOf(record('diverged', 1, 1), record('converged', 9, null))).toMatchObject([
      { openedAt: noon + minute, closedAt: noon + 9 * minute, ended: 'converged' },
    ]);
  });

  it.each<readonly [string, readonly Verdict[], number]>([
    ['is none while nothing but sight or proof is missing', ['unobserved', 'unconfirmed'], 0],
    ['is none while it is switched off', ['suspended'], 0],
    [
      'is one through changes of verdict and blind spots',
      ['behind', 'unobserved', 'diverged', 'suspended', 'stale'],
      1,
    ],
    ['counts from when it left converged, though it was not seen at first', ['unobserved', 'diverged'], 1],
  ])('%s', (_, verdicts, count) => {
    const found = absencesOf(...verdicts.map((verdict, index) => record(verdict, index + 1, 1)));
    expect(found).toHaveLength(count);
    for (const one of found) expect(one).toMatchObject({ openedAt: noon + minute, ended: null });
  });

  it('keeps the worst that it was in, and the reason of that', () => {
    expect(absencesOf(record('behind', 1, 1), record('diverged', 2, 1), record('stale', 3, 1))).toMatchObject([
      { worst: 'diverged', reason: 'because diverged', range: rangeAt(2) },
    ]);
  });

  it('keeps the range of the first record that failed, whatever fails later', () => {
    const later = [record('diverged', 2, 1), record('stale', 3, 1), record('diverged', 4, 1)];
    expect(absencesOf(record('stale', 1, 1))).toMatchObject([{ range: null }]);
    expect(absencesOf(record('stale', 1, 1), ...later)).toMatchObject([{ range: rangeAt(2) }]);
    expect(absencesOf(...later, record('converged', 5, null), record('diverged', 6, 1))).toMatchObject([
      { range: rangeAt(2) },
    ]);
  });

  it('goes on where converged did not last, and is another one where it did', () => {
    const flapped = [record('diverged', 1, 1), record('converged', 2, null), record('diverged', 3, 1)];
    expect(absencesOf(...flapped)).toMatchObject([{ openedAt: noon + minute, closedAt: null, ended: null }]);
    const later = absencesOf(...flapped, record('converged', 4, null), record('diverged', 30, 30));
    expect(later.map(({ openedAt, closedAt }) => [openedAt, closedAt])).toEqual([
      [noon + minute, noon + 4 * minute],
      [noon + 30 * minute, null],
    ]);
  });

  it('is not taken up by another object of the same name', () => {
    expect(
      absencesOf(record('diverged', 1, 1), record('converged', 2, null), record('diverged', 3, 1, 'two')),
    ).toHaveLength(2);
  });

  it('is the same when its records come a second time', () => {
    const records = [record('diverged', 1, 1), record('stale', 2, 1), record('converged', 3, null)];
    expect(absencesOf(...records, ...records)).toEqual(absencesOf(...records));
  });

  it('ends with its object, once', () => {
    const [open] = absencesOf(record('diverged', 1, 1));
    const ended = afterEnd(open ?? null, noon + 5 * minute, 'removed');
    expect(ended).toMatchObject({ closedAt: noon + 5 * minute, ended: 'removed' });
    expect(afterEnd(ended, noon + 6 * minute, 'forgotten')).toBeNull();
    expect(afterEnd(null, noon, 'removed')).toBeNull();
  });
});
