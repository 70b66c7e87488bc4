import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { WireCorrectionList } from '#lib/api/correction.ts';
import { showPage } from '../testing/show-page.tsx';
import { minutesAgo, wireFleetSummary } from '../testing/wire-fleet.ts';
import { wireCorrection, wireCorrections } from '../testing/wire-record.ts';
import { correctionParamsFrom } from './correction-filter.ts';
import { CorrectionsScreen } from './corrections-screen.tsx';

const web = { cluster: 'us-east-1', group: 'g', kind: 'Kustomization', namespace: 'flux-system', name: 'web' };
const ledger = wireCorrections([
  wireCorrection(),
  wireCorrection({ at: minutesAgo(1500), certainty: 'contested', count: 25 }),
  wireCorrection({
    ref: web,
    at: minutesAgo(3000),
    certainty: 'probable',
    count: 2,
    links: { self: '/clusters/us-east-1' },
  }),
]);

function showCorrections(list: WireCorrectionList, search = '') {
  const params = correctionParamsFrom(Object.fromEntries(new URLSearchParams(search)));
  return showPage(<CorrectionsScreen sent={{ params, list }} summary={wireFleetSummary()} />, {
    search,
    answer: () => list,
  });
}

function cells(name: string): (string | undefined)[][] {
  const table = screen.getByRole('table', { name });
  return within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent?.trim()));
}

describe('the ledger of corrections', () => {
  it('says how often drift was undone at least, on how many objects, and how sure that is', () => {
    showCorrections(ledger);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
      'Drift was found and undone at least 28 times, on 2 objects: 1 confirmed, 2 probable, 25 contested.',
    );
    expect(screen.getByText(/changed back again and again/)).toBeTruthy();
  });

  it('has every entry with what its reconciler said', () => {
    showCorrections(ledger);
    expect(cells('Drift that was found and undone, newest first')[1]).toEqual([
      '20 Nov 01:59:14 UTC',
      'checkout Kustomization in flux-system',
      'eu-west-3',
      'contested',
      'at least 25',
      'ConfigMap/shop/drifty configured',
    ]);
  });

  it('has the trend as bars and as a table, with the days on which nothing was', () => {
    showCorrections(ledger);
    expect(cells('Corrections a day')).toEqual([
      ['18 Nov', '0', '0', '0'],
      ['19 Nov', '0', '2', '0'],
      ['20 Nov', '0', '0', '25'],
      ['21 Nov', '1', '0', '0'],
    ]);
    const bars = document.querySelectorAll('.day-bars > span');
    expect([...bars].map((bar) => bar.querySelector<HTMLElement>('.contested')?.style.height)).toEqual([
      '0%',
      '0%',
      '100%',
      '0%',
    ]);
    const [, , third] = bars;
    if (third !== undefined) fireEvent.pointerEnter(third);
    expect(screen.getByText('20 Nov: at least 25 corrections, 25 contested')).toBeTruthy();
  });

  it('names what drifts most', () => {
    showCorrections(ledger);
    expect(cells('The objects that drift most').map(([object, count]) => [object, count])).toEqual([
      ['checkout Kustomization on eu-west-3', '26, 25 contested'],
      ['web Kustomization on us-east-1', '2'],
    ]);
  });

  it('is filtered by certainty in the URL', async () => {
    const { user, asked } = showCorrections(ledger);
    await user.selectOptions(screen.getByRole('combobox', { name: 'How sure' }), 'contested');
    await waitFor(() => expect(asked.at(-1)).toBe('/api/v1/corrections?certainty=contested&last=30d'));
  });

  it('says first that its figures are not only of the certainty that is asked for', () => {
    const { days, most } = wireCorrections([wireCorrection({ count: 7 })]);
    showCorrections(wireCorrections([], { days, most }), '?certainty=contested');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
      'Of every certainty: drift was found and undone at least 7 times, on 1 object: 7 confirmed.',
    );
    expect(screen.getByText(/^No contested correction of everything .*is recorded/)).toBeTruthy();
  });

  it('does not take silence for order', () => {
    showCorrections(wireCorrections([]));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('No drift was seen to be undone.');
    expect(screen.getByText(/That none was seen does not say that none was/)).toBeTruthy();
  });
});
