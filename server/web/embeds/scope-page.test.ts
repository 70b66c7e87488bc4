import { expect, it } from 'vitest';
import { parseScope } from '#lib/domain/matrix/embed-scope.ts';
import { reportScope, scopePage } from './scope-page.ts';

it.each([
  ['fleet', '/'],
  ['label:environment=pre production', '/?label=environment%3Dpre+production'],
  ['cluster:eu-west-3', '/clusters/eu-west-3'],
  ['column:Kustomization/checkout', '/objects?q=checkout'],
  ['object:eu-west-3/apps/Deployment/web/shop', '/clusters/eu-west-3/apps/Deployment/web/shop'],
  ['figure:converged/last-month/cluster:eu-west-3', '/reports?period=last-month&cluster=eu-west-3'],
  ['figure:converged/last-month/fleet', '/reports?period=last-month'],
])('%s is shown at %s', (text, page) => {
  const scope = parseScope(text);
  expect(scope && scopePage(scope)).toBe(page);
});

it('a report of the fleet names no clusters', () => {
  expect(reportScope({ type: 'fleet' })).toEqual({});
});
