import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runningWeb, type RunningWeb } from '../testing/running-web.ts';
import { sampleCluster, sampleNow, sampleObject } from '../testing/sample.ts';

let web: RunningWeb;

beforeEach(async () => {
  web = await runningWeb();
  web.store.cluster(sampleCluster('eu-west-3'));
  web.store.object(sampleObject({ name: 'checkout' }));
  web.store.covered({
    cluster: 'eu-west-3',
    kind: null,
    at: sampleNow - 60_000,
    observed: true,
    state: 'live',
    reason: null,
  });
  await web.advance(1000);
});
afterEach(() => web.stop());

const nope = { parameter: 'cluster', value: 'eu-west', nearest: ['eu-west-3'] };

describe('the API, asked for a cluster that is not there', () => {
  it.each([
    'incidents',
    'incidents?format=csv',
    'absences',
    'absences?format=csv',
    'corrections',
    'corrections?format=csv',
    'history',
    'history?format=csv',
    'objects',
    'fleet',
    'exemptions',
    'exemptions?format=csv',
    'conflicts',
    'conflicts?format=csv',
    'changes',
    'transitions',
    'report',
    'spans',
    'arrivals',
  ])('says so: %s', async (list) => {
    const answer = await web.get(`/api/v1/${list}${list.includes('?') ? '&' : '?'}cluster=eu-west`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      type: '/problems/not-found',
      detail: 'There is no cluster eu-west. Nearest: eu-west-3.',
      notThere: [nope],
    });
  });

  it.each([
    ['incidents?kind=Kustomizatoin', 'kind'],
    ['incidents?label=environment=prod', 'label'],
    ['absences?kind=Kustomizatoin', 'kind'],
    ['corrections?namespace=nowhere', 'namespace'],
    ['history?name=chekout', 'name'],
    ['objects?reconciler=fluks', 'reconciler'],
    ['fleet?label=environment=prod', 'label'],
    ['fleet?namespace=nowhere', 'namespace'],
    ['exemptions?namespace=nowhere', 'namespace'],
    ['conflicts?kind=Deploymnt', 'kind'],
    ['conflicts?namespace=nowhere', 'namespace'],
    ['exemptions?by=nobody', 'by'],
    ['exemptions?by=nobody&format=csv', 'by'],
    ['conflicts?by=nobody', 'by'],
    ['conflicts?by=nobody&format=csv', 'by'],
    ['clusters/eu-west-3?kind=Kustomizatoin', 'kind'],
  ])('or for another name: %s', async (list, parameter) => {
    const answer = await web.get(`/api/v1/${list}`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ notThere: [{ parameter }] });
  });

  it('of a cluster asks that cluster, whatever others have', async () => {
    web.store.cluster(sampleCluster('us-east-1'));
    web.store.object(sampleObject({ name: 'vpc', cluster: 'us-east-1', kind: 'Terraform', namespace: 'infra' }));
    await web.advance(500);
    const answer = await web.get('/api/v1/clusters/eu-west-3?kind=Terraform&namespace=infra');
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      detail: 'No object of kind Terraform is known on eu-west-3. No object in namespace infra is known on eu-west-3.',
    });
    expect((await web.get('/api/v1/clusters/us-east-1?kind=Terraform&namespace=infra')).status).toBe(200);
  });

  it.each([
    'incidents?kind=HelmRelease',
    'incidents?label=environment=production',
    'absences?kind=HelmRelease',
    'objects?kind=HelmRelease',
    'exemptions?cluster=eu-west-3',
    'conflicts?kind=HelmRelease',
  ])('and answers where nothing is found of what is there: %s', async (list) => {
    expect((await web.get(`/api/v1/${list}`)).status).toBe(200);
  });
});
