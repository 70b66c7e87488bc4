import { describe, expect, it } from 'vitest';
import { noon } from '#lib/domain/testing/observed.ts';
import { minute } from '#lib/domain/time/length.ts';
import { corrected, noCorrections, occurrences, type CorrectionMemory } from './correction-run.ts';
import { observedEvent } from './testing.ts';

const combined = '(combined from similar events)';

describe('how often an event stands for something new', () => {
  const known: CorrectionMemory = { ...noCorrections, series: [{ uid: 'e', count: 5, at: noon }] };

  it.each<readonly [string, CorrectionMemory, Parameters<typeof observedEvent>[0], number]>([
    ['of a series not seen before: once, however often it is counted', noCorrections, { count: 9, lastAt: noon }, 1],
    ['as often as its count has grown', known, { count: 8, lastAt: noon }, 3],
    ['not at all where it is repeated', known, { count: 5, lastAt: noon }, 0],
    ['once where it was counted at a later time', known, { count: 5, lastAt: noon + 1 }, 1],
    ['once where it is counted anew', known, { count: 1, lastAt: noon - minute }, 1],
    ['once where it counts other texts too', known, { count: 8, lastAt: noon, message: `${combined}: x` }, 1],
    ['not at all where such a one is repeated', known, { count: 5, lastAt: noon, message: `${combined}: x` }, 0],
    ['by the time at which it comes, where it tells none', known, { count: 5 }, 1],
  ])('%s', (_what, memory, event, fresh) => {
    const now = noon + 7;
    const step = occurrences(memory, observedEvent({ uid: 'e', ...event }), now);
    const series = [{ uid: 'e', count: event.count, at: event.lastAt ?? now }];
    expect(step).toEqual({ fresh, memory: { ...noCorrections, series } });
  });

  it('is remembered of the twelve series that came last', () => {
    const uids = Array.from({ length: 13 }, (_, n) => `e${n}`);
    const all = uids.reduce(
      (memory, uid) => occurrences(memory, observedEvent({ uid, lastAt: noon }), noon).memory,
      noCorrections,
    );
    expect(all.series.map(({ uid }) => uid)).toEqual(uids.slice(1));
  });
});

describe('corrections that follow each other', () => {
  const found = { at: noon, said: 'x', count: 1, certainty: 'probable' } as const;
  const run = (count: number, at: number): CorrectionMemory => ({ ...noCorrections, run: { count, at } });

  it.each<readonly [string, CorrectionMemory, Partial<{ count: number }>, number | null, number, string]>([
    ['one alone', noCorrections, {}, minute, 1, 'probable'],
    ['the second in a row', run(1, noon), {}, minute, 2, 'probable'],
    ['the third', run(2, noon - 2.5 * minute), {}, minute, 3, 'contested'],
    ['a third that comes too late', run(2, noon - 2.5 * minute - 1), {}, minute, 1, 'probable'],
    ['one of before', run(2, noon + 1), {}, minute, 1, 'probable'],
    ['two at once have twice the time', run(1, noon - 5 * minute), { count: 2 }, minute, 3, 'contested'],
    ['and no more', run(1, noon - 5 * minute - 1), { count: 2 }, minute, 2, 'probable'],
    [
      'by the longest default poll where it does not tell its own',
      run(2, noon - 25 * minute),
      {},
      null,
      3,
      'contested',
    ],
    ['and not after', run(2, noon - 25 * minute - 1), {}, null, 1, 'probable'],
  ])('%s', (_what, memory, part, interval, count, certainty) => {
    const one = { ...found, ...part };
    expect(corrected(memory, one, interval)).toEqual({
      memory: { ...noCorrections, run: { count, at: noon } },
      correction: { ...one, certainty },
    });
  });

  it('are told without what was put before them, at 1,024 characters at most', () => {
    const said = (text: string) => corrected(noCorrections, { ...found, said: text }, minute).correction.said;
    expect(said(`${combined}: ConfigMap/x configured`)).toBe('ConfigMap/x configured');
    expect(said('a '.repeat(600))).toHaveLength(1024);
  });
});
