import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { sampleNow, sampleObject, sampleSource } from '../testing/sample.ts';
import { badgeText, objectContent } from './content-words.ts';

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

  it('says that nobody was called before anything else', () => {
    const silent = { objects: 2, worst: 'diverged' } as const;
    const said = badgeText('broken', [['diverged', 2]], silent, { total: 5, unseen: 4, blind: 0 });
    expect(said.words).toBe('2 silent');
  });
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

  it('says nothing of a commit that is not known', () => {
    const known = said(sampleObject({ name: 'web' }));
    expect(said(sampleObject({ name: 'web' }, { commit: null }))).toBe(known.replace(' Running 2d81a0c.', ''));
  });
});
