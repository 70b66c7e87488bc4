import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { showPage } from '../testing/show-page.tsx';
import { wireFleetSummary } from '../testing/wire-fleet.ts';
import { NotThereScreen } from './not-there-screen.tsx';

it('says what is not there, and leads to what may have been meant', () => {
  const names = [
    { parameter: 'cluster' as const, value: 'eu-wst-3', nearest: ['eu-west-3'] },
    { parameter: 'kind' as const, value: 'Nope', nearest: [] },
    { parameter: 'by' as const, value: 'nobody', nearest: [] },
  ];
  showPage(<NotThereScreen title="Absences" tab="history" names={names} summary={wireFleetSummary()} />);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
    'There is no cluster eu-wst-3. No object of kind Nope is known. No manager named nobody is known.',
  );
  expect(screen.getByRole('link', { name: 'eu-west-3' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Without kind Nope' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Without manager nobody' })).toBeTruthy();
  expect(document.title).toBe('Absences · Plumbline');
});

it('says so much of ten names, and how many more there are', () => {
  const names = Array.from({ length: 1_500 }, (_, index) => ({
    parameter: 'cluster' as const,
    value: `c${index}x`,
    nearest: [],
  }));
  showPage(<NotThereScreen title="Absences" tab="history" names={names} summary={wireFleetSummary()} />);
  const said = screen.getByRole('heading', { level: 1 }).textContent;
  expect(said).toMatch(/There is no cluster c9x\. So it is with 1490 more of the names that were asked for\.$/);
  expect(screen.getAllByRole('link', { name: /^Without cluster/ })).toHaveLength(10);
});
