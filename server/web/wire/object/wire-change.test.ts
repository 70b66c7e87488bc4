import { expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { NotedChange } from '#lib/domain/record/change.ts';
import { sampleNow, sampleRef, sourceGroup } from '../../testing/sample.ts';
import { wireChange } from './wire-change.ts';

const context = { policy: defaultPolicy, now: sampleNow, links: () => null };

it('a change of revision names its commits as its source writes them', () => {
  const commit = (digit: string): string => digit.repeat(64);
  const ref = sampleRef({ group: sourceGroup, kind: 'GitRepository', name: 'control' });
  const change: NotedChange = {
    cluster: 'eu-west-3',
    ref,
    at: sampleNow,
    notBefore: sampleNow - 1,
    noticedAt: sampleNow + 1,
    fact: { type: 'revision', from: `main@sha256:${commit('a')}`, to: `main@sha256:${commit('b')}` },
  };
  expect(wireChange(change, () => null, context)).toMatchObject({
    cluster: 'eu-west-3',
    ref,
    type: 'revision',
    at: '2026-11-21T02:00:00.000Z',
    notBefore: '2026-11-21T01:59:59.999Z',
    noticedAt: '2026-11-21T02:00:00.001Z',
    revision: {
      from: { commit: commit('a'), href: null },
      to: { commit: commit('b'), href: null },
    },
    href: `/clusters/eu-west-3/${sourceGroup}/GitRepository/flux-system/control`,
  });
});
