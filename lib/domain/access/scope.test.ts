import { describe, expect, it } from 'vitest';
import { grantedOn, holdsNamespace, scopeKey, wholeScope, type Grant, type Granted, type ViewScope } from './scope.ts';

const any: Grant = { clusters: null, labels: {}, namespaces: null };
const of = (...grants: readonly Partial<Grant>[]): ViewScope => ({
  type: 'grants',
  grants: grants.map((grant) => ({ ...any, ...grant })),
});
const cluster = { name: 'eu-1', labels: { environment: 'production', region: 'eu' } };

describe('grantedOn', () => {
  it.each<[string, ViewScope, Granted]>([
    ['everything', wholeScope, 'all'],
    ['no grant', of(), 'none'],
    ['a grant of all', of({}), 'all'],
    ['its name', of({ clusters: ['eu-1'] }), 'all'],
    ['another name', of({ clusters: ['eu-10', 'eu'] }), 'none'],
    ['no name at all', of({ clusters: [] }), 'none'],
    ['its labels', of({ labels: { region: 'eu', environment: 'production' } }), 'all'],
    ['one label of two', of({ labels: { region: 'eu', team: 'a' } }), 'none'],
    ['a label that every object inherits', of({ labels: { constructor: 'x' } }), 'none'],
    ['its name, and labels that it lacks', of({ clusters: ['eu-1'], labels: { region: 'us' } }), 'none'],
    ['namespaces', of({ namespaces: ['apps', '-'] }), new Set(['apps', ''])],
    ['no namespace', of({ namespaces: [] }), 'none'],
    ['namespaces of several grants', of({ namespaces: ['a'] }, { namespaces: ['b'] }), new Set(['a', 'b'])],
    ['a namespace, and all by another grant', of({ namespaces: ['a'] }, { clusters: ['eu-1'] }), 'all'],
    ['a namespace elsewhere', of({ clusters: ['us-1'], namespaces: ['a'] }, { namespaces: ['b'] }), new Set(['b'])],
  ])('%s', (_name, scope, granted) => expect(grantedOn(scope, cluster)).toEqual(granted));
});

it.each<[Granted, string, boolean]>([
  ['all', '', true],
  ['none', 'apps', false],
  [new Set(['apps']), 'apps', true],
  [new Set(['apps']), '', false],
  [new Set(['']), '', true],
])('a part %j holds the namespace "%s": %s', (granted, namespace, holds) =>
  expect(holdsNamespace(granted, namespace)).toBe(holds),
);

describe('scopeKey', () => {
  const one = { clusters: ['b', 'a', 'b'], labels: { x: '1', y: '2' }, namespaces: ['n', 'm'] };
  const other = { clusters: ['a', 'b'], labels: { y: '2', x: '1' }, namespaces: ['m', 'n'] };

  it('is the same in any order', () => {
    expect(scopeKey(of(one))).toBe(scopeKey(of(other)));
    expect(scopeKey(of(one, any))).toBe(scopeKey(of(any, other, one)));
  });

  it('differs where a grant does', () => {
    const keys = [wholeScope, of(), of({}), of({ clusters: [] }), of({ namespaces: [] }), of({ labels: { a: 'b' } })];
    expect(new Set(keys.map(scopeKey)).size).toBe(keys.length);
    expect(scopeKey(of({ clusters: ['a,b'] }))).not.toBe(scopeKey(of({ clusters: ['a', 'b'] })));
  });
});
