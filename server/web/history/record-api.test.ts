import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WireCorrectionList } from '#lib/api/correction.ts';
import { WireHistory } from '#lib/api/history.ts';
import { WireAbsenceList } from '#lib/api/absence.ts';
import { minute } from '#lib/domain/time/length.ts';
import { runningWeb, type RunningWeb } from '../testing/running-web.ts';
import { goodCommit, sampleCluster, sampleNow, sampleObject, sampleRef } from '../testing/sample.ts';

const checkout = sampleRef({ name: 'checkout' });
let web: RunningWeb;

beforeEach(async () => {
  web = await runningWeb();
  web.store.cluster(sampleCluster('eu-west-3'));
  web.store.object(sampleObject(checkout));
  const seen = { cluster: 'eu-west-3', kind: null, observed: true, state: 'live', reason: null };
  web.store.covered({ ...seen, at: sampleNow - 600 * minute });
  for (const [minutes, from, to] of [
    [500, null, 'converged'],
    [60, 'converged', 'diverged'],
    [30, 'diverged', 'converged'],
  ] as const)
    web.store.transition({
      ref: checkout,
      uid: 'u',
      at: sampleNow - minutes * minute,
      bound: 'exact',
      noticedAt: sampleNow - minutes * minute,
      from,
      to,
      reason: '',
      message: '',
      commit: goodCommit,
      attempted: null,
      rootCause: null,
    });
  await web.advance(1000);
});
afterEach(() => web.stop());

const json = async (path: string): Promise<unknown> => (await web.get(path)).json();
const states = (history: WireHistory): string[] => (history.lanes[0]?.marks ?? []).map(({ state }) => state);

describe('the record in the API', () => {
  it('has timelines', async () => {
    const history = WireHistory.parse(await json('/api/v1/history?cluster=eu-west-3&kind=Kustomization&last=6h'));
    expect(history.by).toBe('object');
    expect(states(history)).toEqual(['converged', 'diverged', 'converged']);
  });

  it('has them as they were known at a past moment, with nothing that came later', async () => {
    const at = new Date(sampleNow - 45 * minute).toISOString();
    const history = WireHistory.parse(await json(`/api/v1/history?cluster=eu-west-3&kind=Kustomization&at=${at}`));
    expect(history.to).toBe(at);
    expect(states(history)).toEqual(['not-recorded', 'absent', 'converged', 'diverged']);
  });

  it.each(['name=checkout', 'kind=Kustomization', 'kind=Kustomization&name=checkout'])(
    'tells names that are each there, but not together, from good news: %s',
    async (query) => {
      web.store.cluster(sampleCluster('us-east-1'));
      await web.advance(1000);
      const lists = async (filter: string) => [
        WireAbsenceList.parse(await json(`/api/v1/absences?${filter}`)).notRecorded,
        WireCorrectionList.parse(await json(`/api/v1/corrections?${filter}`)).notRecorded,
      ];
      const none = 'No such object is recorded on us-east-1.';
      expect(await lists(`cluster=us-east-1&${query}`)).toEqual([none, none]);
      expect(await lists(`cluster=eu-west-3&last=6h&${query}`)).toEqual([null, null]);
    },
  );

  it('has absences and corrections, and none where there is none', async () => {
    expect(WireAbsenceList.parse(await json('/api/v1/absences'))).toMatchObject({ rows: [], nextCursor: null });
    expect(WireCorrectionList.parse(await json('/api/v1/corrections?last=7d')).days).toHaveLength(8);
  });

  it.each([
    ['incidents', 'id,title,cause,takenFor,worst'],
    ['absences', 'cluster,group,kind,namespace,name,worst'],
    ['corrections', 'cluster,group,kind,namespace,name,at'],
  ])('has %s as a file', async (list, head) => {
    const answer = await web.get(`/api/v1/${list}?format=csv`);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${list}.csv"`);
    expect(await answer.text()).toMatch(new RegExp(`^${head}`));
  });

  it.each([
    ['history?from=2026-11-21T01:00:00Z&to=2026-11-20T01:00:00Z', 'from'],
    ['history?from=2027-11-21T01:00:00Z', 'from'],
    ['history?from=0001-01-01T00:00:00Z', 'from'],
    ['corrections?from=0001-01-01T00:00:00Z', 'from'],
    ['history?last=1y', 'last'],
    ['history?width=1', 'width'],
    ['history?verdict=stale', 'verdict'],
    ['absences?from=yesterday', 'from'],
    ['absences?verdict=bad', 'verdict'],
    ['absences?cursor=x', 'cursor'],
    ['absences?format=csv&from=2027-11-21T01:00:00Z', 'from'],
    ['corrections?certainty=perhaps', 'certainty'],
    ['corrections?cursor=x', 'cursor'],
  ])('refuses %s and names the parameter', async (path, parameter) => {
    const answer = await web.get(`/api/v1/${path}`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ parameter });
  });

  it.each([
    'history',
    'incidents',
    'incidents/x',
    'incidents?format=csv',
    'absences',
    'corrections',
    'absences?format=csv',
  ])('says of %s that the record cannot be read', async (path) => {
    web.store.vanish();
    await web.advance(10_000);
    expect((await web.get(`/api/v1/${path}`)).status).toBe(503);
  });
});
