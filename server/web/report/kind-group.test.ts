import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { transitionOf } from '#test/contract/store-records.ts';
import { runningWeb, type RunningWeb } from '../testing/running-web.ts';
import { helmGroup, sampleCluster, sampleNow, sampleObject, sampleRef, type SampleRef } from '../testing/sample.ts';

let web: RunningWeb;

beforeEach(async () => {
  web = await runningWeb();
  web.store.cluster(sampleCluster('eu-west-3'));
  web.store.covered({
    cluster: 'eu-west-3',
    kind: null,
    at: sampleNow - 60_000,
    observed: true,
    state: 'live',
    reason: null,
  });
  await put({ name: 'checkout' });
});
afterEach(() => web.stop());

async function put(named: SampleRef): Promise<void> {
  const { ref, uid } = sampleObject(named);
  const words = { reason: 'ReconciliationSucceeded', message: '', commit: null, attempted: null, rootCause: null };
  const at = sampleNow - 60_000;
  web.store.object(sampleObject(ref));
  web.store.transition({ ref, uid, at, bound: 'exact', noticedAt: at, from: null, to: 'converged', ...words });
  await web.advance(1000);
}

const Names = z.object({ spans: z.array(z.object({ ref: z.object({ group: z.string(), name: z.string() }) })) });

async function spansOf(query: string): Promise<readonly string[]> {
  const answer = await web.get(`/api/v1/spans?period=last-7-days&${query}`);
  return Names.parse(await answer.json()).spans.map(({ ref }) => ref.name);
}

it('a kind without a group is of the group that the record has', async () => {
  expect(await spansOf('kind=Kustomization')).toEqual(['checkout']);
  expect(await spansOf('kind=Kustomization&group=-')).toEqual([]);
});

it('a kind of the core group needs no group either', async () => {
  await put({ name: 'web', group: '', kind: 'Namespace', namespace: '' });
  expect(await spansOf('kind=Namespace')).toEqual(['web']);
});

it('a kind that has objects of one group now is of that, whatever group it had once', async () => {
  web.store.transition(
    transitionOf(sampleRef({ name: 'gone', group: 'kustomize.example.com' }), sampleNow - 60_000, { to: 'converged' }),
  );
  await web.advance(1000);
  expect(await spansOf('kind=Kustomization')).toEqual(['checkout']);
});

it('a kind that is watched, and of which all objects are gone, is looked for in the record', async () => {
  web.store.transition(
    transitionOf(sampleRef({ name: 'gone', kind: 'HelmRelease', group: helmGroup }), sampleNow - 60_000, {
      to: 'converged',
    }),
  );
  await web.advance(1000);
  expect(await spansOf('kind=HelmRelease')).toEqual(['gone']);
  const { total } = z
    .object({ total: z.number() })
    .parse(await (await web.get('/api/v1/history?kind=HelmRelease&cluster=eu-west-3')).json());
  expect(total).toBe(1);
});

it('a kind of several groups has to be named with one', async () => {
  await put({ name: 'other', group: 'kustomize.example.com' });
  const answer = await web.get('/api/v1/report?period=last-7-days&kind=Kustomization');
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    {
      parameter: 'group',
      detail:
        'group: Kustomization is a kind of several groups, name one: kustomize.example.com, kustomize.toolkit.fluxcd.io',
    },
  ]);
  expect(await spansOf('kind=Kustomization&group=kustomize.example.com')).toEqual(['other']);
  for (const group of ['', 'example.com']) await put({ name: 'web', group, kind: 'Namespace', namespace: '' });
  const core = await web.get('/api/v1/report?period=last-7-days&kind=Namespace');
  expect(await core.json()).toMatchObject({
    detail: 'group: Namespace is a kind of several groups, name one: -, example.com',
  });
});
