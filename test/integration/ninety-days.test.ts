// Ninety simulated days with a known truth, through the store, held against every figure of the report.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { day, hour, minute } from '#lib/domain/time/length.ts';
import type { WireReport } from '#lib/api/report.ts';
import { askReport } from '#server/web/report/ask-report.ts';
import type { Inventory } from '#server/simulator/past/inventory.ts';
import type { Script } from '#server/simulator/past/script.ts';
import { writeScript } from '#server/simulator/past/write-script.ts';
import type { StoreReader } from '#server/store/port/port.ts';
import { openSqliteReader } from '#server/store/sqlite/reading/reader.ts';
import { kindKey } from '#lib/domain/observation/ref.ts';
import { moreAlarms, moreBlindness, partOfTheDemo } from './ninety-days/part-of-the-demo.ts';
import { writeRecord } from './ninety-days/records.ts';
import { workDirectory } from './running/running-fleet.ts';
import type { Stretch } from './ninety-days/stretches.ts';
import { alarmFiguresOf } from './ninety-days/true-alarms.ts';
import { applicationsOf, clockOf, wallOf } from './ninety-days/true-clock.ts';
import { expectIncidents } from './ninety-days/told-incidents.ts';
import { causeFiguresOf, causesClosedIn, incidentsIn, objectTimeIn } from './ninety-days/true-causes.ts';
import { incidentsOf, type TrueIncident } from './ninety-days/true-incidents.ts';
import * as truth from './ninety-days/truth.ts';
import type { TrueScope } from './ninety-days/truth.ts';

const alarmWithin = 15 * minute;
const directory = workDirectory();
afterAll(directory.remove);

function monthBefore(at: number, months: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months);
}

/** Periods of all kinds; `asOf` is when the report is made. */
function periodsOf({ from, to }: Script, asOf: number): readonly (readonly [string, Stretch])[] {
  return [
    ['all of it', { from, to: asOf }],
    ['thirty days until now', { from: asOf - 30 * day, to: asOf }],
    ['a month of the calendar', { from: monthBefore(to, 1), to: monthBefore(to, 0) }],
    ['not on borders of days', { from: from + 17.31 * day, to: from + 41.77 * day + 1 }],
    ['a few hours within a day', { from: to - 9 * day + 5 * hour, to: to - 9 * day + 11 * hour + 7 }],
    ['from before the record', { from: from - 12 * day, to: from + 9 * day + 333 }],
    ['the bad week', { from: asOf - 38 * day, to: asOf - 31 * day }],
  ];
}

const scopes: readonly [readonly [string, TrueScope], ...(readonly [string, TrueScope])[]] = [
  ['everything', { clusters: null, kind: null }],
  ['one cluster', { clusters: ['stg-edge'], kind: null }],
  ['the clusters of a label', { clusters: ['stg-edge', 'us-east-1'], kind: null }],
  ['one kind', { clusters: null, kind: { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization' } }],
  [
    'one kind of some clusters',
    { clusters: ['us-east-1', 'sbx-1'], kind: { group: 's3.aws.upbound.io', kind: 'Bucket' } },
  ],
];

function utcDays({ from, to }: Stretch): readonly Stretch[] {
  const days: Stretch[] = [];
  for (let start = Math.floor(from / day) * day; start < to; start += day)
    days.push({ from: Math.max(start, from), to: Math.min(start + day, to) });
  return days;
}

/** Period that a period is compared with. */
function before({ from, to }: Stretch): Stretch {
  const isMonth = from === monthBefore(from, 0) && to === monthBefore(from, -1);
  return isMonth ? { from: monthBefore(from, 1), to: from } : { from: 2 * from - to, to: from };
}

function time(at: number): string {
  return new Date(at).toISOString();
}

/** Expects the incidents that a report tells of to be the first by time and by reach times time, and each to be told as it was. */
function expectRanked(
  { longest, worst }: WireReport['incidents'],
  known: readonly TrueIncident[],
  period: Stretch,
): void {
  const timeIn = ({ openedAt, closedAt }: TrueIncident): number =>
    Math.min(closedAt, period.to) - Math.max(openedAt, period.from);
  const first = (rankOf: (one: TrueIncident) => number, count: number): readonly number[] =>
    known
      .map(rankOf)
      .toSorted((a, b) => b - a)
      .slice(0, count);
  expect(worst.map(({ objectTimeMs }) => objectTimeMs)).toEqual(first((one) => objectTimeIn(one, period), 5));
  const lasted = longest.map((one) => {
    const end = one.closedAt === null ? period.to : Date.parse(one.closedAt);
    return end - Math.max(Date.parse(one.openedAt), period.from);
  });
  expect(lasted).toEqual(first(timeIn, 10));
  for (const told of [...longest, ...worst]) {
    const found = known.filter((one) => time(one.openedAt) === told.openedAt && time(one.noticedAt) === told.noticedAt);
    const one = found.find((each) => objectTimeIn(each, period) === told.objectTimeMs);
    const isOver = (one?.closedAt ?? Infinity) < Infinity;
    expect({ ...told, range: told.range && [told.range.lastGood, told.range.firstBad] }).toMatchObject({
      bound: one?.bound,
      closedAt: isOver ? time(one?.closedAt ?? 0) : null,
      ended: one?.ended,
      lastedMs: Math.min(one?.closedAt ?? 0, period.to) - (one?.openedAt ?? 0),
      worst: one?.worst,
      reason: one?.reason,
      range: one?.broke,
      most: one?.most,
      members: one?.members.length,
      returns: one?.returns,
    });
  }
}

/** The report and the truth, one figure beside the other. */
async function expectTrue(
  reader: StoreReader,
  script: Script,
  period: Stretch,
  scope: TrueScope,
  asOf: number,
): Promise<void> {
  const report = await askReport(reader.record, {
    period: { ...period, end: period.to },
    scope: { ...scope, cluster: '', label: '' },
    asOf,
    version: '0',
    simulated: true,
    alarmWithin,
  });
  const objects = truth.objectsIn(script, scope);
  const figuresOf = (of: Stretch) => ({
    wall: wallOf(script, scope, of),
    ...truth.figuresOf(script, scope, of, alarmWithin),
    alarms: alarmFiguresOf(script, scope, of, alarmWithin),
    incidents: causeFiguresOf(script, scope, of),
  });
  expect(report.figures).toEqual(figuresOf(period));
  const earlier = before(period);
  expect(report.before?.figures ?? null).toEqual(earlier.to <= script.from ? null : figuresOf(earlier));
  expect(report.recordedSince).toBe(time(script.from));
  expect([report.period.recordedMs, report.period.ofMs]).toEqual([
    period.to - Math.max(period.from, script.from),
    period.to - period.from,
  ]);

  expect(report.days).toEqual(
    utcDays(period).map((one) => ({
      day: time(Math.floor(one.from / day) * day),
      shares: truth.sharesOf(script, objects, one),
      corrections: truth.correctionsOf(objects, one),
    })),
  );
  const there = objects.filter((past) => truth.countOf([past], period) > 0);
  const byCluster = Map.groupBy(there, ({ object: { ref } }) => ref.cluster);
  expect(new Map(report.clusters.map(({ cluster, shares }) => [cluster, shares]))).toEqual(
    new Map([...byCluster].map(([cluster, of]) => [cluster, truth.sharesOf(script, of, period)])),
  );
  expect(new Map(report.clusters.map(({ cluster, wall }) => [cluster, wall]))).toEqual(
    new Map([...byCluster.keys()].map((cluster) => [cluster, clockOf(script, scope, period, cluster)])),
  );
  expect(report.applications).toEqual(applicationsOf(script, scope, period));
  const byKind = Map.groupBy(there, ({ object: { ref } }) => kindKey(ref));
  expect(new Map(report.kinds.map(({ group, kind, shares }) => [kindKey({ group, kind }), shares]))).toEqual(
    new Map([...byKind].map(([kind, of]) => [kind, truth.sharesOf(script, of, period)])),
  );

  const durations = causesClosedIn(script, scope, period);
  for (const { fromMs, toMs, count } of report.distribution)
    expect(count).toBe(durations.filter((each) => each >= fromMs && each < (toMs ?? Infinity)).length);
  expect(report.distribution.reduce((sum, { count }) => sum + count, 0)).toBe(durations.length);
  expectRanked(report.incidents, incidentsIn(script, scope, period), period);

  const during = truth
    .absencesOf(objects)
    .filter(({ noticedAt, closedAt }) => noticedAt < period.to && closedAt > period.from);
  const awayTimes = objects
    .map((past) => ({ past, shares: truth.sharesOf(script, [past], period) }))
    .map(({ past, shares }) => ({ past, away: truth.awayOf(shares) }))
    .filter(({ away }) => away > 0)
    .toSorted((a, b) => b.away - a.away);
  expect(report.offenders.map(({ awayMs }) => awayMs)).toEqual(awayTimes.slice(0, 10).map(({ away }) => away));
  for (const { ref, shares, absences: many, corrections } of report.offenders) {
    const of = objects.filter(({ object }) => truth.nameOf(object.ref) === truth.nameOf(ref));
    const counted = truth.correctionsOf(of, period);
    expect({ shares, many, corrections }).toEqual({
      shares: truth.sharesOf(script, of, period),
      many: during.filter((one) => truth.nameOf(one.ref) === truth.nameOf(ref)).length,
      corrections: counted.confirmed + counted.probable + counted.contested,
    });
  }

  const suspensions = truth.suspensionsOf(script, scope, period);
  expect(report.suspensions.complete).toBe(true);
  const hands = Map.groupBy(suspensions, ({ by }) => by);
  expect(new Map(report.suspensions.byWhom.map(({ by, observedMs, count }) => [by, { observedMs, count }]))).toEqual(
    new Map(
      [...hands].map(([by, of]) => [
        by,
        { observedMs: of.reduce((sum, each) => sum + each.observedMs, 0), count: of.length },
      ]),
    ),
  );
  expect(report.suspensions.longest.map(({ observedMs }) => observedMs)).toEqual(
    suspensions
      .map(({ observedMs }) => observedMs)
      .toSorted((a, b) => b - a)
      .slice(0, 10),
  );
  expect(
    suspensions.map(({ ref, by, from, to, observedMs }) => ({
      ref,
      by,
      from: time(from),
      to: to === null ? null : time(to),
      observedMs,
    })),
  ).toEqual(expect.arrayContaining([...report.suspensions.longest]));

  const unseen = [...byCluster]
    .map(([cluster, of]) => ({ cluster, unobservedMs: truth.sharesOf(script, of, period).unobserved }))
    .filter(({ unobservedMs }) => unobservedMs > 0)
    .toSorted((a, b) => b.unobservedMs - a.unobservedMs);
  expect(report.notSeen.map(({ cluster, unobservedMs }) => ({ cluster, unobservedMs }))).toEqual(unseen.slice(0, 5));
}

let inventory: Inventory;

beforeAll(async () => {
  inventory = await partOfTheDemo(directory.path);
}, 60_000);

describe.each([1, 7, 20_261])('seed %i', (seed) => {
  let script: Script;
  let laidOver: Script;
  let asOf = 0;
  let reader: StoreReader;
  let blinder: StoreReader;

  beforeAll(async () => {
    asOf = inventory.at;
    script = writeScript(inventory, seed);
    laidOver = {
      ...script,
      blindness: moreBlindness(script, seed + 100),
      alarms: moreAlarms(script, seed + 200),
    };
    const open = async (name: string, of: Script, rolledUp: boolean): Promise<StoreReader> => {
      const path = `${directory.path}/${name}-${seed}.db`;
      await writeRecord(of, inventory, path, rolledUp);
      const opened = await openSqliteReader({ path });
      if ('type' in opened) throw new Error(opened.type);
      return opened;
    };
    reader = await open('told', script, false);
    // Closed days are rolled up in this one only: both must say the very same.
    blinder = await open('laid-over', laidOver, true);
  }, 300_000);

  afterAll(async () => {
    await reader.close();
    await blinder.close();
  });

  it('holds enough of everything', () => {
    const whole = { from: script.from, to: script.to };
    const figures = truth.figuresOf(script, { clusters: null, kind: null }, whole, alarmWithin);
    expect(figures.absences.opened).toBeGreaterThan(300);
    const words = Object.entries(figures.shares);
    expect(words.filter(([, share]) => share < hour)).toEqual([]);
    const { openAtStart, closedFromBefore } = truth.figuresOf(
      script,
      scopes[0][1],
      { from: script.to - 30 * day, to: script.to },
      alarmWithin,
    ).absences;
    expect(Math.min(openAtStart, closedFromBefore, figures.absences.gone)).toBeGreaterThan(0);
    expect(applicationsOf(script, scopes[0][1], whole)).toHaveLength(10);
    expect(Math.min(...Object.values(figures.corrections), ...Object.values(figures.changes))).toBeGreaterThan(3);
    expect(script.objects.some(({ spans }) => spans.length > 1)).toBe(true);
    expect(script.objects.some(({ spans }) => spans.at(-1)?.goneAt !== null)).toBe(true);
    const awayIn = (from: number, to: number): number => {
      const { awayMs, observedMs } = truth.figuresOf(script, scopes[0][1], { from, to }, alarmWithin);
      return awayMs / observedMs;
    };
    const badWeek = awayIn(script.to - 38 * day, script.to - 31 * day);
    expect(badWeek).toBeGreaterThan(1.5 * awayIn(script.to - 30 * day, script.to));
    expect(writeScript(inventory, seed)).toEqual(script);
    expect(laidOver.blindness.length).toBeGreaterThan(script.blindness.length + 30);
  });

  it('holds alarms of every kind', () => {
    const whole = { from: script.from, to: script.to };
    const told = alarmFiguresOf(script, scopes[0][1], whole, alarmWithin);
    if (told.said !== 'told') throw new Error('nothing is told');
    const { calledMs, silentMs, unknownMs, overdue, withoutAbsence, toCallAtMost } = told;
    expect(Math.min(calledMs, silentMs, unknownMs)).toBeGreaterThan(hour);
    expect(Math.min(...Object.values(overdue), withoutAbsence, toCallAtMost)).toBeGreaterThanOrEqual(3);
    const calls = script.alarms.flatMap((source) => source.calls);
    expect(calls.some(({ names }) => names === null)).toBe(true);
    expect(calls.some(({ names }) => names?.kind === 'Deployment')).toBe(true);
    expect(calls.some(({ call }) => call.to === null)).toBe(true);
    expect(script.alarms.flatMap(({ unread }) => unread).length).toBeGreaterThan(3);
    expect(laidOver.alarms[1]?.calls.length).toBeGreaterThan(30);
  });

  it('holds causes of every kind', () => {
    const all = incidentsOf(script, Infinity);
    const many = (isOne: (one: TrueIncident) => boolean): number => all.filter(isOne).length;
    const isBlindIn = ({ members, openedAt, closedAt }: TrueIncident): boolean =>
      script.blindness.some(
        ({ cluster, kind, from, to }) =>
          kind === null && members.some((one) => one.ref?.cluster === cluster) && from > openedAt && to < closedAt,
      );
    const found = {
      several: many(({ most }) => most.objects >= 5) > 30,
      dead: many(({ blames }) => blames.type === 'controller') > 5,
      flapping: many(({ returns }) => returns > 0) > 1,
      recognised: many(({ takenUntil }) => takenUntil !== null) > 2,
      merged: many(({ merged }) => merged > 0) > 1,
      split: many(({ members }) => members.some(({ ended }) => ended === 'moved')) > 0,
      throughGap: many(isBlindIn) > 3,
      region: many(({ blames, most }) => blames.type === 'cluster' && most.clusters > 1) > 0,
      commit: many(({ broke, most }) => broke !== null && most.clusters > 1) > 0,
      afterPlannedWork: many(({ openedAt }) => script.planned.some(({ to }) => to === openedAt)) > 0,
      within: script.planned.length > 1,
      beneath: many(({ members }) => members.some(({ said }) => said[0]?.verdict === 'waiting')) > 3,
      lasting: many(({ closedAt }) => closedAt === Infinity) > 3,
      gone: many(({ ended }) => ended === 'removed') > 0,
    };
    expect(Object.entries(found).filter(([, has]) => !has)).toEqual([]);
  });

  it.each(scopes)(
    'of %s every incident is told as it was, with its members',
    async (_name, scope) => {
      for (const [opened, of] of [
        [reader, script],
        [blinder, laidOver],
      ] as const)
        for (const [index, [name, period]] of periodsOf(of, asOf).entries())
          await expectIncidents(opened.record, of, { scope, period, whole: index === 0 }).catch((error: unknown) => {
            throw new Error(`in ${name}`, { cause: error });
          });
    },
    120_000,
  );

  it.each(scopes)(
    'of %s every figure is true, in every period',
    async (_name, scope) => {
      for (const [name, period] of periodsOf(script, asOf))
        await expectTrue(reader, script, period, scope, asOf).catch((error: unknown) => {
          throw new Error(`in ${name}`, { cause: error });
        });
    },
    120_000,
  );

  it.each(scopes)(
    'of %s what nobody saw changes only what it may',
    async (_name, scope) => {
      for (const [name, period] of periodsOf(script, asOf)) {
        const [seen, blind] = [reader, blinder];
        await expectTrue(blind, laidOver, period, scope, asOf).catch((error: unknown) => {
          throw new Error(`in ${name}`, { cause: error });
        });
        const asked = {
          period: { ...period, end: period.to },
          scope: { ...scope, cluster: '', label: '' },
          asOf,
          version: '0',
          simulated: true,
          alarmWithin,
        };
        const [full, less] = [await askReport(seen.record, asked), await askReport(blind.record, asked)];
        expect(less.figures.absences).toEqual(full.figures.absences);
        // A cluster that is lost is an incident of its own.
        expect(less.figures.incidents?.opened).toBeGreaterThanOrEqual(full.figures.incidents?.opened ?? Infinity);
        expect(less.figures.corrections).toEqual(full.figures.corrections);
        expect(less.figures.changes).toEqual(full.figures.changes);
        expect(less.figures.arrivals).toEqual(full.figures.arrivals);
        expect(less.figures.existedMs).toBe(full.figures.existedMs);
        expect(less.figures.objects).toBe(full.figures.objects);
        expect(less.figures.observedMs).toBeLessThanOrEqual(full.figures.observedMs);
        expect(less.figures.wall.awayMs).toBeLessThanOrEqual(full.figures.wall.awayMs);
        expect(less.figures.wall.observedMs).toBeLessThanOrEqual(full.figures.wall.observedMs);
        expect(less.figures.overdueMs).toBeLessThanOrEqual(full.figures.overdueMs);
        for (const word of ['converged', 'diverged', 'stale', 'suspended', 'unconfirmed'] as const)
          expect(less.figures.shares[word]).toBeLessThanOrEqual(full.figures.shares[word] ?? 0);
      }
    },
    120_000,
  );
});
