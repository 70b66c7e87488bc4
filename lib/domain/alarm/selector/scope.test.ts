import { describe, expect, it } from 'vitest';
import { readExpression } from './expression.ts';
import { headsOf } from './name-pattern.ts';
import { scopeQuery, scopeText } from './scope.ts';
import { quoted, unquoted } from './string-literal.ts';

describe('scopeQuery', () => {
  it('asks for the labels that name objects, the label of the cluster first', () => {
    expect(scopeQuery('gotk_resource_info', 'cluster')).toBe(
      'group by (cluster, customresource_group, customresource_kind, kind, exported_kind, exported_namespace, namespace, exported_name, name, resource, job) (gotk_resource_info)',
    );
  });

  it('asks for a label once', () => {
    expect(scopeQuery('x', 'job').match(/job/g)).toHaveLength(1);
  });

  it.each(['a"b', 'a\\', '"} or on() up{x="', "a'b", 'a\nb\r\t\0', 'é💥'])(
    'is one selector whatever the value is: %j',
    (value) => {
      const scope = scopeText('gotk_resource_info', [{ name: 'name', operator: '=', value }]);
      expect(readExpression(scopeQuery(scope, 'cluster'))).toMatchObject({
        type: 'aggregation',
        arguments: [{ type: 'selector', selector: { matchers: [{ name: 'name', operator: '=', value }] } }],
      });
    },
  );

  it('is one selector whatever names are', () => {
    const name = 'a"} or up{b="';
    const scope = scopeText(name, [{ name, operator: '!~', value: 'x' }]);
    expect(readExpression(scopeQuery(scope, 'cluster'))).toMatchObject({
      arguments: [{ type: 'selector', selector: { metric: name, matchers: [{ name, operator: '!~', value: 'x' }] } }],
    });
  });
});

it.each(['', 'plain', 'a"b\\c\n\r\t\0é💥'])('a literal is read as it was written: %j', (text) => {
  expect(unquoted(quoted(text))).toBe(text);
});

it.each(['', '"', 'a', '"a', '"a\'', '"\\8"', '"\\400"', '"\\U00110000"'])('%s is no literal', (literal) => {
  expect(unquoted(literal)).toBeNull();
});

it.each<[string, readonly string[]]>([
  ['gotk_resource_info', ['gotk_resource_info']],
  ['^gotk_.*$', ['gotk_']],
  ['gotk_.*|flux_.+', ['gotk_', 'flux_']],
  ['(gotk|flux)_x', ['gotk', 'flux']],
  ['(?:a|(b|c)d)e', ['a', 'b', 'c']],
  ['(?i:gotk).*', ['']],
  ['(?P<x>gotk).*', ['']],
  ['(gotk)?x', ['']],
  ['ab*', ['a']],
  ['ab?c', ['a']],
  ['ab+', ['ab']],
  ['[ab|]c|d', ['', 'd']],
  ['a\\|b|c', ['a', 'c']],
  ['.*', ['']],
  ['(a', ['']],
  ['', ['']],
])('names that match %s begin with %j', (pattern, expected) => {
  expect(headsOf(pattern)).toEqual(expected);
});
