import { expect, it } from 'vitest';
import { makeDocument } from '#lib/report/make-document.ts';
import { csvRows } from '#test/referee/csv.ts';
import { askReport } from './ask-report.ts';
import { reportCsv } from './report-csv.ts';
import { day } from '#lib/domain/time/length.ts';
import { asked, checkout, mail, november, octoberHistory } from './testing/october.ts';
import { recorded } from './testing/recorded.ts';

/** A report in which the incidents of these objects began before Plumbline looked. */
async function reportWith(names: readonly string[], rest: Parameters<typeof asked>[0] = {}) {
  const absences = octoberHistory.absences.map((absence) => ({
    ...absence,
    bound: names.includes(absence.ref.name) ? ('at-least' as const) : absence.bound,
  }));
  return askReport(recorded({ ...octoberHistory, absences }), asked(rest));
}

const [short, long] = [mail.name, checkout.name];

it.each([
  ['neither', [], false, false],
  ['the longer one', [long], false, true],
  ['the shorter one', [short], true, true],
])('a median, a 95th and the longest are lower bounds where they may be higher: %s', async (_, names, median, p95) => {
  const { incidents, absences } = (await reportWith(names)).figures;
  expect(incidents?.toConverge).toMatchObject({ medianAtLeast: median, p95AtLeast: p95, longestAtLeast: p95 });
  expect(incidents?.toConvergeAtLeast).toBe(names.length);
  expect(absences.toConverge).toMatchObject({ medianAtLeast: median, p95AtLeast: p95 });
});

it('the sentence and the tables say "at least"', async () => {
  const { lead, sections } = makeDocument(await reportWith([short]));
  expect(lead.map((text) => text.map((piece) => piece.text).join(''))).toContain(
    '2 incidents opened; 2 of them closed. Median time to converge: at least 30 min, the longest: at least 10 h. Median time to notice: 30 s.',
  );
  const rows = sections.find(({ id }) => id === 'figures')?.table.rows.map((row) => row.map(({ text }) => text)) ?? [];
  const now = (label: string): string | undefined => rows.find(([name]) => name === label)?.[1];
  expect(now('Time to converge, median')).toBe('at least 30 min');
  expect(now('Time to converge, 95 of 100')).toBe('at least 10 h');
  expect(now('Time to converge, longest')).toBe('at least 10 h');
  expect(now('Time to notice, median')).toBe('30 s');
});

it('so does the figure of the period before, and neither is better', async () => {
  const period = { from: november, to: november + 30 * day, end: november + 30 * day };
  const { sections } = makeDocument(await reportWith([short], { period, asOf: november + 31 * day }));
  const rows = sections.find(({ id }) => id === 'figures')?.table.rows.map((row) => row.map(({ text }) => text)) ?? [];
  expect(rows.find(([name]) => name === 'Time to converge, median')).toEqual([
    'Time to converge, median',
    'none',
    'at least 30 min',
    '',
  ]);
});

it('the CSV notes it beside the value', async () => {
  const period = { from: november, to: november + 30 * day, end: november + 30 * day };
  const later = await reportWith([short], { period, asOf: november + 31 * day });
  const note = (csv: string): string | undefined =>
    csvRows(csv).find(({ figure }) => figure === 'time to converge, median')?.['note'];
  expect(note([...reportCsv(await reportWith([short]))].join(''))).toBe('value: at least');
  expect(note([...reportCsv(await reportWith([long]))].join(''))).toBe('');
  expect(note([...reportCsv(later)].join(''))).toBe('before: at least');
  const figures = later.before?.figures ?? later.figures;
  expect(note([...reportCsv({ ...later, figures })].join(''))).toBe('value and before: at least');
});
