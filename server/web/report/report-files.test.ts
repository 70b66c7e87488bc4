import { describe, expect, it } from 'vitest';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { makeDocument } from '#lib/report/make-document.ts';
import { reportHtml } from '#lib/draw/report/report-html.ts';
import { reportMarkdown } from '#lib/draw/report/report-markdown.ts';
import { csvRows } from '#test/referee/csv.ts';
import { askReport } from './ask-report.ts';
import { reportCsv } from './report-csv.ts';
import { reportFile } from './report-file.ts';
import { asked, octoberHistory } from './testing/october.ts';
import { recorded } from './testing/recorded.ts';

const origin = 'https://plumbline.example.org';
const report = await askReport(recorded(octoberHistory), asked({ simulated: true }));
const document = makeDocument(report);

it.each([
  ['json', 'application/json; charset=utf-8'],
  ['csv', 'text/csv; charset=utf-8'],
  ['md', 'text/markdown; charset=utf-8'],
  ['html', 'text/html; charset=utf-8'],
] as const)('a file of %s is %s, called after its period', (format, type) => {
  const { lines, ...file } = reportFile(report, format, origin);
  expect(file).toEqual({ type, name: `drift-report-2026-10-01-to-2026-11-01.${format}` });
  const texts = {
    json: `${JSON.stringify(report)}\n`,
    csv: [...reportCsv(report)].join(''),
    md: reportMarkdown(document, origin),
    html: reportHtml(report, document, origin),
  };
  expect([...lines].join('')).toBe(texts[format]);
});

describe('the HTML file', () => {
  const html = reportHtml(report, document, origin);

  it('needs nothing else, and can run nothing', () => {
    expect(html).not.toMatch(/<script|<link|<img|<iframe|@import|url\((?!#)|\son\w+=/i);
    expect(html).toContain(`default-src 'none';style-src 'unsafe-inline'`);
  });

  it('has a rule of its style for each verdict', () => {
    const rules = verdicts.map((verdict) => `.v-${verdict}{color:var(--${verdict})}`);
    expect(
      html
        .match(/^\.v-.*$/m)?.[0]
        .match(/[^}]*\}/g)
        ?.toSorted(),
    ).toEqual(rules.toSorted());
  });

  it('shows names as they are, never as markup', () => {
    expect(html).toContain('&lt;b&gt;helm&lt;/b&gt;-controller on stg-us');
    expect(html).not.toContain('<b>helm');
  });

  it('carries its time, period, scope, what was observed, its address, its version, and that it is simulated', () => {
    const footer = /<footer>.*<\/footer>/s.exec(html)?.[0] ?? '';
    for (const text of [
      'As of 2 Nov 2026 00:00 UTC',
      'October 2026',
      'all clusters',
      'observed: 99.66 % of the object time',
      'by Plumbline 1.2.3',
      'of a simulated fleet',
      `${origin}/reports?from=2026-10-01T00:00:00.000Z&amp;to=2026-11-01T00:00:00.000Z`,
    ])
      expect(footer).toContain(text);
    expect(html).toContain('The fleet and its history are simulated');
  });

  it('has both pictures, each with its table', () => {
    expect(html.match(/<svg [^>]*class="chart"/g)).toHaveLength(2);
    expect(html.match(/<details>/g)).toHaveLength(2);
  });

  it('every anchor leads to something in the file', () => {
    const anchors = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(anchors.length).toBeGreaterThan(0);
    for (const id of anchors) expect(html).toContain(`<section id="${id}">`);
  });

  it('without a known address links only within itself', () => {
    expect(reportHtml(report, document, null)).not.toMatch(/href="(?!#)/);
  });
});

describe('the Markdown file', () => {
  it.each<[string, string, string]>([
    [
      'a link by itself',
      'see https://evil.example or www.evil.example',
      'see https\\://evil.example or www\\.evil.example',
    ],
    ['an image', '![x](//evil.example/a.png)', '\\!\\[x\\](//evil.example/a.png)'],
    ['an address of mail, a person, a formula', 'a@b.example $x$', 'a\\@b.example \\$x\\$'],
    ['a list', '- item', '\\- item'],
    ['a list of numbers', '1. item', '1\\. item'],
    ['a rule', '---', '\\---'],
    ['a heading on the next line', 'a\n# b\n===', 'a \\# b ==='],
    ['what steers a terminal', 'a\u001B[2Jb\u009Bc\u202Ed', 'a\\\\u\\{1b\\}\\[2Jb\\\\u\\{9b\\}c\\\\u\\{202e\\}d'],
  ])('shows %s as it is written', (_what, words, shown) => {
    expect(reportMarkdown({ ...document, subtitle: words }, origin).split('\n')[2]).toBe(shown);
  });

  it('has the sentences, with links, and tables that hold whatever stands in them', () => {
    const text = reportMarkdown(document, origin);
    expect(text).toContain('# Drift report, October 2026');
    expect(text).toMatch(
      /for \*\*\[98\.28 %\]\(https:\/\/plumbline\.example\.org\/reports\/spans\?[^)]*verdict=converged\)\*\* of the object time/,
    );
    expect(text).toContain('\\<b\\>helm\\</b\\>-controller on stg-us');
    for (const block of text.split('\n\n').filter((each) => each.startsWith('| '))) {
      const widths = block.split('\n').map((line) => line.replaceAll('\\|', '').split('|').length);
      expect(new Set(widths).size).toBe(1);
    }
  });

  it('has no link where it is not known where Plumbline is', () => {
    expect(reportMarkdown(document, null)).not.toMatch(/\]\(|https?:/);
  });
});

describe('the CSV file', () => {
  const lines = [...reportCsv(report)].join('').trimEnd().split('\r\n');

  it('has one figure a line, all of one width', () => {
    expect(lines[0]).toBe(
      'section,cluster,group,kind,namespace,name,at,to,figure,value,unit,before,note,incident,' +
        'suspect,suspectCommit,suspectSubject,suspectAuthor,pullRequest,owners',
    );
    const widths = new Set(lines.slice(1).map((line) => line.replaceAll(/"(?:[^"]|"")*"/g, 'x').split(',').length));
    expect([...widths]).toEqual([20]);
  });

  it('a name has one unit, and stands once of the same', () => {
    const rows = csvRows([...reportCsv(report)].join(''));
    const units = Map.groupBy(rows, ({ figure = '' }) => figure);
    for (const [figure, of] of units) expect([figure, new Set(of.map(({ unit }) => unit)).size]).toEqual([figure, 1]);
    const names = rows.map(({ value: _value, before: _before, note: _note, ...of }) => JSON.stringify(of));
    expect(new Set(names).size).toBe(names.length);
  });

  it('keeps the names and units of the figures of the whole period: scripts read them', () => {
    const rows = csvRows([...reportCsv(report)].join('')).filter(({ section }) => section === 'summary');
    const named = Map.groupBy(rows, ({ unit = '' }) => unit);
    const names = (unit: string): string => (named.get(unit) ?? []).map(({ figure }) => figure).join('; ');
    expect(names('ms')).toBe(
      'time to notice, median; time to notice, 95 of 100; time to converge, median; time to converge, 95 of 100; time to converge, longest; time away; time observed; time away of the median cluster; time to alarm, median; time to alarm, 95 of 100; commit to running, median; commit to running, 95 of 100',
    );
    expect(names('share')).toBe(
      'share of the period away; share of object time converged; share of object time observed',
    );
    expect(names('count')).toBe(
      'incidents of 5 objects or more at once; incidents opened; incidents open at the start; incidents closed; incidents closed that were open at the start; incidents ended otherwise; incidents open at the end; members of incidents opened; clusters observed; clusters never away; objects; declared stacks, never observed; absences opened; absences open at the start; absences converged; absences converged that were open at the start; absences ended otherwise; absences open at the end; absences past the alarm deadline, called in time; absences past the alarm deadline, called late; absences past the alarm deadline, never called; absences past the alarm deadline, not known if called; times to alarm; times to alarm not known exactly; calls; calls without an absence; alerts that called; commits arrived; corrections, confirmed, at least; corrections, probable, at least; corrections, contested, at least; exemptions opened; exemptions closed; times suspended; times resumed',
    );
  });

  it('says what the report says', () => {
    const { figures } = report;
    const found = (start: string): string => lines.find((line) => line.startsWith(start)) ?? '';
    expect(found('summary,,,,,,,,share of object time converged')).toBe(
      `summary,,,,,,,,share of object time converged,${figures.convergedShare},share,1,,,,,,,,`,
    );
    const days = lines
      .filter((line) => /^day,.*,object time converged,/.test(line))
      .map((line) => Number(line.split(',')[9]));
    expect(days.reduce((sum, value) => sum + value, 0)).toBe(figures.convergedMs);
  });

  it('what cannot be said is empty, with the reason; what a spreadsheet would run is kept from it', async () => {
    expect(lines.find((line) => line.includes('nobody called'))).toBe(
      'summary,,,,,,,,"object time past the alarm deadline, nobody called",,object-ms,,no-source-read,,,,,,,',
    );
    const [absence] = octoberHistory.absences;
    if (!absence) throw new Error('October has an absence');
    const name = '@SUM(1+1)*cmd';
    const hostile = recorded({
      ...octoberHistory,
      absences: [{ ...absence, ref: { ...absence.ref, name }, reason: '=cmd|"/c calc"!A1' }],
    });
    const csv = [...reportCsv(await askReport(hostile, asked()))].join('');
    expect(csv).toContain(`"'=cmd|""/c calc""!A1"`);
    expect(csv).toContain(`,'${name} on eu-west-3,`);
    expect(csv).not.toMatch(/(?:^|,)"?[=@+]/m);
  });
});
