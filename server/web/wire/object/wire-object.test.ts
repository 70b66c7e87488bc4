import { expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { sampleNow, sampleObject, sampleRef } from '../../testing/sample.ts';
import { wireCause, wireObject, wireRange, wireRevision } from './wire-object.ts';

const nothing = { group: '', kind: '', namespace: '', name: '' };
const context = {
  policy: defaultPolicy,
  now: sampleNow,
  links: () => ({
    commit: (commit: string) => `/commit/${commit}`,
    compare: () => '',
    pullRequest: () => null,
    tree: (commit: string, path: string) => `/tree/${commit}/${path}`,
  }),
};

it.each([
  [
    { type: 'controller', cluster: 'a', namespace: 'flux-system', name: 'kc' } as const,
    { title: 'kc on a', href: '/clusters/a', ...nothing, cluster: 'a', namespace: 'flux-system', name: 'kc' },
  ],
  [{ type: 'cluster', cluster: 'a' } as const, { title: 'a', href: '/clusters/a', ...nothing, cluster: 'a' }],
  [
    { type: 'feed', cluster: 'a', group: 'x.io', kind: 'Kind' } as const,
    { title: 'Kind on a', href: '/clusters/a', ...nothing, cluster: 'a', group: 'x.io', kind: 'Kind' },
  ],
  [
    { type: 'object', ref: sampleRef({ cluster: 'a', name: 'web' }) } as const,
    {
      title: 'web on a',
      href: '/clusters/a/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/web',
      ...sampleRef({ cluster: 'a', name: 'web' }),
    },
  ],
  [
    {
      type: 'shared-error',
      cluster: 'a',
      providerConfig: sampleRef({ cluster: 'a', name: 'default' }),
      message: 'denied',
    } as const,
    { title: 'Kustomization default on a', href: '/clusters/a', ...sampleRef({ cluster: 'a', name: 'default' }) },
  ],
])('a cause: %j', (cause, wire) => {
  expect(wireCause(cause)).toEqual({ type: cause.type, ...wire });
});

const commit = 'a'.repeat(64);

it('a revision is linked where its commit and its object are known', () => {
  const object = sampleObject({ name: 'web' });
  expect(wireRevision('a', commit, object, context)).toEqual({ text: 'a', commit, href: `/commit/${commit}` });
  expect(wireRevision('a', null, object, context)).toEqual({ text: 'a', commit: null, href: null });
  expect(wireRevision('a', commit, null, context)).toEqual({ text: 'a', commit, href: null });
});

it('a range is read as the source of its object writes it', () => {
  const source = sampleRef({ group: 'source.toolkit.fluxcd.io', kind: 'GitRepository', name: 'control' });
  const range = { lastGood: null, firstBad: `main@sha256:${commit}`, seenBetween: 0, watched: true };
  const { firstBad, lastGood } = wireRange(range, sampleObject({ name: 'web' }, { source }), context);
  expect([lastGood, firstBad?.commit]).toEqual([null, commit]);
  expect(wireRange(range, null, context).firstBad?.commit).toBeNull();
});

it.each([
  [{}, `/tree/${commit}/apps`],
  [{ repository: null }, null],
  [{ commit: null }, null],
  [{ path: null }, null],
])('the tree of an object with %j is %s', (part, tree) => {
  const object = sampleObject({ name: 'web' }, { commit, path: 'apps', ...part });
  expect(wireObject(object, context).links.tree).toBe(tree);
});
