import { describe, expect, it } from 'vitest';
import { wireReport } from '#components/testing/wire-report.ts';
import type { WireAlarmFigures } from '#lib/api/alarm/report-alarms.ts';
import type { WireReport } from '#lib/api/report.ts';
import { makeDocument } from '#lib/report/make-document.ts';
import { hour, minute } from '#lib/domain/time/length.ts';
import { csvRows } from '#test/referee/csv.ts';
import { reportCsv } from './report-csv.ts';

type Told = Extract<WireAlarmFigures, { said: 'told' }>;

const quiet: Told = {
  said: 'told',
  ...{ calledMs: 2 * hour, silentMs: 0, unknownMs: 0 },
  overdue: { inTime: 3, late: 0, never: 0, unknown: 0 },
  toCall: { count: 3, medianMs: 4 * minute, p95Ms: 6 * minute },
  toCallAtMost: 0,
  ...{ calls: 3, withoutAbsence: 0, alerts: [], alertsTotal: 0, unlooked: [] },
};

function report(alarms: WireAlarmFigures, rest: Partial<WireReport> = {}): WireReport {
  const made = wireReport();
  return { ...made, ...rest, figures: { ...made.figures, alarms } };
}

function wordsOf(of: WireReport): { readonly lead: string; readonly times: string } {
  const { lead, times } = makeDocument(of);
  const text = (texts: typeof lead): string => texts.map((pieces) => pieces.map((one) => one.text).join('')).join(' ');
  return { lead: text(lead), times: text(times) };
}

function rowsOf(of: WireReport): ReadonlyMap<string, string | undefined> {
  const figures = makeDocument(of).sections.find(({ id }) => id === 'figures');
  return new Map(figures?.table.rows.map(([label, value]) => [label?.text.trim() ?? '', value?.text]));
}

describe('what a report says of alarms', () => {
  it('that nobody was called is said before anything else', () => {
    const { lead } = wordsOf(wireReport());
    expect(lead).toMatch(
      /^For 0\.5 object-hours past the alarm deadline of 15 min, nobody was called. 1 absence was never called for and 2 were called for late\. /,
    );
    expect(wordsOf(report(quiet)).lead).not.toContain('obody was called');
  });

  it('how much of the time past the deadline somebody was called for, how soon, and for what was not away', () => {
    const { times } = wordsOf(wireReport());
    expect(times).toContain(
      'when an alarm should sound: 2 object-hours, 0.5 object-hours with nobody called, 1 object-hour with somebody called and 0.5 object-hours of which it is not known.',
    );
    expect(times).toContain(
      'Of 9 absences past the deadline 1 was never called for, 2 were called for late, 5 were called for in time and 1 was',
    );
    expect(times).toContain(
      'Median time to alarm: 4 min, 95 of 100 within 20 min. Of 1 absence the time to alarm is not known exactly: somebody may have been called before the first call that is known. 9 calls began in the period, 2 of them for an object that was not away.',
    );
    expect(wordsOf(report(quiet)).times).toContain('2 object-hours, all of it with somebody called.');
    expect(wordsOf(report(quiet)).times).not.toContain('not known exactly');
    const none = { ...quiet, toCall: { count: 0, medianMs: null, p95Ms: null }, toCallAtMost: 3 };
    expect(wordsOf(report(none)).times).toContain('Of 3 absences the time to alarm is not known exactly: somebody');
  });

  it('nothing where no source was read, and why', () => {
    const of = report({ said: 'cannot-be-said', why: 'no-source-read' });
    const { lead, times } = wordsOf(of);
    expect(lead).not.toContain('called');
    expect(times).toContain('Whether one did cannot be said: no alarm source was read in this period.');
    expect(makeDocument(of).sections.map(({ id }) => id)).not.toContain('alerts');
    expect(rowsOf(of).get('Calls')).toBe('cannot be said');
  });

  it('every figure has its row, and leads to what it counts', () => {
    const rows = rowsOf(wireReport());
    expect(
      ['of it with nobody called', 'never called for', 'called for late', 'Calls'].map((name) => rows.get(name)),
    ).toEqual(['0.5 object-hours', '1', '2', '9']);
    const table = makeDocument(wireReport()).sections.find(({ id }) => id === 'figures')?.table.rows ?? [];
    const never = table.find(([label]) => label?.text.trim() === 'never called for')?.[1]?.href;
    expect(never).toContain('/absences?');
    expect(never).toContain('called=never');
    expect(rowsOf(report({ ...quiet, withoutAbsence: null })).get('for an object that was not away')).toBe(
      'cannot be said',
    );
  });

  it('of which source the calls are not read, and so what is not known', () => {
    const loud = { ...quiet, withoutAbsence: null, unlooked: [{ source: 'stg', calls: 500_000 }] };
    expect(wordsOf(report(loud)).times).toContain(
      'Source stg made 500,000 calls in the time of this report and of what was away in it; at most 200,000 of all sources together are read, those of the loudest last. Who was called by it is not known.',
    );
    const more = { ...loud, unlooked: [...loud.unlooked, { source: 'dev', calls: null }] };
    expect(wordsOf(report(more)).times).toContain(
      'Sources stg (500,000 calls) and dev made more calls in the time of this report and of what was away in it than are read, at most 200,000 of all sources together, those of the loudest last. Who was called by them is not known.',
    );
    expect(wordsOf(report(quiet)).times).not.toContain('are read');
    const lines = csvRows([...reportCsv(report(more))].join('')).filter(({ section }) => section === 'source not read');
    expect(lines.map(({ name, figure, value, unit }) => [name, figure, value, unit])).toEqual([
      ['stg', 'calls that are not read', '500000', 'count'],
      ['dev', 'calls that are not read', '', 'count'],
    ]);
  });

  it('which rules that are loaded now called nobody, and when they fired last', () => {
    const rules = {
      loaded: 12,
      calledNobody: [
        { source: 'monitoring', rule: 'FluxSuspended', firedAt: null },
        { source: 'monitoring', rule: 'Drifted', firedAt: '2026-10-05T10:00:00.000Z' },
      ],
      calledNobodyTotal: 2,
      unread: ['stg-ap'],
    };
    const of = report(quiet, { rules });
    expect(wordsOf(of).times).toContain(
      'Of the 12 rules that are loaded now and read objects of the fleet, 2 called nobody.',
    );
    const section = makeDocument(of).sections.find(({ id }) => id === 'rules');
    expect(section?.note).toContain('of the 12 rules that are loaded now');
    expect(section?.note).toContain('not known of stg-ap');
    expect(section?.table.rows.map((cells) => cells.map(({ text }) => text))).toEqual([
      ['FluxSuspended', 'monitoring', 'never seen to fire'],
      ['Drifted', 'monitoring', expect.stringContaining('10:00')],
    ]);
    const lines = csvRows([...reportCsv(of)].join('')).filter(({ section: name }) => name?.startsWith('rule'));
    expect(lines.map(({ name, figure, value, note }) => [name, figure, value, note])).toEqual([
      ['', 'rules loaded now that read objects', '12', 'not known of stg-ap'],
      ['', 'rules loaded now that called nobody', '2', 'not known of stg-ap'],
      ['FluxSuspended', 'calls of the rule', '0', 'monitoring'],
      ['Drifted', 'calls of the rule', '0', 'monitoring'],
    ]);
  });
});
