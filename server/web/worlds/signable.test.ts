import { expect, it } from 'vitest';
import type { Grant } from '#lib/domain/access/scope.ts';
import { withinOf } from '#lib/domain/access/within.ts';
import { parseScope } from '#lib/domain/matrix/embed-scope.ts';
import { isSignable } from './signable.ts';
import { sightOf } from './sight.ts';

const any: Grant = { clusters: null, labels: {}, namespaces: null };
const present = [{ name: 'eu-1', labels: { region: 'eu' } }];
const object = 'object:eu-1/kustomize.toolkit.fluxcd.io/Kustomization/apps/shop';

it.each<[Partial<Grant>, string, boolean]>([
  [{}, 'fleet', true],
  [{ clusters: ['eu-1'] }, 'fleet', false],
  [{ clusters: ['eu-1'] }, 'cluster:eu-1', true],
  [{ clusters: ['eu-1'] }, 'cluster:us-1', false],
  [{ clusters: ['eu-1'] }, 'label:region=eu', false],
  [{ labels: { region: 'eu' } }, 'label:region=eu', true],
  [{ labels: { region: 'eu' } }, 'label:region=us', false],
  [{ labels: { region: 'eu' } }, 'cluster:eu-1', true],
  [{ labels: { region: 'eu' } }, 'column:Kustomization/shop', false],
  [{ clusters: ['eu-1'], namespaces: ['apps'] }, 'cluster:eu-1', false],
  [{ clusters: ['eu-1'], namespaces: ['apps'] }, object, true],
  [{ clusters: ['eu-1'], namespaces: ['ops'] }, object, false],
  [{ clusters: ['eu-1'] }, 'figure:converged/last-30-days/cluster:eu-1', true],
  [{ clusters: ['eu-1'] }, 'figure:converged/last-30-days/fleet', false],
])('a grant of %j signs %s: %s', (grant, text, expected) => {
  const scope = { type: 'grants', grants: [{ ...any, ...grant }] } as const;
  const embed = parseScope(text);
  if (embed === null) throw new Error(`${text} is no scope`);
  expect(isSignable(embed, scope, sightOf(withinOf(scope, () => present) ?? []))).toBe(expected);
});
