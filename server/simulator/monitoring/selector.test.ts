import { expect, it } from 'vitest';
import { parseGroupQuery, parseSelector } from './selector.ts';
import { seriesTest } from './series.ts';
import type { Series } from './series.ts';

const series: readonly Series[] = [
  { metric: 'gotk_resource_info', labels: { name: 'apps', cluster: 'eu-west-3', ready: 'False' } },
  { metric: 'gotk_resource_info', labels: { name: 'infra', cluster: 'us-east-1' } },
  { metric: 'crossplane_resource_info', labels: { name: 'logs', cluster: 'eu-west-3', ready: 'True' } },
];

function found(text: string): string {
  const parsed = parseSelector(text);
  if ('error' in parsed) return parsed.error;
  const isMatch = seriesTest(parsed.value);
  return series
    .filter(isMatch)
    .map(({ labels }) => labels['name'])
    .join(' ');
}

it.each([
  ['gotk_resource_info', 'apps infra'],
  ['gotk_resource_info{}', 'apps infra'],
  ['gotk_resource_info{ready!="True",}', 'apps infra'],
  ['gotk_resource_info{ready="False", cluster = "eu-west-3"}', 'apps'],
  ["{cluster=~'eu-.+|ap-.+'}", 'apps logs'],
  ['{cluster=~"eu"} ', ''],
  ['{__name__=~"gotk_.*",cluster!~"eu-.*"}', 'infra'],
  ['gotk_resource_info{name=`infra`}', 'infra'],
  ['{ready!="True"}', '1:1: parse error: vector selector must contain at least one non-empty matcher'],
  ['{}', '1:1: parse error: vector selector must contain at least one non-empty matcher'],
  ['gotk_resource_info{ready}', '1:25: parse error: unexpected "}", expected label matching operator'],
  ['gotk_resource_info{ready="True"', '1:32: parse error: unexpected end of input, expected "," or "}"'],
  ['gotk_resource_info[5m]', '1:19: parse error: unexpected "[5m]", expected end of input'],
  ['', '1:1: parse error: unexpected end of input, expected a selector of series'],
])('the selector %s finds "%s"', (text, names) => {
  expect(found(text)).toBe(names);
});

it('refuses a pattern that is none', () => {
  expect(found('{name=~"("}')).toContain('error parsing regexp');
});

it.each([
  ['group by (cluster, name) (gotk_resource_info)', ['cluster', 'name']],
  ['group by(name,)(gotk_resource_info{ready="True"})', ['name']],
  ['group by () (gotk_resource_info)', []],
])('reads %s', (text, by) => {
  expect(parseGroupQuery(text)).toMatchObject({ value: { by } });
});

it.each([
  'gotk_resource_info',
  'count by (name) (gotk_resource_info)',
  'group (gotk_resource_info)',
  'group by (name) (gotk_resource_info) == 1',
  'group by (name) (rate(gotk_resource_info[5m]))',
  'group by (name) (gotk_resource_info offset 5m)',
  `group by (name) (a{b="${'x'.repeat(20_000)}"})`,
])('refuses the query %.60s', (text) => {
  expect(parseGroupQuery(text)).toHaveProperty('error');
});
