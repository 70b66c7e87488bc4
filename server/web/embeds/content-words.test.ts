import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { sampleNow, sampleObject, sampleSource } from '../testing/sample.ts';
import { badgeText, objectContent, stateCountsText } from './content-words.ts';

const nobody = { objects: 0, worst: null };

describe('a badge', () => {
  it.each([
    ['what is not seen before what is', [['behind', 1]], [5, 4, 0], '4 of 5 not seen, 1 behind'],
    [
      'what is not seen once',
      [
        ['unobserved', 3],
        ['converged', 2],
      ],
      [5, 4, 0],
      '4 of 5 not seen',
    ],
    ['kinds that cannot be read', [['converged', 2]], [2, 0, 1], '1 of 2 partly seen'],
    ['no count of the one cluster', [['unobserved', 3]], [1, 1, 0], 'not seen'],
    ['what is worst where all is seen', [['behind', 1]], [5, 0, 0], '1 behind'],
  ] as const)('says %s', (_name, counts, [total, unseen, blind], words) => {
    expect(badgeText('unknown', counts, nobody, { total, unseen, blind })).toMatchObject({ words, silent: false });
  });

  it('says that nobody is being called before anything else', () => {
    const silent = { objects: 2, worst: 'diverged' } as const;
    const said = badgeText('broken', [['diverged', 2]], silent, { total: 5, unseen: 4, blind: 0 });
    expect(said).toEqual({ sign: { type: 'verdict', verdict: 'diverged' }, words: '2 silent', silent: true });
  });
});

const seen = { total: 5, unseen: 0, blind: 0 };

it.each([
  ['holds', { type: 'verdict', verdict: 'converged' }, 'as in git'],
  ['broken', { type: 'truth', truth: 'broken' }, 'not as in git'],
  ['unknown', { type: 'truth', truth: 'unknown' }, 'cannot be said'],
  ['empty', { type: 'truth', truth: 'empty' }, 'cannot be said'],
] as const)('where all is fine, and the sentence is %s, a badge says so', (truth, sign, words) => {
  const fine = [['suspended', 3] as const, ['converged', 2] as const];
  expect(badgeText(truth, fine, nobody, seen)).toEqual({ sign, words, silent: false });
  expect(badgeText(truth, [['unobserved', 2]], nobody, seen)).toEqual({
    sign: { type: 'verdict', verdict: 'unobserved' },
    words: '2 unobserved',
    silent: false,
  });
  const blind = badgeText(truth, fine, nobody, { ...seen, blind: 1 });
  expect(blind).toEqual({ sign: { type: 'truth', truth }, words: '1 of 5 partly seen', silent: false });
});

it('the counts of states are named, without those of which there is none', () => {
  const none = { holds: 0, broken: 0, off: 0, unknown: 0, planned: 0, declared: 0 };
  expect(stateCountsText(none)).toBe('');
  expect(stateCountsText({ ...none, declared: 1 })).toBe('Never observed: 1');
  expect(stateCountsText({ holds: 9_412, broken: 2, off: 31, unknown: 86, planned: 4, declared: 1 })).toBe(
    'In order or alarmed: 9,412; nobody is being called: 2; switched off: 31; not known: 86; planned work: 4; never observed: 1',
  );
});

describe('the embed of an object', () => {
  const said = (object: Parameters<typeof objectContent>[0]): string =>
    objectContent(object, defaultPolicy, sampleNow).sentence;

  it.each([
    ['a source', sampleSource('eu-west-3'), /\. Offers 2d81a0c\.$/],
    ['what is not seen', sampleObject({ name: 'web' }, { verdict: 'unobserved' }), /\. Last applied 2d81a0c\.$/],
    ['what is delivered', sampleObject({ name: 'web' }, { role: 'managed' }), /\. Declared at 2d81a0c\.$/],
    ['what applies it', sampleObject({ name: 'web' }), /\. Running 2d81a0c\.$/],
  ])('says of %s what its commit is', (_name, object, words) => expect(said(object)).toMatch(words));

  it.each([
    [{}, 'Since 21 Nov 01:00 UTC. '],
    [{ reason: 'Ready' }, 'Since 21 Nov 01:00 UTC. '],
    [{ verdict: 'diverged', reason: 'BuildFailed' }, 'Since 21 Nov 01:00 UTC (BuildFailed)'],
    [{ verdict: 'diverged', reason: '' }, 'Since 21 Nov 01:00 UTC'],
  ] as const)('%#: says since when, and of what is away why', (rest, words) => {
    const sentence = said(sampleObject({ name: 'web' }, rest));
    expect(sentence.slice(0, words.length)).toBe(words.charAt(0).toLowerCase() + words.slice(1));
  });

  it('says nothing of a commit that is not known', () => {
    const known = said(sampleObject({ name: 'web' }));
    expect(said(sampleObject({ name: 'web' }, { commit: null }))).toBe(known.replace(' Running 2d81a0c.', ''));
  });
});
