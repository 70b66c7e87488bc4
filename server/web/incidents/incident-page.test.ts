import { describe, expect, it } from 'vitest';
import { IncidentQuery, WireIncidentPage } from '#lib/api/incident.ts';
import type { Incident } from '#lib/domain/incident/incident.ts';
import { hour, minute } from '#lib/domain/time/length.ts';
import type { FoundIncident } from '#server/store/port/incident-port.ts';
import type { RecordedGap, RecordReader } from '#server/store/port/record-port.ts';
import { readRecord } from '#server/store/record/record.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { badCursor, unreadable } from '../http/problem.ts';
import { memoryStore } from '../testing/memory-reader.ts';
import { given, sampleMoment } from '../testing/moment.ts';
import { sampleNow, sampleRef } from '../testing/sample.ts';
import { sampleIncident, sampleMember, sampleNews } from '../testing/sample-incident.ts';
import { blindTimes } from './blind-times.ts';
import { incidentFile, incidentPage } from './incident-page.ts';

const reader = await memoryStore().source.open();

function momentOver(part: Partial<RecordReader>) {
  const record: RecordReader = { ...readRecord({}), ...part };
  return { ...sampleMoment(createFleetCache()), reader: () => ({ ...reader, record }) };
}

const one =
  (incident: Incident) =>
  async (id: string): Promise<FoundIncident | null> =>
    id === incident.id ? { type: 'incident', incident } : null;
const query = (part: Partial<IncidentQuery> = {}) => IncidentQuery.parse({ id: 'abcdefgh0001', ...part });

describe('the page of an incident', () => {
  it('has it, its members and its steps', async () => {
    const asked: unknown[] = [];
    const moment = momentOver({
      incident: one(sampleIncident()),
      async members(id, at, scope, page) {
        asked.push([id, at, scope, page]);
        return { items: [sampleMember()], next: 'later' };
      },
      incidentSteps: async () => [sampleNews(), sampleNews({ type: 'grown', position: 2 })],
    });
    const page = given(await incidentPage(moment, query({ limit: 1 })));
    expect(WireIncidentPage.parse(page)).toEqual(page);
    expect(page).toMatchObject({
      incident: { id: 'abcdefgh0001' },
      mergedFrom: null,
      members: [{ ref: { name: 'checkout' } }],
      steps: [{ type: 'opened' }, { type: 'grown' }],
      ...{ stepsLeftOut: false, blind: [], blindLeftOut: false, made: null },
    });
    expect(asked).toEqual([['abcdefgh0001', sampleNow, { clusters: null }, { cursor: null, limit: 1 }]]);
    expect(page.nextCursor).not.toBeNull();
  });

  it.each([
    [500, false, 'grown at 0'],
    [501, true, 'grown at 1'],
  ])('of %i steps says whether the oldest are left out: %s', async (count, stepsLeftOut, first) => {
    const news = Array.from({ length: count }, (_, n) => sampleNews({ type: 'grown', reason: `grown at ${n}` }));
    const moment = momentOver({
      incident: one(sampleIncident()),
      incidentSteps: async (_id, _at, limit) => news.slice(-limit),
    });
    const page = given(await incidentPage(moment, query()));
    expect([page.steps.length, page.stepsLeftOut, page.steps[0]?.reason]).toEqual([500, stepsLeftOut, first]);
  });

  it('at the address of one that became part of it is its own, and says so', async () => {
    const living = sampleIncident();
    const moment = momentOver({
      incident: async (id) =>
        id === 'younger' ? { type: 'merged', into: living.id, at: sampleNow - minute } : one(living)(id),
    });
    expect(given(await incidentPage(moment, query({ id: 'younger' })))).toMatchObject({
      incident: { id: living.id },
      mergedFrom: { id: 'younger', at: '2026-11-21T01:59:00.000Z' },
    });
    expect(await incidentFile(moment, query({ id: 'younger' }))).toMatchObject({ name: 'incident-abcdefgh0001.csv' });
  });

  it.each([
    [null, 'There is no incident nowhere.'],
    [
      sampleNow - hour,
      'There is no incident nowhere. Stored history is still being made into incidents: it may come to be.',
    ],
  ])('is refused where there is none, made up to %s', async (upTo, what) => {
    const moment = momentOver({ incidentsUpTo: async () => upTo });
    const refused = { refused: { type: 'not-found', what, nearest: [] } };
    expect(await incidentPage(moment, query({ id: 'nowhere' }))).toEqual(refused);
    expect(await incidentFile(moment, query({ id: 'nowhere' }))).toEqual(refused);
  });

  it('is refused where what it became part of is not told', async () => {
    const moment = momentOver({ incident: async (id) => (id === 'a' ? { type: 'merged', into: 'b', at: 1 } : null) });
    expect(await incidentPage(moment, query({ id: 'a' }))).toMatchObject({ refused: { type: 'not-found' } });
  });

  it('is as known up to when stored history has been made, and has no file', async () => {
    const upTo = sampleNow - minute;
    const asked: number[] = [];
    const moment = momentOver({
      incidentsUpTo: async () => upTo,
      async incident(id, at) {
        asked.push(at);
        return one(sampleIncident())(id);
      },
    });
    expect(given(await incidentPage(moment, query())).made).toEqual({ upTo: '2026-11-21T01:59:00.000Z' });
    expect(asked).toEqual([upTo - 1]);
    expect(await incidentFile(moment, query())).toMatchObject({ refused: { type: 'not-ready' } });
  });

  it('refuses a cursor that it did not give, and is unreadable where the record is', async () => {
    const found = { incident: one(sampleIncident()) };
    expect(await incidentPage(momentOver(found), query({ cursor: 'x' }))).toEqual(badCursor);
    const broken = momentOver({ ...found, members: () => Promise.reject(new Error('torn')) });
    expect(await incidentPage(broken, query())).toEqual(unreadable);
    expect(await incidentPage(sampleMoment(createFleetCache()), query())).toEqual(unreadable);
    const torn = momentOver({ incident: () => Promise.reject(new Error('torn')) });
    expect(await incidentFile(torn, query())).toEqual(unreadable);
  });

  it('has a file of all of its members', async () => {
    const cause = { type: 'object', ref: sampleRef({ name: 'control' }) } as const;
    const members = [
      sampleMember({ own: false, cause, reason: '@SUM(1)' }),
      sampleMember({ ref: null, objects: 12, to: sampleNow - minute, ended: 'seen' }),
    ];
    const moment = momentOver({
      incident: one(sampleIncident()),
      members: async (_id, _at, _scope, { cursor }) => {
        const index = Number(cursor ?? 0);
        return { items: members.slice(index, index + 1), next: index === 0 ? '1' : null };
      },
    });
    const { name, lines } = given(await incidentFile(moment, query()));
    let text = '';
    for await (const piece of lines) text += piece;
    expect(name).toBe('incident-abcdefgh0001.csv');
    const times = '2026-11-21T01:00:00.000Z,exact,2026-11-21T01:01:00.000Z';
    expect(text.split('\r\n')).toEqual([
      'incident,cluster,group,kind,namespace,name,objects,from,bound,noticedAt,to,ended,seconds,verdict,reason,own,cause',
      `abcdefgh0001,eu-west-3,kustomize.toolkit.fluxcd.io,Kustomization,flux-system,checkout,1,${times},,,3600,diverged,'@SUM(1),false,control on eu-west-3`,
      `abcdefgh0001,eu-west-3,,,,,12,${times},2026-11-21T01:59:00.000Z,seen,3540,diverged,BuildFailed,true,`,
      '',
    ]);
  });
});

describe('times in which a cluster of an incident was not seen', () => {
  const gap = (from: number, to: number | null, part: Partial<RecordedGap> = {}): RecordedGap => ({
    ...{ cluster: 'eu-west-3', kind: null, state: 'unobserved', reason: 'The collector was not running' },
    from: sampleNow - from * minute,
    to: to === null ? null : sampleNow - to * minute,
    ...part,
  });

  async function told(gaps: readonly RecordedGap[], part: Partial<Incident> = {}, at = sampleNow) {
    const asked: unknown[] = [];
    const gapsIn: RecordReader['gaps'] = async (...of) => {
      asked.push(of);
      return gaps;
    };
    const found = await blindTimes({ gaps: gapsIn }, sampleIncident(part), at);
    const blind = found.blind.map(({ cluster, from, to, reason }) => {
      const ago = (time: string): number => (sampleNow - Date.parse(time)) / minute;
      return [cluster, ago(from), to === null ? null : ago(to), reason];
    });
    return { asked, blind, leftOut: found.blindLeftOut };
  }

  const stopped = 'The collector was not running';

  it('are asked for from its beginning to its end', async () => {
    const { asked } = await told([], { closedAt: sampleNow - minute });
    expect(asked).toEqual([[['eu-west-3'], { from: sampleNow - hour, to: sampleNow - minute + 1 }]]);
    expect((await told([])).asked).toEqual([[['eu-west-3'], { from: sampleNow - hour, to: sampleNow + 1 }]]);
  });

  it.each<[string, readonly RecordedGap[], Partial<Incident>, readonly unknown[]]>([
    [
      'oldest first',
      [gap(20, 10), gap(50, 40)],
      {},
      [
        ['eu-west-3', 50, 40, stopped],
        ['eu-west-3', 20, 10, stopped],
      ],
    ],
    ['that last', [gap(20, null)], {}, [['eu-west-3', 20, null, stopped]]],
    [
      'at once after another as one',
      [gap(50, 40), gap(40, 30, { state: 'connecting', reason: null }), gap(30, 20, { cluster: 'stg' })],
      {},
      [
        ['eu-west-3', 50, 30, stopped],
        ['stg', 30, 20, stopped],
      ],
    ],
    ['by its state where nobody says why', [gap(50, 40, { reason: null })], {}, [['eu-west-3', 50, 40, 'unobserved']]],
    ['not those of one kind', [gap(50, 40, { kind: { group: 'g', kind: 'K' } })], {}, []],
    ['not that it is not configured any more', [gap(50, null, { state: 'forgotten' })], {}, []],
    [
      'where the cluster is lost',
      [gap(50, 40, { state: 'unreachable', reason: 'no route' })],
      {},
      [['eu-west-3', 50, 40, 'no route']],
    ],
    [
      'but not where that is the incident',
      [gap(50, 40, { state: 'unreachable' }), gap(30, 20)],
      { cause: { type: 'cluster', cluster: 'eu-west-3' } },
      [['eu-west-3', 30, 20, stopped]],
    ],
  ])('%s', async (_what, gaps, part, blind) => {
    expect((await told(gaps, part)).blind).toEqual(blind);
  });

  it('are as known then: neither what came later, nor that one ended later', async () => {
    const { blind } = await told([gap(50, 20), gap(10, 5)], {}, sampleNow - 30 * minute);
    expect(blind).toEqual([['eu-west-3', 50, null, stopped]]);
  });

  it.each([
    [20, false],
    [21, true],
  ])('are 20 at most: of %i some are left out: %s', async (count, leftOut) => {
    const found = await told(Array.from({ length: count }, (_, n) => gap(55 - 2 * n, 54 - 2 * n)));
    expect([found.blind.length, found.leftOut]).toEqual([20, leftOut]);
  });

  it('are looked for on 200 clusters', async () => {
    const clusters = Array.from({ length: 201 }, (_, n) => `c${n}`);
    const { asked, leftOut } = await told([], { clusters, clusterCount: 201 });
    expect([asked, leftOut]).toEqual([[[clusters.slice(0, 200), expect.anything()]], true]);
    expect((await told([], { clusters: clusters.slice(0, 200), clusterCount: 200 })).leftOut).toBe(false);
  });
});
