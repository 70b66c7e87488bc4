import { describe, expect, it } from 'vitest';
import { wholeScope, type Grant, type Granted } from './scope.ts';
import { grantedWithin, withinOf, type Within } from './within.ts';

const any: Grant = { clusters: null, labels: {}, namespaces: null };
const present = [
  { name: 'eu-1', labels: { region: 'eu' } },
  { name: 'us-1', labels: { region: 'us' } },
];

describe('withinOf', () => {
  const of = (...grants: readonly Partial<Grant>[]): Within | null =>
    withinOf({ type: 'grants', grants: grants.map((grant) => ({ ...any, ...grant })) }, () => present);

  it('is null for everything, and of no grant nothing', () => {
    expect(withinOf(wholeScope, () => present)).toBeNull();
    expect(of()).toEqual([]);
  });

  it('takes labels as they are now, and names as they stand', () => {
    expect(of({ labels: { region: 'eu' } })).toEqual([{ clusters: ['eu-1'], namespaces: null }]);
    expect(of({ clusters: ['gone'], namespaces: ['apps', '-'] })).toEqual([
      { clusters: ['gone'], namespaces: ['apps', ''] },
    ]);
    expect(of({ clusters: ['us-1'], labels: { region: 'eu' } })).toEqual([{ clusters: [], namespaces: null }]);
    expect(of({ namespaces: ['apps'] })).toEqual([{ clusters: null, namespaces: ['apps'] }]);
  });
});

it.each<[Within | null, string, Granted]>([
  [null, 'eu-1', 'all'],
  [[], 'eu-1', 'none'],
  [[{ clusters: ['eu-1'], namespaces: null }], 'eu-1', 'all'],
  [[{ clusters: ['eu-1'], namespaces: null }], 'us-1', 'none'],
  [[{ clusters: null, namespaces: ['apps', ''] }], 'us-1', new Set(['apps', ''])],
  [[{ clusters: null, namespaces: [] }], 'us-1', 'none'],
])('%j holds of %s: %s', (within, cluster, granted) => expect(grantedWithin(within, cluster)).toEqual(granted));
