import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { WireAbsenceList } from '#lib/api/absence.ts';
import { showPage } from '../testing/show-page.tsx';
import { minutesAgo, wireFleetSummary } from '../testing/wire-fleet.ts';
import { wireAbsence, wireAbsences } from '../testing/wire-record.ts';
import { absenceParamsFrom } from './absence-filter.ts';
import { AbsenceDetail } from './absence-section.tsx';
import { AbsencesScreen } from './absences-screen.tsx';

const over = wireAbsence({
  ref: { cluster: 'stg-edge', group: 'g', kind: 'Kustomization', namespace: 'flux-system', name: 'policy' },
  openedAt: minutesAgo(300),
  bound: 'at-least',
  closedAt: minutesAgo(280),
  ended: 'converged',
  worst: 'stale',
  reason: 'ControllerDead',
  cause: {
    type: 'controller',
    cluster: 'stg-edge',
    group: '',
    kind: '',
    namespace: 'flux-system',
    name: 'kustomize-controller',
    title: 'kustomize-controller on stg-edge',
    href: '/clusters/stg-edge',
  },
  range: null,
  alarm: null,
  alarmUnknown: null,
});

function showAbsences(list: WireAbsenceList, search = '') {
  const params = absenceParamsFrom(Object.fromEntries(new URLSearchParams(search)));
  return showPage(<AbsencesScreen sent={{ params, list }} summary={wireFleetSummary()} />, {
    search,
    answer: () => list,
  });
}

const rows = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent?.trim()));

describe('absences', () => {
  it('say what the period comes to, then each: worst, object, since when, for how long, why, commits, who was called', () => {
    showAbsences(wireAbsences([wireAbsence(), over]));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
      '2 times an object left git; 1 of them came back; 1 was still away at the end. The one that came back was away for 14 min.',
    );
    expect(rows()).toEqual([
      [
        'Diverged',
        'checkout Kustomization in flux-system',
        'eu-west-3',
        '21 Nov 02:12:14 UTC',
        '47 min, ongoing',
        'BuildFailed',
        'worked at 2d81e55, first failed at 9f31c07, at least 1 between',
        'alarm not known',
      ],
      [
        'Stale',
        'policy Kustomization in flux-system',
        'stg-edge',
        'before 20 Nov 21:59:14 UTC',
        'at least 20 min',
        'ControllerDead, because of kustomize-controller on stg-edge',
        '',
        'alarm not known',
      ],
    ]);
  });

  it.each([
    [[wireAbsence(), over], 'Paging status unknown: no alert source is configured.'],
    [[over], 'Whether anybody was called is not told of what has ended.'],
  ])('say once why it is not known who was called', (list, words) => {
    showAbsences(wireAbsences(list));
    expect(screen.getByText(words)).toBeTruthy();
  });

  it('lead to the object, to its timeline around the absence, and to the cause', () => {
    showAbsences(wireAbsences([over]));
    const row = screen.getByRole('row', { name: /policy/ });
    expect(
      within(row)
        .getAllByRole('link')
        .map((link) => link.getAttribute('href')),
    ).toEqual([over.links.self, '/clusters/stg-edge', over.links.history, '/clusters/stg-edge']);
  });

  it('are filtered in the URL, and the file has the same', async () => {
    const { user, asked, urls } = showAbsences(wireAbsences([over]), '?cluster=stg-edge');
    await user.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'ended');
    await waitFor(() => expect(asked.at(-1)).toBe('/api/v1/absences?cluster=stg-edge&open=false&last=7d'));
    expect(urls.at(-1)).toBe('?cluster=stg-edge&open=false');
    expect(screen.getByRole('link', { name: 'All as CSV' }).getAttribute('href')).toBe(
      '/api/v1/absences?cluster=stg-edge&open=false&last=7d&format=csv',
    );
    await user.click(screen.getByRole('button', { name: '30 d' }));
    await waitFor(() => expect(asked.at(-1)).toContain('open=false&last=30d'));
  });

  it('keep scope and period from one page of the record to the other', () => {
    showAbsences(wireAbsences([over]), '?cluster=stg-edge&last=30d&open=true');
    const tabs = screen.getByRole('navigation', { name: 'The record' });
    expect(
      within(tabs)
        .getAllByRole('link')
        .map((link) => link.getAttribute('href')),
    ).toEqual([
      '/history?cluster=stg-edge&last=30d',
      '/absences?cluster=stg-edge&last=30d',
      '/changes?cluster=stg-edge&last=30d',
      '/corrections?cluster=stg-edge&last=30d',
    ]);
  });

  it.each([
    [wireAbsences([]), 'No object was seen to leave git.', /^No absence of everything/],
    [wireAbsences([], { recordedSince: null }), 'No object was seen to leave git.', /Nothing is recorded/],
    [wireAbsences([], { recordedSince: minutesAgo(60) }), /./, /The record begins at 21 Nov 01:59:14 UTC/],
  ])('say so where there is none', (list, sentence, text) => {
    showAbsences(list);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(sentence);
    expect(screen.getByText(text)).toBeTruthy();
  });

  it('that left before the period, or were removed in it, are in the sentence too', () => {
    const figures = { opened: 0, openAtStart: 4, closed: 3, closedFromBefore: 3, gone: 1, open: 0 };
    const median = { medianToConverge: 840_000, medianToConvergeAtLeast: false };
    showAbsences(wireAbsences([over], { figures: { ...figures, ...median } }));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
      'No more objects left git; 3 of the 4 that had left before the period came back; 1 was removed, or is not watched any more. Median time away of those that came back: 14 min.',
    );
  });

  it.each([
    [1, 'Once an object left git; 1 came back. The one that came back was away for at least 14 min.'],
    [2, '2 times an object left git; 2 of them came back. Median time away of those that came back: at least 14 min.'],
  ])('say "at least" of a median that may be longer: of %s', (count, sentence) => {
    const list = wireAbsences(Array.from({ length: count }, () => over));
    showAbsences({ ...list, figures: { ...list.figures, medianToConvergeAtLeast: true } });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(sentence);
  });

  it.each(['?verdict=stale', '?open=true', '?verdict=stale&open=false'])(
    'say first that their figures are not only of %s',
    (search) => {
      showAbsences(wireAbsences([], { figures: wireAbsences([wireAbsence(), over]).figures }), search);
      expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
        'Of every verdict, ongoing or ended: 2 times an object left git; 1 of them came back; 1 was still away at the end. The one that came back was away for 14 min.',
      );
      expect(screen.getByText(/^No absence of everything .*matches in this period/)).toBeTruthy();
    },
  );

  it('say so too where nothing left at all', () => {
    showAbsences(wireAbsences([]), '?open=true');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
      'Of every verdict, ongoing or ended: no object was seen to leave git.',
    );
  });

  it('stand on the page of an object without its name, and lead to all of them', () => {
    const params = { cluster: 'stg-edge', name: 'policy', last: '90d', limit: '5' };
    showPage(<AbsenceDetail sent={{ params, list: wireAbsences([over]) }} />);
    expect(rows()[0]?.[1]).toBe('before 20 Nov 21:59:14 UTC');
    expect(screen.getByRole('link', { name: 'All of them, with a file' }).getAttribute('href')).toBe(
      '/absences?cluster=stg-edge&name=policy&last=90d',
    );
  });
});
