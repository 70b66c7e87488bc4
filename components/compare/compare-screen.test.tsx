import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { WireComparePage, WireComparison } from '#lib/api/git/compare.ts';
import { showPage } from '../testing/show-page.tsx';
import { wireCommitName } from '../testing/wire-commit.ts';
import { minutesAgo, wireFleetSummary } from '../testing/wire-fleet.ts';
import { AwaitedComparison } from './awaited-comparison.tsx';
import { compareParams } from './compare-params.ts';
import { CompareScreen } from './compare-screen.tsx';

const side = (path: string, exists = true) => ({ path, exists, commit: wireCommitName() });

function comparison(part: Partial<WireComparison> = {}): WireComparison {
  return {
    left: side('clusters/production'),
    right: side('clusters/staging'),
    counts: { equal: 4, different: 1, leftOnly: 1, rightOnly: 0 },
    asked: 2,
    files: [
      {
        path: 'web/values.yaml',
        status: 'different',
        content: 'text',
        objects: [
          { cluster: 'eu-1', name: 'web', kind: 'Kustomization', href: '/clusters/eu-1/web', verdict: 'diverged' },
        ],
        objectCount: 1,
      },
      { path: 'logo.png', status: 'left-only', content: 'binary', objects: null, objectCount: 0 },
    ],
    ...part,
  };
}

function page(part: Partial<WireComparePage> = {}): WireComparePage {
  return {
    asOf: minutesAgo(0),
    repositories: ['git.example.org/acme/control'],
    repository: 'git.example.org/acme/control',
    pairs: [
      {
        left: 'clusters/production',
        right: 'clusters/staging',
        configured: true,
        repository: 'git.example.org/acme/control',
      },
    ],
    morePairs: false,
    comparison: null,
    diff: null,
    reason: null,
    mirroredAt: minutesAgo(1),
    ...part,
  };
}

function show(of: WireComparePage, search = '') {
  const params = compareParams(Object.fromEntries(new URLSearchParams(search)));
  return showPage(<CompareScreen sent={{ params, page: of }} summary={wireFleetSummary()} />, {
    search,
    answer: () => of,
  });
}

const asked = '?left=clusters/production&right=clusters/staging';
const head = () => screen.getByRole('heading', { level: 1 }).textContent;
const linesOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent?.replace(/\s+/g, ' ').trim());

describe('the page to compare directories', () => {
  it('offers the pairs that are known, and says why each is one', () => {
    show(page());
    expect(head()).toBe('1 pair of directories can be compared.');
    const link = screen.getByRole('link', { name: 'clusters/production' });
    expect(link.getAttribute('href')).toContain('/compare?');
    expect(link.getAttribute('href')).toContain('left=clusters/production&right=clusters/staging');
    expect(screen.getByText('named in plumbline.yaml')).toBeDefined();
  });

  it('leads to the repository that a pair is of, and names it where it is another one', () => {
    const pair = { left: 'prod', right: 'stage', configured: true, repository: 'git.example.org/acme/charts' };
    show(page({ pairs: [pair] }));
    const link = screen.getByRole('link', { name: 'prod' });
    expect(link.getAttribute('href')).toContain('repository=git.example.org/acme/charts');
    expect(screen.getByText('named in plumbline.yaml, of git.example.org/acme/charts')).toBeDefined();
  });

  it('tells how pairs come to be where there are none', () => {
    show(page({ pairs: [] }));
    expect(head()).toBe('Compare two directories, or one at two commits.');
    expect(screen.getByText(/named in plumbline.yaml:/)).toBeDefined();
  });

  it('tells which files differ, and what is built from each', () => {
    show(page({ comparison: comparison() }), asked);
    expect(head()).toBe('clusters/production and clusters/staging at 9f31c07: 1 file differs, 1 only left, 4 equal.');
    expect(linesOf(screen.getByRole('table', { name: 'Files of both directories' }))).toEqual([
      'differentweb/values.yaml web on eu-1, diverged',
      'only leftlogo.png binarynot told',
    ]);
  });

  it('has every number lead to what it counts', () => {
    show(page({ comparison: comparison() }), asked);
    const choices = within(screen.getByRole('navigation', { name: 'Which files' })).getAllByRole('link');
    expect(choices.map((link) => [link.textContent, link.getAttribute('href')?.split('only=')[1] ?? ''])).toEqual([
      ['2 not equal', ''],
      ['1 different', 'different'],
      ['1 only left', 'left-only'],
      ['0 only right', 'right-only'],
      ['4 equal', 'equal'],
    ]);
  });

  it('shows lines with their marks, and not by colour alone', () => {
    const diff = {
      file: 'web/values.yaml',
      content: 'text' as const,
      cut: true,
      hunks: [
        {
          lines: [
            { type: 'same' as const, left: 1, right: 1, text: 'spec:' },
            { type: 'left' as const, left: 2, right: null, text: '  replicas: 3' },
            { type: 'right' as const, left: null, right: 2, text: '  replicas: 1' },
          ],
        },
      ],
    };
    show(page({ comparison: comparison(), diff }), `${asked}&file=web/values.yaml`);
    expect(linesOf(screen.getByRole('table', { name: 'Lines of web/values.yaml' }))).toEqual([
      '11 spec:',
      '2− only left: replicas: 3',
      '2+ only right: replicas: 1',
    ]);
    expect(screen.getByText(/There is more: the first 2,000 lines/)).toBeDefined();
  });

  it('says that a directory is not there, that not all is listed, and why something is not told', () => {
    const missing = comparison({ right: side('clusters/none', false), asked: 700 });
    show(page({ comparison: missing, reason: 'The mirror is from before.' }), asked);
    expect(head()).toBe('There is no clusters/none at 9f31c07.');
    expect(screen.getByText(/2 of 700 files are listed/)).toBeDefined();
    expect(screen.getByText('The mirror is from before.')).toBeDefined();
  });

  it('changes sides with the commits that they stand at', () => {
    show(page({ comparison: comparison() }), `${asked}&rightAt=v2`);
    const href = screen.getByRole('link', { name: 'Swap' }).getAttribute('href') ?? '';
    const query = Object.fromEntries(new URLSearchParams(href.split('?')[1]));
    expect(query).toEqual({
      left: 'clusters/staging',
      right: 'clusters/production',
      leftAt: 'v2',
      rightAt: wireCommitName().sha,
    });
  });
});

it('a comparison which git was too slow for comes once it has answered', async () => {
  const reason = 'Git has not answered yet.';
  showPage(<AwaitedComparison params={compareParams({})} reason={reason} summary={wireFleetSummary()} />, {
    answer: () => page({ comparison: comparison() }),
  });
  expect(screen.getByText(reason)).toBeTruthy();
  expect(await screen.findByRole('table', { name: 'Files of both directories' })).toBeTruthy();
});
