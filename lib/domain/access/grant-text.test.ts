import { expect, it } from 'vitest';
import { readGrant, scopeSentences } from './grant-text.ts';
import { everyGrant, type Grant, wholeScope } from './scope.ts';

it.each<[readonly Partial<Grant>[], readonly string[]]>([
  [[], ['Nothing']],
  [[{}], ['All clusters: all namespaces']],
  [[{ clusters: ['a'] }], ['Cluster a: all namespaces']],
  [[{ clusters: ['a', 'b'], namespaces: ['x', '-'] }], ['Clusters a, b: namespaces x, what has none']],
  [[{ labels: { region: 'eu' }, namespaces: ['x'] }], ['All clusters with region=eu: namespace x']],
  [
    [{ clusters: [] }, { namespaces: [] }],
    ['no cluster: all namespaces', 'All clusters: no namespace'],
  ],
  [[{ clusters: 'a b c d e f g h'.split(' ') }], ['Clusters a, b, c, d, e, f and 2 more: all namespaces']],
])('a scope of %j is %j', (grants, sentences) =>
  expect(scopeSentences({ type: 'grants', grants: grants.map((grant) => ({ ...everyGrant, ...grant })) })).toEqual(
    sentences,
  ),
);

it('a scope of many grants tells the first, and how many more', () => {
  const grants = Array.from({ length: 10 }, () => everyGrant);
  expect(scopeSentences({ type: 'grants', grants })).toHaveLength(9);
  expect(scopeSentences({ type: 'grants', grants }).at(-1)).toBe('and 2 more');
  expect(scopeSentences(wholeScope)).toEqual(['Everything: all clusters, all namespaces']);
});

it('a grant is read as it is written', () => {
  expect(readGrant('everything')).toEqual({ type: 'everything' });
  expect(readGrant('team:a b')).toEqual({ type: 'team', name: 'a b' });
  expect(readGrant('namespaces=x')).toEqual({ type: 'grant', grant: { ...everyGrant, namespaces: ['x'] } });
  for (const text of ['', 'team:', 'clusters', 'clusters=', 'clusters=a,,b', 'labels==x', 'everything;clusters=a'])
    expect([text, readGrant(text).type]).toEqual([text, 'none']);
});
