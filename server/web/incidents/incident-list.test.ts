import { describe, expect, it } from 'vitest';
import { IncidentFilter, WireIncidentList } from '#lib/api/incident.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { Incident } from '#lib/domain/incident/incident.ts';
import { hour, minute } from '#lib/domain/time/length.ts';
import type { IncidentQuestion } from '#server/store/port/incident-port.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';
import { readRecord } from '#server/store/record/record.ts';
import { badCursor, isRefused } from '../http/problem.ts';
import { given, knownCluster } from '../testing/moment.ts';
import { sampleNow, sampleRange, sampleRef } from '../testing/sample.ts';
import { sampleIncident } from '../testing/sample-incident.ts';
import { linksOf } from '../wire/wire-context.ts';
import { incidentCsv, incidentList } from './incident-list.ts';

const figures = {
  ...{ opened: 3, openAtStart: 2, closed: 2, closedFromBefore: 1, gone: 1, open: 2, large: 1, members: 9 },
  toConverge: new Float64Array([minute, hour, 2 * hour]),
  toConvergeAtLeast: new Float64Array([hour, 2 * hour]),
  toNotice: new Float64Array([1000, 3000]),
};

/** A record that tells these incidents and keeps each question; `upTo`: as in `incidentsUpTo`. */
function recordOf(incidents: readonly Incident[], upTo: number | null = null) {
  const questions: IncidentQuestion[] = [];
  const counted: [RecordScope, unknown, number][] = [];
  const record: RecordReader = {
    ...readRecord({}),
    incidentsUpTo: async () => upTo,
    async incidents(question, { cursor, limit }) {
      questions.push(question);
      const from = Number(cursor ?? 0);
      const next = from + limit < incidents.length ? String(from + limit) : null;
      return { items: incidents.slice(from, from + limit), next };
    },
    async causeFigures(scope, period, at) {
      counted.push([scope, period, at]);
      return figures;
    },
  };
  return { record, questions, counted };
}

const day = { from: sampleNow - 24 * hour, to: sampleNow };
/** The same, with what is known at this very moment. */
const asKnownNow = { from: day.from, to: sampleNow + 1 };
const everywhere: readonly RecordScope[] = [{ clusters: null }];

function question(record: RecordReader, filter: Partial<IncidentFilter> = {}, scopes = everywhere) {
  return {
    record,
    scopes,
    period: day,
    filter: IncidentFilter.parse(filter),
    clusters: [knownCluster('eu-west-3', [])],
    find: () => null,
    context: { policy: defaultPolicy, now: sampleNow, links: linksOf([]) },
  };
}

describe('the list of incidents', () => {
  it('has rows, figures over all of the scope, and nothing more to be made', async () => {
    const { record, counted } = recordOf([sampleIncident()]);
    const list = given(await incidentList(question(record)));
    expect(WireIncidentList.parse(list)).toEqual(list);
    expect(list).toMatchObject({
      from: '2026-11-20T02:00:00.000Z',
      to: '2026-11-21T02:00:00.000Z',
      rows: [{ id: 'abcdefgh0001' }],
      figures: {
        ...{ opened: 3, openAtStart: 2, closed: 2, closedFromBefore: 1, gone: 1, open: 2, large: 1, members: 9 },
        medianToConverge: hour,
        medianToConvergeAtLeast: true,
        medianToNotice: 1000,
      },
      made: null,
      notRecorded: null,
      nextCursor: null,
    });
    expect(counted).toEqual([[{ clusters: null }, asKnownNow, sampleNow]]);
  });

  it.each<[Partial<IncidentFilter>, Partial<IncidentQuestion>]>([
    [{}, { order: 'newest', objects: 0, lasted: 0 }],
    [{ verdict: 'stale,diverged' }, { verdicts: ['diverged', 'stale'] }],
    [{ cause: 'shared-error, controller' }, { causes: ['controller', 'shared-error'] }],
    [{ open: 'true' }, { open: true }],
    [{ open: 'false' }, { open: false }],
    [{ objects: 5 }, { objects: 5 }],
    [{ minutes: 30 }, { lasted: 30 * minute }],
    [{ order: 'largest' }, { order: 'largest' }],
  ])('asked with %j asks the record for %j, and nothing else', async (filter, asked) => {
    const { record, questions } = recordOf([]);
    await incidentList(question(record, filter));
    const all = {
      scope: { clusters: null },
      period: asKnownNow,
      at: sampleNow,
      order: 'newest',
      objects: 0,
      lasted: 0,
    };
    expect(questions).toEqual([{ ...all, ...asked }]);
  });

  it('comes page by page, and refuses a cursor that it did not give', async () => {
    const { record } = recordOf(['one', 'two', 'three'].map((id) => sampleIncident({ id })));
    const first = given(await incidentList(question(record, { limit: 2 })));
    const rest = given(await incidentList(question(record, { limit: 2, cursor: first.nextCursor ?? '' })));
    expect([first, rest].map(({ rows }) => rows.map(({ id }) => id))).toEqual([['one', 'two'], ['three']]);
    expect(rest.nextCursor).toBeNull();
    expect(await incidentList(question(record, { cursor: 'x' }))).toEqual(badCursor);
  });

  const buckets = ['', 's3.aws'].map((group) => ({ clusters: null, kind: { group, kind: 'Bucket' } }));

  it('is refused of a kind of several groups, as a list and as a file', async () => {
    const { record, questions } = recordOf([]);
    const asked = question(record, { kind: 'Bucket' }, buckets);
    const message = 'Bucket is a kind of several groups, name one: -, s3.aws';
    const refused = { refused: { type: 'bad-parameter', name: 'group', message } };
    expect([await incidentList(asked), await incidentCsv(asked), questions]).toEqual([refused, refused, []]);
    expect(isRefused(await incidentList(question(record, { kind: 'Bucket' }, buckets.slice(1))))).toBe(false);
  });
});

describe('while stored history is being made into incidents', () => {
  it('the list is as known up to then, and says so', async () => {
    const upTo = sampleNow - hour;
    const { record, questions, counted } = recordOf([sampleIncident()], upTo);
    const list = given(await incidentList(question(record)));
    const period = { from: day.from, to: upTo };
    expect(list).toMatchObject({ to: '2026-11-21T01:00:00.000Z', made: { upTo: '2026-11-21T01:00:00.000Z' } });
    expect(questions).toMatchObject([{ period, at: upTo - 1 }]);
    expect(counted).toEqual([[{ clusters: null }, period, upTo - 1]]);
  });

  it.each([
    ['nothing', 0, null],
    ['nothing of the period', day.from, '2026-11-20T02:00:00.000Z'],
  ])('and %s has been, there are no figures', async (_what, upTo, said) => {
    const { record, counted } = recordOf([], upTo);
    expect(given(await incidentList(question(record)))).toMatchObject({
      rows: [],
      figures: null,
      made: { upTo: said },
    });
    expect(counted).toEqual([]);
  });

  it('of a later time than is asked for, all is known', async () => {
    const { record } = recordOf([], sampleNow + 1);
    expect(given(await incidentList(question(record)))).toMatchObject({ made: null, figures: { opened: 3 } });
  });

  it.each([
    [sampleNow - hour, ', up to 2026-11-21T01:00:00.000Z so far'],
    [0, ''],
  ])('the file is refused: %i', async (upTo, soFar) => {
    const message = `Stored history is being made into incidents${soFar}: the file can be had once that is done.`;
    expect(await incidentCsv(question(recordOf([], upTo).record))).toEqual({ refused: { type: 'not-ready', message } });
  });
});

async function lines(incidents: readonly Incident[]): Promise<readonly string[]> {
  let text = '';
  for await (const piece of given(await incidentCsv(question(recordOf(incidents).record)))) text += piece;
  return text.split('\r\n');
}

describe('the file', () => {
  it('has all of them, with every column', async () => {
    const over = { closedAt: sampleNow - minute, ended: 'converged' } as const;
    const taken = [{ cause: { type: 'cluster', cluster: 'eu-west-3' }, until: sampleNow }] as const;
    const [head, first, second, end] = await lines([
      sampleIncident({ range: sampleRange, takenFor: taken }),
      sampleIncident({ id: 'abcdefgh0002', ...over, returns: 2 }),
    ]);
    const columns = [
      'id,title,cause,takenFor,worst,reason,openedAt,bound,noticedAt,closedAt,ended,seconds,objectsNow,clustersNow',
      'mostObjects,mostClusters,environments,members,returns,objectSeconds,lastGood,firstBad,seenBetween',
      'everyAttemptSeen,planned,called,calledAt,secondsToCall,toCallBound,alert,receivers,calls,secondsSilent,secondsNotKnown,clusters',
    ];
    expect(head).toBe(columns.join(','));
    const times = '2026-11-21T01:00:00.000Z,exact,2026-11-21T01:01:00.000Z';
    const range = `${sampleRange.lastGood},${sampleRange.firstBad},0,true`;
    expect(first).toBe(
      `abcdefgh0001,checkout on eu-west-3,object,cluster eu-west-3 lost,diverged,BuildFailed,${times},,,3600,3,1,5,2,1,3,0,10800,${range},false,unknown,,,,,,,,,eu-west-3`,
    );
    expect(second).toBe(
      `abcdefgh0002,checkout on eu-west-3,object,,diverged,BuildFailed,${times},2026-11-21T01:59:00.000Z,converged,3540,3,1,5,2,1,3,2,10800,,,,,false,unknown,,,,,,,,,eu-west-3`,
    );
    expect(end).toBe('');
  });

  it('keeps a spreadsheet from running what it says', async () => {
    const [, line = ''] = await lines([
      sampleIncident({
        reason: '=HYPERLINK("http://x","y")',
        cause: { type: 'object', ref: sampleRef({ name: '+cmd|x,\n' }) },
      }),
    ]);
    expect(line).toContain(`,"'=HYPERLINK(""http://x"",""y"")",`);
    expect(line).toContain(`,"'+cmd|x,  on eu-west-3",object,`);
  });
});
