import { describe, expect, it } from 'vitest';
import { parseScope, scopeOfPath, scopePath, scopeText } from './embed-scope.ts';

const written = [
  ['fleet', '/embed/fleet'],
  ['label:environment=production', '/embed/labels/environment/production'],
  ['label:topology.kubernetes.io/region=eu', '/embed/labels/topology.kubernetes.io/region/eu'],
  ['label:team=a+b=c', '/embed/labels/team/a%2Bb%3Dc'],
  ['cluster:eu-west-3', '/embed/clusters/eu-west-3'],
  ['cluster:admin@prod:1', '/embed/clusters/admin%40prod%3A1'],
  ['column:Kustomization/checkout', '/embed/columns/Kustomization/checkout'],
  ['column:source/GitRepository/control', '/embed/columns/source/GitRepository/control'],
  [
    'object:eu-west-3/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/checkout',
    '/embed/objects/eu-west-3/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/checkout',
  ],
  ['object:eu-west-3//Node//n1', '/embed/objects/eu-west-3/-/Node/-/n1'],
  ['cluster:a.svg', '/embed/clusters/a.svg'],
  ['figure:converged/last-30-days/fleet', '/embed/figures/converged/last-30-days/fleet'],
  [
    'figure:incidents/last-month/label:topology.kubernetes.io/region=eu',
    '/embed/figures/incidents/last-month/labels/topology.kubernetes.io/region/eu',
  ],
  ['figure:overdue/last-7-days/cluster:eu-west-3', '/embed/figures/overdue/last-7-days/clusters/eu-west-3'],
] as const;

describe('a scope', () => {
  it.each(written)('%s is at %s', (text, path) => {
    const scope = parseScope(text);
    if (scope === null) throw new Error(`${text} is no scope`);
    expect(scopeText(scope)).toBe(text);
    expect(scopePath(scope, 'embed')).toBe(path);
    expect(scopeOfPath(path)).toEqual({ form: 'embed', scope });
    const badge = `${path.replace('/embed/', '/badge/')}.svg`;
    expect(scopePath(scope, 'badge')).toBe(badge);
    expect(scopeOfPath(badge)).toEqual({ form: 'badge', scope });
  });

  it.each([
    '',
    'fleet:',
    'Fleet',
    'label:',
    'label:=x',
    'label:a',
    'label:a=',
    'cluster:',
    'cluster:..',
    'column:',
    'column:a//b',
  ])('%j is none', (text) => {
    expect(parseScope(text)).toBeNull();
  });

  it.each([
    'object:a',
    'object:a/b/c/d',
    'object:a/b/c/d/e/f',
    'object:a/b//d/e',
    'label:\uD800=x',
    'namespace:x',
    'figure:converged',
    'figure:converged/last-30-days',
    'figure:x/last-30-days/fleet',
    'figure:converged/for-ever/fleet',
    'figure:converged/last-30-days/column:a',
    'figure:converged/last-30-days/figure:converged/last-30-days/fleet',
    'figure:converged/last-30-days/label:a=b,c=d',
    'figure:converged/last-30-days/cluster:a,b',
  ])('%j is none either', (text) => {
    expect(parseScope(text)).toBeNull();
  });

  it.each([
    '/embed',
    '/embed/',
    '/embed/fleet/',
    '/embed/fleet.svg',
    '/badge/fleet',
    '/embed/%66leet',
    '/embed//fleet',
    '/embed/clusters/eu%2dwest-3',
    '/embed/clusters/eu-west-3/x',
    '/embed/clusters/%',
    '/embed/clusters/%2E%2E',
    '/embed/labels/a',
    '/embed/labels/a%3Db/c',
    '/embed/columns',
    '/embed/objects/a/b/c/d',
    '/embed/objects/a/b/c/d/e/f',
    '/embed/objects/a/b%2Fb/c/d',
    '/Embed/fleet',
    '/embed/figures/converged/fleet',
    '/embed/figures/converged/last-30-days',
    '/embed/figures/converged/last-30-days/labels/a/b%2Cc',
    '/embed/figures/converged/last-30-days/columns/a',
  ])('%s is the path of none', (path) => {
    expect(scopeOfPath(path)).toBeNull();
  });
});
