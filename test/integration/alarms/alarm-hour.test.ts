// An hour of scripted outages with alarms that come late, never, twice and without an outage: every figure about alarms, over HTTP, beside the script.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { IncidentFilter, WireIncidentList, WireIncidentPage } from '#lib/api/incident.ts';
import { WireAbsenceList } from '#lib/api/absence.ts';
import { WireReport } from '#lib/api/report.ts';
import type { CalledHow } from '#lib/domain/alarm/alarm-figures.ts';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { hour, minute } from '#lib/domain/time/length.ts';
import type { Script } from '#server/simulator/past/script.ts';
import { csvRows } from '#test/referee/csv.ts';
import { hourScript, plans } from './hour-script.ts';
import { answersOf, type Answers } from '../ninety-days/answers.ts';
import { partOfTheDemo } from '../ninety-days/part-of-the-demo.ts';
import { writeRecord } from '../ninety-days/records.ts';
import type { Stretch } from '../ninety-days/stretches.ts';
import { alarmFiguresOf, isPastDeadline, trueCalled, trueFirst } from '../ninety-days/true-alarms.ts';
import { absencesOf, nameOf, objectsIn, type TrueScope } from '../ninety-days/truth.ts';
import { workDirectory } from '../running/running-fleet.ts';

const { alarmWithin } = defaultPolicy;
const directory = workDirectory();
const start = Date.UTC(2026, 10, 21, 11);
let answers: Answers;
let script: Script;
let refs: readonly ObjectRef[];

beforeAll(async () => {
  const whole = await partOfTheDemo(directory.path);
  const inventory = { ...whole, at: start + 2 * hour + minute };
  ({ script, refs } = hourScript(inventory, start));
  const path = `${directory.path}/hour.db`;
  await writeRecord(script, inventory, path, true);
  answers = await answersOf(path, start + 2 * hour);
}, 60_000);

afterAll(async () => {
  await answers.stop();
  directory.remove();
});

function time(at: number): string {
  return new Date(at).toISOString();
}

const periods: readonly (readonly [string, Stretch])[] = [
  ['the hour', { from: start, to: start + hour }],
  ['until now', { from: start - hour, to: start + 2 * hour }],
  ['a part of it', { from: start + 17 * minute + 1, to: start + 41 * minute + 333 }],
  ['from before any source was read', { from: start - 3 * hour, to: start + 20 * minute }],
];
const before: Stretch = { from: start - 3 * hour, to: start - 2 * hour };
/** The source of one cluster was not read. */
const gap: Stretch = { from: start + 12 * minute, to: start + 30 * minute };

const kind = { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization' };
const scopes: readonly (readonly [string, TrueScope])[] = [
  ['everything', { clusters: null, kind: null }],
  ['the cluster whose source was read', { clusters: ['us-east-1'], kind: null }],
  ['the cluster whose source was not', { clusters: ['us-east-2'], kind: null }],
  ['both, one kind', { clusters: ['us-east-1', 'us-east-2'], kind }],
];

function queryOf({ from, to }: Stretch, { clusters, kind: of }: TrueScope): Record<string, string> {
  return {
    from: time(from),
    to: time(to),
    ...(clusters === null ? {} : { cluster: clusters.join(',') }),
    ...(of === null ? {} : of),
  };
}

async function reportOf(period: Stretch, scope: TrueScope): Promise<WireReport> {
  return WireReport.parse(await answers.ask('report', queryOf(period, scope)));
}

it('the hour holds what it was written for', () => {
  const of = alarmFiguresOf(script, { clusters: null, kind: null }, { from: start, to: start + hour }, alarmWithin);
  expect(of).toMatchObject({
    overdue: { inTime: 5, late: 3, never: 2, unknown: 5 },
    toCall: { count: 7 },
    toCallAtMost: 2,
    withoutAbsence: 2,
    said: 'told',
  });
});

describe.each(scopes)('of %s', (_name, scope) => {
  it.each(periods)('every figure about alarms is the script’s: %s', async (_period, period) => {
    const { figures } = await reportOf(period, scope);
    expect(figures.alarms).toEqual(alarmFiguresOf(script, scope, period, alarmWithin));
    const { alarms, overdueMs } = figures;
    expect(alarms.said === 'told' && alarms.calledMs + alarms.silentMs + alarms.unknownMs).toBe(overdueMs);
  });

  it.each(periods)('so is every line of the file: %s', async (_period, period) => {
    const rows = csvRows(await answers.text('report', { ...queryOf(period, scope), format: 'csv' }));
    const value = (figure: string): number => Number(rows.find((row) => row['figure'] === figure)?.['value']);
    const truth = alarmFiguresOf(script, scope, period, alarmWithin);
    if (truth.said !== 'told') throw new Error('nothing is told');
    const overdue = 'object time past the alarm deadline';
    expect([
      value(`${overdue}, somebody called`),
      value(`${overdue}, nobody called`),
      value(`${overdue}, not known if anybody was called`),
      value('absences past the alarm deadline, called in time'),
      value('absences past the alarm deadline, called late'),
      value('absences past the alarm deadline, never called'),
      value('absences past the alarm deadline, not known if called'),
      value('times to alarm'),
      value('times to alarm not known exactly'),
      value('calls'),
      value('calls without an absence'),
    ]).toEqual([
      ...[truth.calledMs, truth.silentMs, truth.unknownMs],
      ...[truth.overdue.inTime, truth.overdue.late, truth.overdue.never, truth.overdue.unknown],
      ...[truth.toCall.count, truth.toCallAtMost, truth.calls, truth.withoutAbsence],
    ]);
    expect(
      rows.filter(({ section }) => section === 'alert').map(({ name, value: calls }) => [name, Number(calls)]),
    ).toEqual(truth.alerts.map(({ alert, calls }) => [alert, calls]));
  });

  it.each(periods)('each number of absences opens a list of exactly those: %s', async (_period, period) => {
    const words = { inTime: 'in-time', late: 'late', never: 'never', unknown: 'unknown' } as const satisfies Record<
      string,
      CalledHow
    >;
    const overdue = absencesOf(objectsIn(script, scope)).filter((one) => isPastDeadline(one, period, alarmWithin));
    for (const [word, called] of Object.entries(words)) {
      const truth = overdue.filter((one) => trueCalled(script, one, period, alarmWithin) === word);
      const query = { ...queryOf(period, scope), called };
      const listed = (await answers.askAll('absences', query)).flatMap((page) => WireAbsenceList.parse(page).rows);
      expect([called, ...listed.map(({ ref }) => nameOf(ref)).toSorted()]).toEqual([
        called,
        ...truth.map(({ ref }) => nameOf(ref)).toSorted(),
      ]);
      const file = csvRows(await answers.text('absences', { ...query, format: 'csv' }));
      expect(file).toHaveLength(truth.length);
    }
  });
});

it('nothing is said of alarms where no source was read', async () => {
  const { figures } = await reportOf(before, { clusters: null, kind: null });
  expect(figures.alarms).toEqual({ said: 'cannot-be-said', why: 'no-source-read' });
  for (const [period, cluster] of [
    [{ from: start, to: start + hour }, 'sbx-1'],
    [gap, 'us-east-2'],
  ] as const)
    expect((await reportOf(period, { clusters: [cluster], kind: null })).figures.alarms.said).toBe('cannot-be-said');
  const whole = { clusters: null, kind: null };
  expect((await reportOf(gap, whole)).figures.alarms).toEqual(alarmFiguresOf(script, whole, gap, alarmWithin));
});

const Numbers = z.record(z.string(), z.string());

describe('an incident says who was called for it', () => {
  async function incidentOf(place: number): Promise<WireIncidentPage> {
    const { name = '', cluster = '' } = refs[place] ?? {};
    const query = { from: time(start - hour), to: time(start + 2 * hour), cluster, name, limit: '10' };
    const { rows } = WireIncidentList.parse(await answers.ask('incidents', query));
    const id = rows[0]?.id ?? '';
    return WireIncidentPage.parse(await answers.ask(`incidents/${id}`, {}));
  }

  /** The bound of the first call for an object, and whether it was late, as the script knows them. */
  function howKnown(ref: ObjectRef | undefined): readonly [string, boolean | null] {
    const period = { from: start - hour, to: start + 2 * hour };
    const [absence] = absencesOf(script.objects.filter(({ object }) => object.ref === ref));
    if (absence === undefined) throw new Error('it was never away');
    const late = { inTime: false, late: true, never: null, unknown: null };
    return [
      trueFirst(script, absence, period)?.isExact === true ? 'exact' : 'at-most',
      late[trueCalled(script, absence, period, alarmWithin)],
    ];
  }

  it('in time, late and not known, exactly and at most', () => {
    const known = refs.map((ref) => howKnown(ref).join(' '));
    expect(new Set(known)).toEqual(new Set(['exact false', 'exact true', 'at-most true', 'at-most ']));
  });

  const own = plans
    .map((plan, place) => [plan.what, place] as const)
    .filter(([, place]) => plans[place]?.waitsFor === undefined);

  it.each(own)('%s', async (_what, place) => {
    const { incident, calls } = await incidentOf(place);
    const { from = 0, to = null } = plans[place] ?? {};
    const ref = refs[place];
    const truth = script.alarms
      .flatMap((source) => source.calls)
      .filter(({ names }) => names !== null && ref !== undefined && nameOf(names) === nameOf(ref))
      .map(({ call }) => call)
      .filter((call) => to === null || call.from < start + to * minute);
    expect(
      calls
        .filter(({ by }) => by === 'own')
        .map((call) => Date.parse(call.from))
        .toSorted((a, b) => a - b),
    ).toEqual(truth.map((call) => call.from).toSorted((a, b) => a - b));
    const [first] = truth;
    const told = incident.calls?.first ?? null;
    expect(told && [told.afterMs, told.bound, told.late]).toEqual(
      first === undefined ? null : [first.from - (start + from * minute), ...howKnown(ref)],
    );
  });

  it('not a word of calls where no source spoke for its cluster', async () => {
    const { incident } = await incidentOf(plans.findIndex(({ cluster }) => cluster === 'sbx-1'));
    expect(incident.calls).toMatchObject({ first: null, silentMs: 0, due: true });
    expect(incident.calls?.unknownMs).toBeGreaterThan(alarmWithin);
  });

  it('by the filter, each incident under one word, and in the file', async () => {
    const query = { from: time(start - hour), to: time(start + 2 * hour) };
    const words = await Promise.all(
      IncidentFilter.shape.called.unwrap().options.map(async (called) => {
        const list = WireIncidentList.parse(await answers.ask('incidents', { ...query, called }));
        return [called, list.rows.map(({ id }) => id)] as const;
      }),
    );
    const rows = csvRows(await answers.text('incidents', { ...query, format: 'csv' })).map((row) => Numbers.parse(row));
    const inFile = (word: string): readonly string[] =>
      rows.flatMap((row) => (row['called'] === word || word === '' ? (row['id'] ?? []) : [])).toSorted(compareText);
    expect(words.map(([word, ids]) => [word, ids.toSorted(compareText)])).toEqual(
      words.map(([word]) => [word, inFile(word)]),
    );
    expect(Math.min(...words.map(([, ids]) => ids.length))).toBeGreaterThan(0);
  });
});
