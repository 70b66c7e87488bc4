import { expect, it } from 'vitest';
import { scopeText } from '#lib/domain/matrix/embed-scope.ts';
import { topicScope } from '../copy-embed.tsx';

const ref = { cluster: 'eu-west-3', group: 'g', kind: 'Kustomization', namespace: 'flux-system', name: 'checkout' };

it.each([
  ['the fleet', { topic: 'fleet' }, 'fleet'],
  ['the fleet by a label', { topic: 'fleet', label: 'environment=production' }, 'label:environment=production'],
  ['the fleet by two labels', { topic: 'fleet', label: 'a=b,c=d' }, 'fleet'],
  ['a cluster', { topic: 'cluster', cluster: 'eu-west-3' }, 'cluster:eu-west-3'],
  ['an object', { topic: 'object', ...ref }, 'object:eu-west-3/g/Kustomization/flux-system/checkout'],
  ['a list', { topic: 'summary' }, null],
  ['a page that follows nothing', null, null],
])('%s', (_what, topic, text) => {
  const scope = topicScope(topic);
  expect(scope === null ? null : scopeText(scope)).toBe(text);
});
