import { describe, expect, it } from 'vitest';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { knownCluster } from '../../testing/moment.ts';
import { sampleObject, sampleRef, type SampleRef } from '../../testing/sample.ts';
import { editDistance } from '#lib/format/edit-distance.ts';
import { nearestClusters, nearestNames, nearestObjects } from './nearest.ts';

it.each([
  ['abc', 'xyz', 3, 3],
  ['abc', 'abcdef', 3, 3],
  ['ab', 'abcdef', 3, 4],
  ['a', 'abcdef', 2, 3],
  ['uvwx', 'abcd', 2, 3],
  ['abc', 'bcd', 3, 2],
  ['ab', 'b', 3, 1],
  ['b', 'ab', 3, 1],
  ['kitten', 'sitting', 3, 3],
  ['abcd', 'xabcd', 3, 1],
  ['', 'ab', 3, 2],
])('%s and %s, given up beyond %i, are %i apart', (a, b, most, distance) => {
  expect(editDistance(a, b, most)).toBe(distance);
});

describe('the names nearest to one that is not there', () => {
  const far = ['axyzw', 'abxyz', 'abcxy', 'abcdx', 'abcdeg', 'ABCDE'];

  it.each<[what: string, name: string, names: string[], nearest: string[]]>([
    ['the nearest first, none with four other letters', 'abcde', far, ['ABCDE', 'abcdeg', 'abcdx', 'abcxy', 'abxyz']],
    ['no more than five', 'abcde', [...far, 'abcdef'], ['ABCDE', 'abcdeg', 'abcdef', 'abcdx', 'abcxy']],
    ['one that is part of it before one of another letter', 'abcde', ['abcdx', 'abc'], ['abc', 'abcdx']],
    ['of no name, the short ones', '', ['a', 'abc', 'abcd'], ['a', 'abc']],
  ])('%s', (_what, name, names, nearest) => {
    expect(nearestNames(name, names)).toEqual(nearest);
  });
});

describe('the objects nearest to one that is not there', () => {
  const wanted = sampleRef({ name: 'checkout' });
  const refs: readonly SampleRef[] = [
    { cluster: 'us', name: 'checkout', namespace: 'apps' },
    { cluster: 'us', name: 'checkout', kind: 'HelmRelease' },
    { cluster: 'us', name: 'checkout' },
    { name: 'chekt' },
    { name: 'chekot', kind: 'HelmRelease', namespace: 'apps' },
    { name: 'chekout' },
    { name: 'checkouts' },
    { name: 'checkout', kind: 'HelmRelease' },
    { name: 'checkout', namespace: 'apps' },
  ];

  /** Positions of those found among `refs` at `indexes`; a cluster as it is. */
  function found(indexes: readonly number[], cluster = 'eu-west-3'): (number | ObjectRef)[] {
    const objects = indexes.map((index) => sampleObject({ name: '', ...refs[index] }));
    const clusters = ['eu-west-3', 'us'].map((name) =>
      knownCluster(
        name,
        objects.filter(({ ref }) => ref.cluster === name),
      ),
    );
    return nearestObjects({ ...wanted, cluster }, clusters).map((ref) => {
      const index = objects.findIndex((object) => JSON.stringify(object.ref) === JSON.stringify(ref));
      return indexes[index] ?? ref;
    });
  }

  it('are of the same name in another namespace or of another kind, then elsewhere, then spelled alike', () => {
    expect(found([0, 1, 2, 6, 7, 8])).toEqual([8, 7, 2, 6, 0]);
    expect(found([2, 3, 4, 5, 6])).toEqual([2, 6, 5, 4]);
  });

  it('on a cluster that is not there are the same elsewhere, else clusters', () => {
    expect(found([2], 'eu-west-9')).toEqual([2]);
    expect(found([8], 'eu-west-9')).toEqual([8]);
    const nothing = { group: '', kind: '', namespace: '', name: '' };
    expect(found([5], 'eu-west-9')).toEqual([{ cluster: 'eu-west-3', ...nothing }]);
    expect(nearestClusters('us', [knownCluster('us', [])])).toEqual([{ cluster: 'us', ...nothing }]);
    expect(found([3])).toEqual([]);
  });
});
