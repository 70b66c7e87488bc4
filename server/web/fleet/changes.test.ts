import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WireChangeList } from '#lib/api/change.ts';
import { WireObjectPage } from '#lib/api/object.ts';
import type { ChangeFact, NotedChange } from '#lib/domain/record/change.ts';
import type { ObjectDetail } from '#lib/domain/record/current.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { noUpstreams } from '#lib/domain/record/upstreams.ts';
import { minute } from '#lib/domain/time/length.ts';
import { runningWeb, type RunningWeb } from '../testing/running-web.ts';
import {
  badCommit,
  goodCommit,
  sampleCluster,
  sampleDetail,
  sampleDiverged,
  sampleNow,
  sampleObject,
  sampleRef,
  sampleSource,
} from '../testing/sample.ts';

/** When checkout broke: an hour before now. */
const broke = sampleNow - 60 * minute;
const checkout = sampleRef({ name: 'checkout' });
const apps = sampleRef({ name: 'apps' });
const control = sampleSource('eu-west-3').ref;
const edited: ChangeFact = { type: 'spec-edited', by: 'kubectl-edit', from: 3, generation: 4 };

let web: RunningWeb;

/** A change so many minutes before checkout broke. */
function change(minutes: number, ref: ObjectRef | null, fact: ChangeFact, more: Partial<NotedChange> = {}): void {
  const at = broke - minutes * minute;
  web.store.changed({ cluster: 'eu-west-3', ref, at, notBefore: at, noticedAt: at, fact, ...more });
}

/** A detail that says which controller's loop turns for the object. */
function turnedBy(controller: string, detail: ObjectDetail): ObjectDetail {
  return { ...detail, observation: { ...detail.observation, controller } };
}

beforeEach(async () => {
  web = await runningWeb();
  for (const name of ['eu-west-3', 'us-east-1', 'us-east-2']) web.store.cluster(sampleCluster(name));
  const broken = sampleDiverged(
    { name: 'checkout' },
    { deliveredBy: apps, upstreams: { ...noUpstreams, dependsOn: [sampleRef({ name: 'database' })] } },
  );
  const source = sampleSource('eu-west-3');
  web.store.object(broken, turnedBy('kustomize-controller', sampleDetail(broken)));
  web.store.object(source, turnedBy('source-controller', sampleDetail(source)));
  web.store.object(sampleObject({ name: 'apps' }));
  web.store.object(sampleObject({ name: 'stranger' }));
  web.store.covered({
    cluster: 'eu-west-3',
    kind: null,
    at: broke - 300 * minute,
    observed: true,
    state: 'live',
    reason: null,
  });
  await web.advance(1_000);
});

afterEach(() => web.stop());

async function page(name: string, cluster = 'eu-west-3'): Promise<WireObjectPage> {
  const { group, kind, namespace } = checkout;
  const query = new URLSearchParams({ cluster, group, kind, namespace, name });
  return WireObjectPage.parse(await (await web.get(`/api/v1/object?${query}`)).json());
}

/** "source 10: Revision ...": relation, how many minutes before, what. */
async function before(name = 'checkout'): Promise<readonly string[]> {
  const { changes = [] } = (await page(name)).before ?? {};
  return changes.map(({ relation, at, text }) => `${relation} ${(broke - Date.parse(at)) / minute}: ${text}`);
}

describe('what was changed before an object broke', () => {
  it('is of the half hour before, its ends included, newest first', async () => {
    for (const minutes of [-1, 0, 12, 30, 31]) change(minutes, checkout, edited);
    expect(await before()).toEqual([0, 12, 30].map((minutes) => `itself ${minutes}: Spec edited, to generation 4`));
    expect((await page('checkout')).before).toMatchObject({
      span: 'before-away',
      from: new Date(broke - 30 * minute).toISOString(),
      to: new Date(broke).toISOString(),
      recordedSince: new Date(broke - 300 * minute).toISOString(),
      more: false,
    });
  });

  it('is of itself, of what it depends on, and of nothing else', async () => {
    change(1, checkout, { ...edited, from: 1 });
    change(2, control, { type: 'revision', from: `main@sha1:${goodCommit}`, to: `main@sha1:${badCommit}` });
    change(3, apps, { type: 'suspended', by: 'flux', field: 'spec.suspend' });
    change(4, sampleRef({ name: 'database' }), { type: 'deleted' });
    change(5, sampleRef({ name: 'stranger' }), edited);
    change(6, sampleRef({ name: 'checkout', cluster: 'us-east-1' }), edited, { cluster: 'us-east-1' });
    expect(await before()).toEqual([
      'itself 1: Spec edited 3 times, to generation 4',
      'source 2: Revision main@2d81a0c → main@9f31c07',
      'delivered by 3: Suspended by spec.suspend',
      'depends on 4: Deleted',
    ]);
    const { changes = [], searched = [] } = (await page('checkout')).before ?? {};
    expect(changes[1]).toMatchObject({
      by: null,
      revision: {
        from: { commit: goodCommit, href: `https://github.com/acme/control-repo/commit/${goodCommit}` },
        to: { commit: badCommit, href: `https://github.com/acme/control-repo/commit/${badCommit}` },
      },
      href: '/clusters/eu-west-3/source.toolkit.fluxcd.io/GitRepository/flux-system/control',
    });
    expect(searched).toEqual([
      'GitRepository control',
      'Kustomization database',
      'Kustomization apps',
      'kustomize-controller',
      'source-controller',
      'Kubernetes',
    ]);
  });

  it('is of its controllers and of Kubernetes, not of other controllers nor of another cluster', async () => {
    const controller = (name: string): ChangeFact => ({ type: 'controller-restarted', namespace: 'flux-system', name });
    change(1, null, controller('kustomize-controller'));
    change(2, null, controller('kustomize-controller-shard1'));
    change(3, null, controller('source-controller'));
    change(4, null, controller('helm-controller'));
    change(5, null, { type: 'kubernetes-version', from: 'v1.33.6', to: 'v1.34.3' });
    change(6, null, { type: 'kubernetes-version', from: 'v1.33.6', to: 'v1.34.3' }, { cluster: 'us-east-1' });
    expect(await before()).toEqual([
      'controller 1: kustomize-controller restarted: its lease changed hands',
      'controller 2: kustomize-controller-shard1 restarted: its lease changed hands',
      'controller 3: source-controller restarted: its lease changed hands',
      'Kubernetes 5: Kubernetes v1.33.6 → v1.34.3',
    ]);
  });

  it('has what may have happened then, though it was noticed later', async () => {
    change(-20, checkout, { type: 'resumed', by: null, field: 'spec.suspend' }, { notBefore: broke - 5 * minute });
    change(-20, apps, edited, { notBefore: broke + minute });
    expect(await before()).toEqual(['itself -20: Resumed: spec.suspend no longer suspends it']);
  });

  it('tells when nobody looked within the half hour', async () => {
    const lost = { cluster: 'eu-west-3', kind: null, observed: false, state: 'unreachable', reason: 'no route' };
    web.store.covered({ ...lost, at: broke - 200 * minute });
    web.store.covered({ ...lost, at: broke - 190 * minute, observed: true, state: 'live', reason: null });
    web.store.covered({ ...lost, at: broke - 20 * minute });
    web.store.covered({ ...lost, at: broke - 10 * minute, observed: true, state: 'live', reason: null });
    expect((await page('checkout')).before?.gaps).toMatchObject([
      { from: new Date(broke - 20 * minute).toISOString(), reason: 'no route' },
    ]);
  });

  it('of an object that is converged: the last day', async () => {
    change(-59, apps, edited);
    change(60 * 22, apps, edited);
    change(60 * 24, apps, edited);
    expect(await before('apps')).toHaveLength(2);
    expect((await page('apps')).before).toMatchObject({
      span: 'last-day',
      to: new Date(sampleNow + 1_000).toISOString(),
    });
  });

  it('of an object that was never converged for good: all since it was made', async () => {
    const made = broke - 200 * minute;
    const never = sampleDiverged({ name: 'never' });
    const away = never.awaySince ?? never.onset;
    const detail = sampleDetail(never);
    web.store.object(
      { ...never, awaySince: { ...away, time: made, sinceMade: true } },
      { ...detail, observation: { ...detail.observation, createdAt: made } },
    );
    await web.advance(1_000);
    for (const minutes of [-59, 199, 201]) change(minutes, never.ref, edited);
    expect(await before('never')).toEqual([-59, 199].map((n) => `itself ${n}: Spec edited, to generation 4`));
    expect((await page('never')).before).toMatchObject({
      span: 'since-made',
      from: new Date(made).toISOString(),
      to: new Date(sampleNow + 2_000).toISOString(),
    });
  });

  it('is not said to be nothing while the record cannot be read', async () => {
    web.store.fail('disk I/O error');
    expect((await page('checkout')).before).toBeNull();
  });

  it.each<readonly [string, string | null, readonly string[]]>([
    [
      'of its provider',
      'aws-2',
      ['provider 1: provider-aws v1 → v2', 'controller 4: aws-2 restarted: its lease changed hands'],
    ],
    [
      'of any provider while none runs its kind',
      null,
      ['provider 1: provider-aws v1 → v2', 'provider 2: provider-gcp v1 → v2'],
    ],
  ])('of a managed resource: %s', async (_name, provider, expected) => {
    const ref = { group: 'rds.aws.upbound.io', kind: 'Instance', namespace: '' };
    const revision = { group: 'pkg.crossplane.io', kind: 'ProviderRevision', namespace: '', name: 'aws-2' };
    const upstreams = { ...noUpstreams, provider: provider === null ? null : { cluster: 'eu-west-3', ...revision } };
    const object = sampleDiverged({ ...ref, name: 'db' }, { role: 'managed', source: null, upstreams });
    web.store.object(object, sampleDetail(object));
    await web.advance(1_000);
    const active = (name: string, kind: string): ChangeFact => ({
      type: 'package-revision',
      package: `xpkg.upbound.io/upbound/provider-${name}`,
      kind,
      name: `${name}-2`,
      from: 'v1',
      to: 'v2',
    });
    change(1, null, active('aws', 'ProviderRevision'));
    change(2, null, active('gcp', 'ProviderRevision'));
    change(3, null, active('compose', 'FunctionRevision'));
    change(4, null, { type: 'controller-restarted', namespace: 'crossplane-system', name: 'aws-2' });
    const query = new URLSearchParams({ cluster: 'eu-west-3', ...ref, name: 'db' });
    const { before: found } = WireObjectPage.parse(await (await web.get(`/api/v1/object?${query}`)).json());
    expect(
      found?.changes.map(({ relation, at, text }) => `${relation} ${(broke - Date.parse(at)) / minute}: ${text}`),
    ).toEqual(expected);
  });
});

describe('only here, or everywhere', () => {
  const failing = { applied: `main@sha1:${goodCommit}`, attempted: `main@sha1:${badCommit}`, offered: null };

  it('counts those that run or try the same commit of the same repository', async () => {
    const [here, there] = [
      { cluster: 'us-east-1', name: 'checkout' },
      { cluster: 'us-east-2', name: 'checkout' },
    ];
    web.store.object(sampleObject(here, { commit: badCommit, revision: { ...failing, applied: failing.attempted } }));
    web.store.object(sampleDiverged(there));
    await web.advance(1_000);
    expect((await page('checkout')).elsewhere).toEqual({
      clusters: 2,
      converged: 1,
      atCommit: { commit: badCommit, clusters: 2, converged: 1, away: 1 },
    });
    web.store.object(sampleDiverged(there, { repository: 'https://github.com/acme/another' }));
    await web.advance(1_000);
    expect((await page('checkout')).elsewhere.atCommit).toMatchObject({ clusters: 1, converged: 1, away: 0 });
  });
});

describe('GET /api/v1/changes', () => {
  async function list(query: { readonly [name: string]: string }): Promise<WireChangeList> {
    const answer = await web.get(`/api/v1/changes?${new URLSearchParams(query)}`);
    return WireChangeList.parse(await answer.json());
  }

  it('gives the changes of a span, of a cluster or of all, newest first, and says when there are more', async () => {
    change(10, checkout, edited);
    change(20, null, { type: 'kubernetes-version', from: 'v1.33.6', to: 'v1.34.3' });
    change(30, sampleRef({ name: 'checkout', cluster: 'us-east-1' }), edited, { cluster: 'us-east-1' });
    const times = async (query: { readonly [name: string]: string }) =>
      (await list(query)).changes.map(({ at }) => (broke - Date.parse(at)) / minute);
    expect(await times({})).toEqual([10, 20, 30]);
    expect(await times({ cluster: 'eu-west-3' })).toEqual([10, 20]);
    expect(await times({ to: new Date(broke - 15 * minute).toISOString() })).toEqual([20, 30]);
    expect(await times({ from: new Date(broke - 25 * minute).toISOString() })).toEqual([10, 20]);
    expect(await list({ limit: '2' })).toMatchObject({ more: true, changes: [{}, {}] });
    expect((await list({ limit: '3' })).more).toBe(false);
    expect((await list({ cluster: 'eu-west-3' })).changes[1]).toMatchObject({
      cluster: 'eu-west-3',
      ref: null,
      type: 'kubernetes-version',
      text: 'Kubernetes v1.33.6 → v1.34.3',
      href: '/clusters/eu-west-3',
    });
  });

  it.each([
    ['cluster=eu-west-9', 404, 'There is no cluster eu-west-9.'],
    ['from=yesterday', 400, 'must be a time'],
    ['limit=0', 400, 'limit'],
    ['kind=Kustomization', 400, 'There is no parameter "kind"'],
  ])('refuses %s with %i', async (query, status, says) => {
    const answer = await web.get(`/api/v1/changes?${query}`);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(await answer.json())).toContain(says.replaceAll('"', String.raw`\"`));
  });

  it('does not call a record empty that cannot be read', async () => {
    web.store.fail('disk I/O error');
    expect((await web.get('/api/v1/changes')).status).toBe(503);
  });
});
