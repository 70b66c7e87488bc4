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
    ['corrections?namespace=nowhere', 'namespace'],
    ['history?name=chekout', 'name'],
    ['objects?reconciler=fluks', 'reconciler'],
    ['fleet?label=environment=prod', 'label'],
    ['fleet?namespace=nowhere', 'namespace'],
    ['exemptions?namespace=nowhere', 'namespace'],
  ])('or for another name: %s', async (list, parameter) => {
    const answer = await web.get(`/api/v1/${list}`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ notThere: [{ parameter }] });
  });

  it.each([
    'incidents?kind=HelmRelease',
    'objects?kind=HelmRelease',
    'exemptions?cluster=eu-west-3',
    'conflicts?kind=Deployment',
  ])('and answers where nothing is found of what is there: %s', async (list) => {
    expect((await web.get(`/api/v1/${list}`)).status).toBe(200);
  });
});
