import { expect, it } from 'vitest';
import { hostileTargets } from '#test/hostile/targets.ts';
import { isNormalTarget } from './normal-path.ts';

it.each(hostileTargets)('%j is no normal target', (target) => {
  expect(isNormalTarget(target)).toBe(false);
});

it('there are enough of them', () => {
  expect(new Set(hostileTargets).size).toBeGreaterThan(60);
});

it.each([
  '/',
  '/?at=2026-11-21T02:12:20Z',
  '/?q=../..//%2e%2e%2f\\',
  '/api/v1/clusters',
  '/api/v1/object?cluster=a&group=-&kind=b%2Fc',
  '/clusters/eu-west-3/rbac.authorization.k8s.io/ClusterRole/-/system%3Acontroller%3Anode',
  '/clusters/eu-west-3/rbac.authorization.k8s.io/ClusterRole/-/system:controller',
  '/clusters/gke@eu_1.example',
  '/clusters/not%20on%20a%20cluster',
  '/clusters/a%3ab',
  '/clusters/caf%C3%A9',
  '/clusters/a..b/...',
  '/clusters/100%25',
  '/clusters/100%25zz',
  "/a!$&'()*+,;=:@~_-.b",
  '/_next/static/chunks/[turbopack]_0~x.js',
  '/embed/labels/topology.kubernetes.io/region/eu?expires=1&key=a&signature=b_-',
  '/badge/fleet.svg?a=b&as=.svg',
])('%s is one', (target) => {
  expect(isNormalTarget(target)).toBe(true);
});
