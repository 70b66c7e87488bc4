import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { WireCommitArrivals } from '#lib/api/git/commit-arrivals.ts';
import { showPage } from '../testing/show-page.tsx';
import { wireCommitName } from '../testing/wire-commit.ts';
import { wireFleetSummary } from '../testing/wire-fleet.ts';
import { CommitThen } from './commit-then.tsx';
import { CommitsThen } from './commits-then.tsx';

const at = '2026-11-21T01:00:00Z';
const moment = { at, previous: null, next: null };
const summary = wireFleetSummary();
const none = { offeredAt: null, firstAt: null, lastAt: null, notKnown: null };

function answer(part: Partial<WireCommitArrivals> = {}): WireCommitArrivals {
  const arrived = {
    offeredAt: '2026-11-21T00:40:00.000Z',
    firstAt: '2026-11-21T00:41:00.000Z',
    lastAt: null,
    notKnown: null,
  };
  return {
    asOf: '2026-11-21T01:00:00.000Z',
    commit: wireCommitName(),
    isLater: false,
    clusters: [
      { cluster: 'eu', ...arrived },
      { cluster: 'us', ...none },
    ],
    ...part,
  };
}

function show(of: WireCommitArrivals) {
  showPage(<CommitThen digits={of.commit.sha} moment={moment} sent={{ answer: of }} summary={summary} />);
  return document.querySelector('.say')?.textContent;
}

it('tells where the arrival of a commit was recorded by then, and that no more is told', () => {
  expect(show(answer())).toBe('By then its arrival was recorded on 1 of 2 clusters.');
  const rows = within(screen.getByRole('table', { name: 'Arrivals by cluster' })).getAllByRole('row');
  expect(rows[1]?.textContent).toContain('others followed, or that is not known');
  expect(rows[2]?.textContent).toBe('usnot recordednot recordednot recorded');
  expect(screen.getByText(/on its way, superseded or stuck then is not told/)).toBeTruthy();
});

it('leads to its clusters at the same moment, and to where it is now', () => {
  show(answer());
  expect(screen.getByRole('link', { name: 'eu' }).getAttribute('href')).toBe(`/clusters/eu?at=${at}`);
  expect(screen.getByRole('link', { name: 'Where it is now' }).getAttribute('href')).not.toContain('at=');
});

it.each([
  [{ isLater: true }, 'It is dated later than this moment.'],
  [{ clusters: [] }, 'No object of its repository is known of then.'],
  [{ clusters: [{ cluster: 'us', ...none }] }, 'By then no arrival of it was recorded on any of 1 cluster.'],
  [
    { clusters: [{ cluster: 'us', ...none, notKnown: 'part-of-cluster' as const }] },
    'On 1 cluster its arrival is not known in your view: you see some namespaces there, and arrivals are kept for whole clusters.',
  ],
  [
    {
      clusters: [
        { cluster: 'eu', ...none },
        { cluster: 'us', ...none, notKnown: 'not-read' as const },
      ],
    },
    'By then no arrival of it was recorded on any of 1 cluster. On 1 cluster its arrival is not known: record or mirror cannot tell it.',
  ],
])('says of %j: %s', (part, sentence) => {
  expect(show(answer(part))).toBe(sentence);
});

it('says that git is late, and comes once it has answered', async () => {
  const reason = 'Git has not answered yet.';
  const page = answer();
  showPage(<CommitThen digits="9f31c07" moment={moment} sent={{ answer: null, reason }} summary={summary} />, {
    answer: () => page,
  });
  expect(screen.getByText(reason)).toBeTruthy();
  expect(await screen.findByRole('heading', { name: page.commit.subject })).toBeTruthy();
});

it('the list of commits of then is not told, and that of now not shown in its place', () => {
  showPage(<CommitsThen summary={summary} moment={moment} />);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('is not told');
  expect(screen.getByRole('link', { name: 'The commits of now' }).getAttribute('href')).toBe('/commits');
});
