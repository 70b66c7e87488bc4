import { describe, expect, it } from 'vitest';
import type { Matcher, Route } from '../fact.ts';
import { plainMatch } from './plain-pattern.ts';
import { reachedReceivers } from './route-check.ts';

const labels: Readonly<Record<string, string | null>> = { severity: 'critical', cluster: 'eu', name: null };
const labelOf = (name: string): string | null => (Object.hasOwn(labels, name) ? (labels[name] ?? null) : '');

function route(
  receiver: string,
  matchers: readonly Matcher[],
  routes: readonly Route[] = [],
  continues = false,
): Route {
  return { receiver, matchers, routes, continues, isWhole: true };
}
const is = (name: string, value: string): Matcher => ({ name, operator: '=', value });

describe('receivers of an alert', () => {
  it.each([
    ['the root where nothing matches', [route('a', [is('severity', 'warning')])], ['root']],
    ['the first that matches', [route('a', [is('severity', 'critical')]), route('b', [])], ['a']],
    ['and those after it while it goes on', [route('a', [], [], true), route('b', [])], ['a', 'b']],
    ['the deepest', [route('a', [], [route('b', [is('cluster', 'eu')])])], ['b']],
    ['a node itself where none beneath it matches', [route('a', [], [route('b', [is('cluster', 'us')])])], ['a']],
    ['a label that is absent is empty', [route('a', [is('team', '')])], ['a']],
    ['an unknown label beside one that does not match', [route('a', [is('name', 'x'), is('cluster', 'us')])], ['root']],
  ])('%s', (_, routes, expected) => {
    expect(reachedReceivers(route('root', [], routes), labelOf)).toEqual(new Set(expected));
  });

  it('are not told by a label that is not known, nor of a tree without end', () => {
    expect(reachedReceivers(route('root', [], [route('a', [is('name', 'x')])]), labelOf)).toBeNull();
    const deep = Array.from({ length: 60 }).reduce<Route>((inner) => route('a', [], [inner]), route('b', []));
    expect(reachedReceivers(deep, labelOf)).toBeNull();
  });

  it('are not told where more letters would have to be looked at than so many, by one walk or by several', () => {
    const dear: Matcher = { name: 'severity', operator: '!~', value: `.*${'a'.repeat(500)}b` };
    const tree = (count: number): Route =>
      route(
        'root',
        [],
        Array.from({ length: count }, (_, at) => route(`r${at}`, [dear], [], true)),
      );
    const long = (): string => 'a'.repeat(100);
    expect(reachedReceivers(tree(10), long)?.size).toBe(10);
    expect(reachedReceivers(tree(1_000), long)).toBeNull();
    const looking = { left: 20_000 };
    const walks = Array.from({ length: 4 }, () => reachedReceivers(tree(10), long, looking)?.size ?? null);
    expect(walks).toEqual([10, 10, 10, null]);
    // It looks at a value of a thousand letters half a million times.
    expect(plainMatch(`.*${'a'.repeat(500)}b`, 'a'.repeat(1_000))).toBeNull();
  });

  it('are not told where a route on their way was not read whole, and are where it takes none of it', () => {
    const part = (matchers: readonly Matcher[]): Route => ({ ...route('a', matchers), isWhole: false });
    const through = (...routes: readonly Route[]) => reachedReceivers(route('root', [], routes), labelOf);
    expect(through(part([is('severity', 'critical')]))).toBeNull();
    expect(through(route('b', []), part([]))).toEqual(new Set(['b']));
    expect(through(part([is('severity', 'warning')]))).toEqual(new Set(['root']));
    expect(reachedReceivers(part([]), labelOf)).toBeNull();
  });
});

it.each<readonly [string, string, boolean | null]>([
  ['a|b', 'b', true],
  ['a|b', 'ab', false],
  ['^(?:a|b)$', 'a', true],
  ['(a|b)', 'c', false],
  ['.*-prod', 'eu-prod', true],
  ['.+', '', false],
  ['.*', 'two\nlines', true],
  [String.raw`a\.b`, 'a.b', true],
  [String.raw`a\.b`, 'axb', false],
  ['', '', true],
  ['(a+)+', 'aaaa', null],
  ['[ab]', 'a', null],
  [String.raw`\d`, '1', null],
  ['.*a.*b.*c.*', 'xaxbxcx', true],
  ['.*a.*b.*c.*', 'acb', false],
  ['.*.*.*.*.*.*.*.*.*b', 'a'.repeat(1_000), false],
  ['a(b|c)', 'ab', null],
  ['x'.repeat(2_000), 'x', null],
])('the pattern %s on "%s"', (pattern, value, expected) => {
  expect(plainMatch(pattern, value)).toBe(expected);
});
