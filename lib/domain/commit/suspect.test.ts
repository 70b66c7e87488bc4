import { describe, expect, it } from 'vitest';
import type { CommitRange } from '../record/commit-range.ts';
import { rangeEnds, suspicionOf, type PathTold, type SuspectFacts, type Suspicion } from './suspect.ts';
import { suspicionText } from './suspect-text.ts';

const [a, b] = ['a'.repeat(40), 'b'.repeat(40)];
const rev = (sha: string): string => `main@sha1:${sha}`;
const range = (lastGood: string | null, firstBad: string | null, watched = true): CommitRange => ({
  ...{ lastGood, firstBad, watched },
  seenBetween: 0,
});

describe('the commits of a range', () => {
  it.each([
    [range(rev(a), rev(b)), { type: 'ends', from: a, to: b }],
    [range(rev(a), rev(a)), { type: 'same' }],
    [range(rev(a), `trunk@sha1:${a}`), { type: 'same' }],
    [range(null, rev(b)), { type: 'not-told', why: 'never-worked' }],
    [range(null, rev(b), false), { type: 'not-told', why: 'good-unknown' }],
    [range(rev(a), null), { type: 'not-told', why: 'bad-unknown' }],
    [range('1.2.3', '1.2.4'), { type: 'not-told', why: 'no-commits' }],
    [range(rev(a), `latest@sha256:${'c'.repeat(64)}`), { type: 'not-told', why: 'no-commits' }],
  ])('%j are %j', (given, ends) => {
    expect(rangeEnds(given, null)).toEqual(ends);
  });
});

type Told = PathTold<{ readonly sha: string }>;

const told = (shas: string, part: Partial<Told & { type: 'told' }> = {}): Told => ({
  ...{ type: 'told', commits: 4, touching: shas.split('').map((sha) => ({ sha })), count: shas.length, elsewhere: [] },
  ...part,
});
const sure: SuspectFacts = { watched: true, edited: false, returned: false, unknownPaths: 0 };
const suspects = (shas: string, ...doubts: string[]) => ({
  ...{ type: 'suspects', shas: shas.split(''), more: false, commits: 4 },
  doubts,
});

describe('who is suspected', () => {
  it.each<readonly [string, Partial<SuspectFacts>, readonly Told[], object]>([
    ['the only one that touches it is named', {}, [told('x')], { type: 'culprit', sha: 'x', commits: 4 }],
    ['two are listed', {}, [told('yx')], suspects('yx')],
    ['none: git did not change it', {}, [told('')], { type: 'none', commits: 4, doubts: [] }],
    ['at least: none is named', { watched: false }, [told('x')], suspects('x', 'at-least')],
    ['at least, and none touches it', { watched: false }, [told('')], { type: 'none', commits: 4, doubts: [] }],
    ['a base elsewhere', {}, [told('x', { elsewhere: ['https://x'] })], suspects('x', 'elsewhere')],
    ['bases that are not told', {}, [told('x', { elsewhere: null })], suspects('x', 'elsewhere')],
    [
      'a base elsewhere, and none touches it',
      {},
      [told('', { elsewhere: ['https://x'] })],
      { type: 'none', commits: 4, doubts: ['elsewhere'] },
    ],
    ['an edited spec', { edited: true }, [told('x')], suspects('x', 'edited')],
    ['one that came back', { returned: true }, [told('x')], suspects('x', 'returned')],
    ['a member that is gone', { unknownPaths: 1 }, [told('x')], suspects('x', 'some-unknown')],
    ['all paths are touched by it', {}, [told('x'), told('x')], { type: 'culprit', sha: 'x', commits: 4 }],
    ['not all paths are', {}, [told('x'), told('')], suspects('x', 'not-all')],
    ['each path by another', {}, [told('x'), told('y')], suspects('xy')],
    ['one of two by both', {}, [told('yx'), told('x')], suspects('yx')],
    ['more than are listed', {}, [told('x', { count: 2 })], { ...suspects('x'), more: true }],
    ['nothing listed of several', {}, [told('', { count: 2 })], { ...suspects(''), more: true }],
    [
      'one path is not told',
      {},
      [told('x'), { type: 'not-told', why: 'rewritten' }],
      { type: 'not-told', why: 'rewritten' },
    ],
    ['no path is known', { unknownPaths: 3 }, [], { type: 'not-told', why: 'no-path' }],
  ])('%s', (_name, facts, paths, expected) => {
    expect(suspicionOf({ ...sure, ...facts }, paths)).toEqual(expected);
  });

  it('no combination of doubts names a commit', () => {
    const doubtful: readonly Partial<SuspectFacts>[] = [
      { watched: false },
      { edited: true },
      { returned: true },
      { unknownPaths: 2 },
    ];
    for (const facts of doubtful)
      for (const paths of [[told('x')], [told('x'), told('x')]])
        expect(suspicionOf({ ...sure, ...facts }, paths).type).toBe('suspects');
  });
});

describe('a conclusion in words', () => {
  const named = { elsewhere: ['https://a.example/x', 'b', 'c', 'd', 'e'], reason: 'It is refused.' };
  const several: Suspicion = { type: 'suspects', shas: ['x', 'y'], more: false, commits: 9, doubts: [] };
  it.each<readonly [Suspicion, string]>([
    [{ type: 'culprit', sha: 'x', commits: 1 }, 'The only commit in this range touches what it builds from.'],
    [{ type: 'culprit', sha: 'x', commits: 4 }, 'Of 4 commits in this range, one touches what it builds from.'],
    [several, 'Of 9 commits in this range, 2 touch what it builds from.'],
    [{ ...several, more: true }, 'Of 9 commits in this range, at least 2 touch what it builds from.'],
    [
      { ...several, shas: ['x'], commits: 1, doubts: ['at-least', 'edited'] },
      'The only commit in this range touches what it builds from. Not every attempt was seen, so none is named as the culprit. ' +
        'Its spec was edited about then, or since: it may have been built from another path.',
    ],
    [
      { ...several, shas: ['x'], doubts: ['elsewhere'] },
      'Of 9 commits in this range, 1 touches what it builds from. It builds from what this repository does not hold, too: ' +
        'https://a.example/x, b, c and 2 more.',
    ],
    [
      { type: 'none', commits: 4, doubts: [] },
      'No commit in this range touches what it builds from: git did not change it.',
    ],
    [
      { type: 'none', commits: 4, doubts: ['returned', 'some-unknown', 'not-all'] },
      'No commit in this range touches what it builds from. It was over and came back: this is the range of the first time. What some of the objects were built from is not known. ' +
        'It does not touch what every one of the objects builds from.',
    ],
    [
      { type: 'none', commits: 0, doubts: [] },
      'It failed at the very commit at which it had worked: git did not change it.',
    ],
    [{ type: 'not-told', why: 'not-mirrored' }, 'It is refused.'],
    [{ type: 'not-told', why: 'late' }, 'Git does not answer in time.'],
  ])('%j', (suspicion, text) => {
    expect(suspicionText(suspicion, named)).toBe(text);
  });

  it('says so where what else it builds from is not known', () => {
    const none: Suspicion = { type: 'none', commits: 2, doubts: ['elsewhere'] };
    expect(suspicionText(none, { elsewhere: [], reason: null })).toBe(
      'No commit in this range touches what it builds from. What else it builds from is not known.',
    );
  });
});
