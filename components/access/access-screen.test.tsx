import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { showPage } from '../testing/show-page.tsx';
import { wireFleetSummary } from '../testing/wire-fleet.ts';
import { AccessScreen } from './access-screen.tsx';

it('says who looked at what, when and how it was answered', () => {
  const at = Date.parse('2026-11-21T02:00:00Z');
  const common = { at, method: 'GET', ms: 3, ahead: false } as const;
  const accesses = [
    { ...common, by: 'session', subject: 'https://id.example#ada', name: 'Ada', path: '/clusters/eu', status: 200 },
    {
      ...common,
      by: 'token',
      subject: 'token:0123456789ab',
      name: null,
      path: '/api/v1/clusters',
      status: 404,
      ahead: true,
    },
  ] as const;
  showPage(<AccessScreen summary={wireFleetSummary()} accesses={accesses} kept={7} />);
  const rows = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(rows).toEqual([
    '21 Nov 02:00:00 UTCAdaby loginGET /clusters/eu200 in 3 ms',
    '21 Nov 02:00:00 UTCtoken:0123456789abby tokenGET /api/v1/clusters404 in 3 ms, fetched ahead',
  ]);
  expect(screen.getByText(/The last 2 answers of 7 in the memory/)).toBeDefined();
});
