import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { pushed, wentBack } from '../testing/router.ts';
import { showPage } from '../testing/show-page.tsx';
import { wireFleetSummary } from '../testing/wire-fleet.ts';
import { wireObjectPage } from '../testing/wire-object.ts';
import { wireRecordOf } from '../testing/wire-record.ts';
import { ObjectScreen } from './object-screen.tsx';

const neighbours = { previous: '/clusters/a/b/c/d/worse', next: '/clusters/a/b/c/d/better' };

it.each([
  [']', neighbours.next],
  ['[', neighbours.previous],
])('%s leads to the deviation beside it', async (key, path) => {
  const page = wireObjectPage();
  const { asked, user } = showPage(
    <ObjectScreen page={page} summary={wireFleetSummary()} moment={null} record={wireRecordOf(page.object)} />,
    { answer: (url) => (url.startsWith('/api/v1/neighbours') ? neighbours : page) },
  );
  await user.keyboard(key === '[' ? '[[' : key);
  await waitFor(() => expect(pushed).toHaveBeenLastCalledWith(path));
  expect(asked.filter((url) => url.startsWith('/api/v1/neighbours?'))[0]).toContain(`name=${page.object.name}`);
});

it('Esc leads to the cluster where no page of ours was left for this one, at the moment that is shown', async () => {
  const page = wireObjectPage();
  const moment = { at: '2026-11-21T01:12:00Z', previous: null, next: null };
  const { user } = showPage(
    <ObjectScreen page={page} summary={wireFleetSummary()} moment={moment} record={wireRecordOf(page.object)} />,
    { answer: () => page },
  );
  await user.keyboard('{Escape}');
  expect(wentBack).not.toHaveBeenCalled();
  expect(pushed).toHaveBeenLastCalledWith(`/clusters/${page.object.cluster}?at=2026-11-21T01:12:00Z`);
});

it('says of the past what is not kept, instead of nothing', () => {
  const page = wireObjectPage({ conditions: [], evidence: [] });
  const moment = { at: '2026-11-21T01:12:00Z', previous: null, next: null };
  showPage(
    <ObjectScreen page={page} summary={wireFleetSummary()} moment={moment} record={wireRecordOf(page.object)} />,
    {
      answer: () => page,
    },
  );
  const text = (name: RegExp) => screen.getByRole('region', { name }).textContent;
  expect(text(/^Evidence/)).toContain('not kept');
  expect(text(/^What the reconciler says/)).toContain('Its conditions of then are not kept');
  expect(text(/^Weakens the guarantee/)).toContain('not kept');
  expect(text(/^Alarm/)).toContain('not kept');
  expect(screen.queryByRole('region', { name: /^Look closer/ })).toBeNull();
});
