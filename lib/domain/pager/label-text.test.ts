import { describe, expect, it } from 'vitest';
import { longestGiven, longestLabel, mostLabels, unreadText } from './label.ts';
import { readLabelText } from './label-text.ts';

function labelsIn(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(readLabelText(text).labels.map(({ name, value }) => [name, value]));
}

describe('the forms that pagers print', () => {
  it.each([
    ['matchers', '{a="b",c="d"}', { a: 'b', c: 'd' }],
    ['matchers with spaces, and a comma at the end', ' { a = "b" , c="d", } ', { a: 'b', c: 'd' }],
    ['matchers behind a metric', 'ALERTS{a="b"}', { a: 'b' }],
    ['matchers with what is escaped', String.raw`{a="say \"no\"\n, then",c="d}"}`, { a: 'say "no"\n, then', c: 'd}' }],
    ['matchers with names in quotes', '{"k8s.cluster"="eu",a="b"}', { 'k8s.cluster': 'eu', a: 'b' }],
    ['matchers without quotes', '{a=b,c=d e}', { a: 'b', c: 'd e' }],
    [
      'a map of Go',
      'map[alertname:Stuck kind:Kustomization name:apps]',
      { alertname: 'Stuck', kind: 'Kustomization', name: 'apps' },
    ],
    [
      'a map whose values hold spaces and colons',
      'map[a:x y note: z http://q c:d:e b:f]',
      { a: 'x y note: z http://q', c: 'd:e b:f' },
    ],
    ['an empty map', 'map[]', {}],
    ['JSON', '{"a":"b","c":1,"d":true}', { a: 'b', c: '1', d: 'true' }],
    ['JSON with an unusual name', '{"__proto__":"x","a":"b"}', { ['__proto__']: 'x', a: 'b' }],
    ['lines', 'a = b\nc=d\n', { a: 'b', c: 'd' }],
    ['lines whose values hold commas', 'a = b, still b\nc = d', { a: 'b, still b', c: 'd' }],
    [
      "Alertmanager's own message",
      'Labels:\n - alertname = Stuck\n - name = apps\nAnnotations:\n - summary = a = b\nSource: http://x/?a=b',
      { alertname: 'Stuck', name: 'apps' },
    ],
    ["Grafana's own message", 'Value: B=22, C=1\nLabels:\n - name = apps\nSilence: https://x/?a=b', { name: 'apps' }],
    ['pairs with commas', 'a=b, c = d,e=f', { a: 'b', c: 'd', e: 'f' }],
    ['pairs whose values hold commas and signs', 'a=b, still b, c=d=e', { a: 'b, still b', c: 'd=e' }],
    ['one pair', 'name=apps', { name: 'apps' }],
    ['values of nothing', 'a=, b=<no value>, c=" ", d=e', { d: 'e' }],
    ['nothing', '  ', {}],
  ])('%s', (_form, text, expected) => {
    expect(labelsIn(text)).toEqual(expected);
    expect(readLabelText(text).unread).toEqual([]);
  });
});

describe('what is not read is said', () => {
  it.each([
    ['no label at all', 'kustomize build failed', '"kustomize build failed" is no label and is left out.'],
    ['a broken matcher', '{a="b", what', '"what" is no label and is left out.'],
    ['a pattern', '{a=~"b.*"}', 'The matcher on a names no one value and is left out.'],
    ['a denial', '{a!="b"}', 'The matcher on a names no one value and is left out.'],
    ['JSON in JSON', '{"labels":{"a":"b"}}', 'The matcher on labels names no one value and is left out.'],
    ['a list', '["a","b"]', '"["a","b"]" is no label and is left out.'],
    ['two values', 'a=b,a=c', 'The label a was given with two values; the first is read.'],
    [
      'a value that is too long',
      `a=${'x'.repeat(longestLabel + 1)}`,
      'The label a is longer than 1,024 characters and is left out.',
    ],
    [
      'too much',
      'x'.repeat(longestGiven + 1),
      'What was given is 16,385 characters long; no more than 16,384 are read, so nothing of it is.',
    ],
    [
      'too many',
      Array.from({ length: mostLabels + 2 }, (_, index) => `l${index}=v`).join(','),
      '66 labels were given; the first 64 are read.',
    ],
  ])('%s', (_what, text, expected) => {
    const { labels, unread } = readLabelText(text);
    expect(unread.map(unreadText)).toContain(expected);
    expect(labels.length).toBeLessThanOrEqual(mostLabels);
  });

  it('at most eight parts are named', () => {
    expect(readLabelText(Array.from({ length: 50 }, () => 'nothing').join('\n')).unread).toHaveLength(8);
  });
});

// Texts that make a pattern try everything: each is as long as may be, and backtracking would take minutes over it.
it.each([
  ['braces', '{'.repeat(longestGiven)],
  ['an open quote', `{a="${'\\\\'.repeat(8_000)}`],
  ['blanks', `{a=${' '.repeat(longestGiven - 4)}x`],
  ['names', `{${'a'.repeat(longestGiven - 2)}`],
  ['commas', ','.repeat(longestGiven)],
  ['words of a map', `map[${'a: '.repeat(5_000)}]`],
  ['lines', '- \n'.repeat(5_000)],
  ['signs', '='.repeat(longestGiven)],
  ['JSON within JSON', '['.repeat(longestGiven)],
])('a hostile text is read in no time: %s', (_what, text) => {
  const began = performance.now();
  readLabelText(text);
  expect(performance.now() - began).toBeLessThan(5_000);
});
