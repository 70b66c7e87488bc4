import { describe, expect, it } from 'vitest';
import { WireReport, type WireCauseFigures } from '#lib/api/report.ts';
import { makeDocument } from '#lib/report/make-document.ts';
import { day, hour, minute } from '#lib/domain/time/length.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import type { RecordReader } from '#server/store/port/record-port.ts';
import { csvRows } from '#test/referee/csv.ts';
import { askReport } from './ask-report.ts';
import { reportCsv } from './report-csv.ts';
import { asked, everywhere, kustomization, november, october, octoberHistory } from './testing/october.ts';
import { recorded, type LaterFault } from './testing/recorded.ts';

const controller = {
  type: 'controller',
  cluster: 'eu-west-3',
  namespace: 'flux-system',
  name: 'kustomize-controller',
} as const;

function away(name: string, from: number, hours: number | null, rest: Partial<Absence> = {}): Absence {
  return {
    ref: kustomization('eu-west-3', name),
    uid: `uid-${name}`,
    openedAt: from,
    bound: 'exact',
    noticedAt: from + minute,
    closedAt: hours === null ? null : from + hours * hour,
    ended: hours === null ? null : 'converged',
    worst: 'diverged',
    reason: `${name} failed`,
    rootCause: null,
    range: null,
    ...rest,
  };
}

/** Six objects beneath a dead controller for 4 h, from a time on. */
function deadController(from: number, rest: Partial<Absence> = {}): readonly Absence[] {
  return Array.from({ length: 6 }, (_, index) =>
    away(`app-${index}`, from, 4, { worst: 'stale', reason: '', rootCause: controller, ...rest }),
  );
}

async function reportOf(
  absences: readonly Absence[],
  rest: Parameters<typeof asked>[0] = {},
  later: readonly LaterFault[] = [],
): Promise<WireReport> {
  return WireReport.parse(await askReport(recorded({ ...octoberHistory, absences }, later), asked(rest)));
}

function between(from: number, to: number): { readonly period: ReturnType<typeof asked>['period'] } {
  return { period: { from, to, end: to } };
}

function counts(figures: WireCauseFigures | null): readonly (number | undefined)[] {
  return [
    figures?.opened,
    figures?.openAtStart,
    figures?.closed,
    figures?.closedFromBefore,
    figures?.gone,
    figures?.open,
    figures?.large,
    figures?.members,
  ];
}

function told(report: WireReport): readonly string[] {
  return makeDocument(report).lead.map((text) => text.map((piece) => piece.text).join(''));
}

const start = october + 10 * day;

describe('a report counts causes', () => {
  it('one dead controller is one incident, however many objects it takes down, with those beside', async () => {
    const report = await reportOf([...deadController(start), away('lone', start + day, 1)]);
    expect(counts(report.figures.incidents)).toEqual([2, 0, 2, 0, 0, 0, 1, 7]);
    expect(report.figures.absences.opened).toBe(7);
    expect(told(report)[0]).toBe(
      '1 incident, of 2 of any size, took down 5 objects or more at once. Together they took an object away from git 7 times (a lost cluster counts as one).',
    );
    expect(report.incidents.worst[0]).toMatchObject({
      title: 'kustomize-controller on eu-west-3',
      worst: 'stale',
      most: { objects: 6, clusters: 1 },
      members: 6,
      lastedMs: 4 * hour,
      objectTimeMs: 6 * (4 * hour - minute),
    });
  });

  it('times are on the wall clock: from the first away to the last one back, however many there are', async () => {
    const [first, ...others] = deadController(start);
    if (first === undefined) throw new Error('it takes down something');
    const slow = { ...first, closedAt: start + 9 * hour };
    const { figures, distribution } = await reportOf([slow, ...others]);
    expect(figures.incidents?.toConverge).toMatchObject({ count: 1, medianMs: 9 * hour, longestMs: 9 * hour });
    expect(figures.incidents?.toNotice).toEqual({ count: 1, medianMs: minute, p95Ms: minute });
    expect(distribution.map(({ count }) => count)).toEqual([0, 0, 0, 0, 1, 0]);
  });

  it('a period that cuts one tells of it what lies in the period, and adds up', async () => {
    const cut = start + 2 * hour;
    const absences = deadController(start);
    const before = await reportOf(absences, between(start - hour, cut));
    const after = await reportOf(absences, between(cut, cut + day));
    expect(counts(before.figures.incidents)).toEqual([1, 0, 0, 0, 0, 1, 1, 6]);
    expect(counts(after.figures.incidents)).toEqual([0, 1, 1, 1, 0, 0, 1, 0]);
    const [early, late] = [before.incidents.worst[0], after.incidents.worst[0]];
    expect(early).toMatchObject({ closedAt: null, ended: null, lastedMs: 2 * hour });
    expect(late).toMatchObject({ id: early?.id, ended: 'converged', lastedMs: 4 * hour });
    expect([early?.objectTimeMs, late?.objectTimeMs]).toEqual([6 * (2 * hour - minute), 6 * 2 * hour]);
  });

  it('an end on the border of two periods belongs to the second', async () => {
    const border = start + 4 * hour;
    const absences = deadController(start);
    expect(counts((await reportOf(absences, between(start, border))).figures.incidents)).toEqual([
      1, 0, 0, 0, 0, 1, 1, 6,
    ]);
    expect(counts((await reportOf(absences, between(border, border + day))).figures.incidents)).toEqual([
      0, 1, 1, 1, 0, 0, 1, 0,
    ]);
  });

  it('what was learned after the period does not change its report', async () => {
    // It was silent, and nothing told why: that may have been its controller all along.
    const lone = away('lone', start, 30, { worst: 'stale', reason: 'NoPass' });
    const absences = [lone, ...deadController(start + hour, { closedAt: start + 31 * hour })];
    const later = [
      { place: 0, at: start + 20 * hour, fault: { worst: 'stale', reason: '', rootCause: controller } },
    ] as const;
    const period = between(start - hour, start + 10 * hour);
    const [then, now] = [await reportOf(absences, period), await reportOf(absences, period, later)];
    expect(now).toEqual(then);
    expect(now.figures.incidents?.open).toBe(2);
    const whole = await reportOf(absences, {}, later);
    expect([whole.figures.incidents?.opened, whole.incidents.worst[0]?.title]).toEqual([
      1,
      'kustomize-controller on eu-west-3',
    ]);
  });

  it('every way of ending adds up', async () => {
    const { incidents } = (
      await reportOf([
        away('old', october - 2 * day, 10 * 24),
        away('older', october - 3 * day, null),
        away('gone', start, 2, { ended: 'removed' }),
        away('lost', start, 3, { ended: 'forgotten' }),
        away('back', start, 4),
        away('still', start, null),
      ])
    ).figures;
    expect(counts(incidents)).toEqual([4, 2, 2, 1, 2, 2, 0, 4]);
  });

  it('stands beside the period before', async () => {
    const often = (many: number, from: number): readonly Absence[] =>
      Array.from({ length: many }, (_, index) => away(`a-${from}-${index}`, from + index * 3 * hour, 1));
    const report = await reportOf([...often(4, october + day), ...often(40, november + day)], {
      ...between(november, november + 30 * day),
      asOf: november + 31 * day,
    });
    expect(report.before?.figures.incidents?.opened).toBe(4);
    const row = makeDocument(report)
      .sections.find(({ id }) => id === 'figures')
      ?.table.rows.find(([label]) => label?.text === 'Incidents of any size');
    expect(row?.slice(1).map(({ text }) => text)).toEqual(['40', '4', 'worse']);
  });

  it('of a part of the fleet says that each is told whole', async () => {
    const scope = { ...everywhere, clusters: ['eu-west-3'], cluster: 'eu-west-3' };
    const other = away('app-9', start, 4, {
      ref: kustomization('stg-us', 'app-9'),
      worst: 'stale',
      reason: '',
      rootCause: controller,
    });
    const report = await reportOf([...deadController(start), other], { scope });
    expect(report.incidents.worst[0]?.most).toEqual({ objects: 7, clusters: 2 });
    expect(told(report)[1]).toMatch(/ Each is told whole, also what of it lies outside of this scope\.$/);
  });

  it('of names and reasons that are markup or formulas shows them as they are', async () => {
    const hostile = away('=HYPERLINK("x")<img src=x>', start, 1, { reason: '+1|"<script>"' });
    const report = await reportOf([hostile]);
    const csv = [...reportCsv(report)].join('');
    expect(csvRows(csv).find(({ section }) => section === 'longest incident')).toMatchObject({
      name: `'=HYPERLINK("x")<img src=x> on eu-west-3`,
      note: `'+1|"<script>"`,
    });
  });
});

describe('while stored history is still being made into incidents', () => {
  const upTo = october + 3 * day;
  const whole = recorded({ ...octoberHistory, absences: deadController(start) });
  const making: RecordReader = { ...whole, incidentsUpTo: async () => upTo };

  it('no number of them is told anywhere, and the report says up to when it has come', async () => {
    const report = WireReport.parse(await askReport(making, asked()));
    expect(report.made).toEqual({ upTo: '2026-10-04T00:00:00.000Z' });
    expect([report.figures.incidents, report.before?.figures.incidents]).toEqual([null, null]);
    expect([report.incidents, report.distribution]).toEqual([{ worst: [], longest: [] }, []]);
    const { worst, figures, sections } = makeDocument(report);
    expect(told(report)).toEqual([
      'How many incidents there were cannot be said yet: stored history is still being made into incidents, so far up to 4 Oct 2026 00:00 UTC.',
    ]);
    expect(worst).toBeNull();
    expect(figures.slice(0, 3).map(({ value, note }) => [value, note])).toEqual(
      Array.from({ length: 3 }, () => ['cannot be said', 'was cannot be said']),
    );
    expect(sections.map(({ id }) => id)).not.toContain('distribution');
    const rows = csvRows([...reportCsv(report)].join(''));
    const of = rows.filter(({ figure }) => /incident|time to (?:notice|converge)/.test(figure ?? ''));
    expect(of.length).toBeGreaterThan(10);
    for (const { value } of of) expect(value).toBe('');
  });

  it('all else is told', async () => {
    const [report, made] = [await askReport(making, asked()), await askReport(whole, asked())];
    expect(report.figures.wall).toEqual(made.figures.wall);
    expect(made.made).toBeNull();
  });
});

it('asks for the figures of a period once, and for no more incidents than it tells', async () => {
  const whole = recorded({ ...octoberHistory, absences: deadController(start) });
  const asking: string[] = [];
  const record: RecordReader = {
    ...whole,
    causeFigures: (...question) => {
      asking.push('figures');
      return whole.causeFigures(...question);
    },
    incidents: (question, page) => {
      asking.push(`${question.order} ${page.limit}`);
      return whole.incidents(question, page);
    },
  };
  await askReport(record, asked());
  expect(asking.toSorted()).toEqual(['figures', 'figures', 'longest 10', 'worst 5']);
});
