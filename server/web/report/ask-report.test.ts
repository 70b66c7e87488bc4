import { describe, expect, it } from 'vitest';
import { WireReport } from '#lib/api/report.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { readPeriod } from '#lib/domain/time/report-period.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import { askReport } from './ask-report.ts';
import { arrivalList } from './report-lists.ts';
import { asked, checkout, everywhere, kustomization, november, october, octoberHistory } from './testing/october.ts';
import { recorded } from './testing/recorded.ts';

const octoberRecord = recorded(octoberHistory);

async function report(rest: Parameters<typeof asked>[0] = {}): Promise<WireReport> {
  return WireReport.parse(await askReport(octoberRecord, asked(rest)));
}

it('changes count each by its own sort', async () => {
  const [first, second] = octoberHistory.changes;
  const added = { kind: 'prune-disabled', field: 'spec.prune', by: null } as const;
  const changes = [first, second]
    .flatMap((one) => one ?? [])
    .flatMap((one) => [
      { ...one, fact: { ...added, type: 'exemption-removed' as const } },
      { ...one, at: one.at + 1, fact: { type: 'resumed' as const, by: null, field: 'spec.suspend' } },
    ]);
  const { figures } = await askReport(recorded({ ...octoberHistory, changes: changes.slice(0, 3) }), asked());
  expect(figures.changes).toEqual({ exemptionsOpened: 0, exemptionsClosed: 2, suspended: 0, resumed: 1 });
});

it('a commit that was there as soon as it was offered took no time', async () => {
  const [arrival] = octoberHistory.arrivals;
  const at = october + day;
  const arrivals = [0, 1].flatMap((ms) => (arrival ? { ...arrival, offeredAt: at, firstAt: at, lastAt: at + ms } : []));
  const { version: _version, alarmWithin: _alarm, ...question } = asked();
  const took = arrivals.map(async (one) => {
    const record = recorded({ ...octoberHistory, arrivals: [one] });
    return (await arrivalList({ ...question, record }, 10)).arrivals?.map(({ tookMs }) => tookMs);
  });
  expect(await Promise.all(took)).toEqual([[0], [1]]);
});

describe('a report', () => {
  it('shares: what was observed of what existed, and of that what was converged, away, switched off', async () => {
    const { figures } = await report();
    const existed = 2 * 31 * day;
    expect(figures).toMatchObject({
      objects: 2,
      existedMs: existed,
      observedMs: existed - 5 * hour,
      suspendedMs: 15 * hour,
      awayMs: 10 * hour - 30_000 + hour / 2,
      unconfirmedMs: 0,
    });
    expect(figures.convergedMs).toBe(figures.observedMs - figures.awayMs - figures.suspendedMs);
    expect(figures.convergedShare).toBe(figures.convergedMs / figures.observedMs);
    expect(figures.observedShare).toBe(1 - (5 * hour) / existed);
  });

  it('the wall clock: no second counts twice, and none is longer than the period', async () => {
    const { figures, clusters, applications } = await report();
    expect(figures.wall).toEqual({
      awayMs: 10 * hour - 30_000 + hour / 2,
      observedMs: 31 * day,
      awayShare: (10 * hour - 30_000 + hour / 2) / (31 * day),
      clusters: { observed: 2, neverAway: 0, medianAwayMs: hour / 2 },
    });
    expect(clusters.map(({ cluster, wall }) => [cluster, wall.awayMs, wall.observedMs])).toEqual([
      ['stg-us', hour / 2, 31 * day - 5 * hour],
      ['eu-west-3', 10 * hour - 30_000, 31 * day],
    ]);
    expect(applications.map(({ name, clusters: on, wall }) => [name, on, wall.awayMs, wall.observedMs])).toEqual([
      ['checkout', 1, 10 * hour - 30_000, 31 * day],
      ['mail', 1, hour / 2, 31 * day - 5 * hour],
    ]);
  });

  it('an absence that began before the period is counted apart, and the figures add up', async () => {
    const from = october + 2 * day + 4 * hour;
    const { figures } = await report({ period: { from, to: november, end: november } });
    expect(figures.absences).toMatchObject({
      opened: 1,
      openAtStart: 1,
      closed: 2,
      closedFromBefore: 1,
      gone: 0,
      open: 0,
    });
  });

  it('incidents: each is counted once, as it was at the end of the period', async () => {
    const { figures } = await report();
    expect(figures.incidents).toEqual({
      opened: 2,
      openAtStart: 0,
      closed: 2,
      closedFromBefore: 0,
      gone: 0,
      open: 0,
      large: 0,
      members: 2,
      toNotice: { count: 2, medianMs: 0, p95Ms: 30_000 },
      toConverge: {
        count: 2,
        medianMs: hour / 2,
        p95Ms: 10 * hour,
        longestMs: 10 * hour,
        medianAtLeast: false,
        p95AtLeast: false,
        longestAtLeast: false,
      },
      toConvergeAtLeast: 0,
    });
  });

  it('absences, time past the deadline, corrections, weakenings, commits', async () => {
    const { figures } = await report();
    expect(figures.absences).toEqual({
      opened: 2,
      openAtStart: 0,
      closed: 2,
      closedFromBefore: 0,
      gone: 0,
      open: 0,
      toNotice: { count: 2, medianMs: 0, p95Ms: 30_000 },
      toConverge: { count: 2, medianMs: hour / 2, p95Ms: 10 * hour, medianAtLeast: false, p95AtLeast: false },
      toConvergeAtLeast: 0,
    });
    expect(figures.overdueMs).toBe(10 * hour - hour / 4 + hour / 4);
    expect(figures.corrections).toEqual({ confirmed: 2, probable: 0, contested: 9 });
    expect(figures.changes).toEqual({ exemptionsOpened: 1, exemptionsClosed: 0, suspended: 1, resumed: 0 });
    expect(figures.arrivals).toEqual({ count: 1, medianMs: 250_000, p95Ms: 250_000, unknown: 1, notKnownOn: [] });
  });

  it('whether anybody was called cannot be said where no alarm source was read', async () => {
    expect((await report()).figures.alarms).toEqual({ said: 'cannot-be-said', why: 'no-source-read' });
  });

  it('what was suspended, by whom, and what of it was observed; together they are the figure', async () => {
    const { suspensions, figures } = await report();
    expect(suspensions.longest).toMatchObject([{ ref: { name: 'mail' }, by: 'm.ito', observedMs: 15 * hour }]);
    expect(suspensions.byWhom).toEqual([{ by: 'm.ito', observedMs: figures.suspendedMs, count: 1 }]);
    expect(suspensions.complete).toBe(true);
  });

  it('every day of the period, also those of which nothing is recorded; together they are the whole', async () => {
    const { days, figures } = await report();
    expect(days).toHaveLength(31);
    const sum = days.reduce((all, { shares }) => all + shares.converged, 0);
    expect(sum).toBe(figures.convergedMs);
    expect(days[10]?.shares.unobserved).toBe(5 * hour);
    const early = await report({ period: { from: october - 25 * day, to: october, end: october } });
    expect(early.days[0]?.shares.converged).toBe(0);
    expect(early.days).toHaveLength(25);
  });

  it('what was not seen: where most of it lies, and why', async () => {
    const { notSeen } = await report();
    expect(notSeen).toEqual([
      {
        cluster: 'stg-us',
        unobservedMs: 5 * hour,
        gaps: [
          {
            kind: null,
            from: '2026-10-11T00:00:00.000Z',
            to: '2026-10-11T05:00:00.000Z',
            state: 'unreachable',
            reason: 'connect ETIMEDOUT',
          },
        ],
      },
    ]);
  });

  it('clusters with the lowest share converged first, and who was away longest', async () => {
    const { clusters, offenders } = await report();
    expect(clusters.map(({ cluster }) => cluster)).toEqual(['stg-us', 'eu-west-3']);
    expect(offenders.map(({ ref, awayMs, corrections }) => [ref.name, awayMs, corrections])).toEqual([
      ['checkout', 10 * hour - 30_000, 0],
      ['mail', hour / 2, 11],
    ]);
  });

  it('names ten incidents, the five worst, ten applications and objects that were away, of however many', async () => {
    const named = <Of extends { readonly ref: ObjectRef }>(one: Of, index: number): Of => ({
      ...one,
      ref: kustomization('eu-west-3', `checkout-${index}`),
      reason: `Failed${'x'.repeat(index)}`,
      range: null,
    });
    const often = <Of extends { readonly ref: ObjectRef }>(all: readonly Of[]): readonly Of[] =>
      all
        .filter(({ ref }) => ref === checkout)
        .flatMap((one) => Array.from({ length: 12 }, (_, index) => named(one, index)));
    const transitions = often(octoberHistory.transitions).toSorted((a, b) => a.noticedAt - b.noticedAt);
    const many = recorded({ ...octoberHistory, transitions, absences: often(octoberHistory.absences) });
    const { incidents, applications, offenders, figures } = await askReport(many, asked());
    expect([figures.absences.opened, figures.incidents?.opened]).toEqual([12, 12]);
    const { longest, worst } = incidents;
    expect([longest, worst, applications, offenders].map(({ length }) => length)).toEqual([10, 5, 10, 10]);
  });

  it('is about its scope alone', async () => {
    const { figures } = await report({ scope: { ...everywhere, clusters: ['eu-west-3'], cluster: 'eu-west-3' } });
    expect(figures).toMatchObject({ objects: 1, existedMs: 31 * day, observedShare: 1, suspendedMs: 0 });
  });

  it('says of the period before what is recorded of it, and nothing where nothing is', async () => {
    const { before, period, recordedSince } = await report();
    expect(before).toMatchObject({ name: 'September 2026', recordedMs: 20 * day, ofMs: 30 * day });
    expect(before?.figures.convergedShare).toBe(1);
    expect(period).toMatchObject({ name: 'October 2026', recordedMs: 31 * day, ofMs: 31 * day, lasting: false });
    expect(recordedSince).toBe('2026-09-11T00:00:00.000Z');
    const first = await report({ period: { from: october - 20 * day, to: october, end: october } });
    expect(first.before).toBeNull();
  });

  it('of nothing recorded has no share, neither 0 nor 1', async () => {
    const read = readPeriod({ period: 'last-7-days', from: '', to: '' }, november);
    if (read.type === 'wrong') throw new Error(read.message);
    const empty = WireReport.parse(await askReport(recorded({}), asked({ period: read.period })));
    expect(empty).toMatchObject({
      recordedSince: null,
      before: null,
      figures: { convergedShare: null, observedShare: null },
    });
    expect(empty.period.recordedMs).toBe(0);
  });

  it('what nobody observed has no share converged', async () => {
    const blind = recorded({
      ...octoberHistory,
      coverage: [
        { cluster: 'eu-west-3', kind: null, at: october - day, observed: false, state: 'unreachable', reason: null },
        { cluster: 'stg-us', kind: null, at: october - day, observed: false, state: 'unreachable', reason: null },
      ],
    });
    const { figures } = await askReport(blind, asked());
    expect(figures).toMatchObject({ observedMs: 0, observedShare: 0, convergedShare: null, overdueMs: 0 });
  });
});
