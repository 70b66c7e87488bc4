import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { showPage } from '../testing/show-page.tsx';
import { unknownLag, wireLag, wireLags } from '../testing/wire-lag.ts';
import { LagSection } from './lag-section.tsx';

const repository = 'git.example.org/acme/control';

describe('what a cluster has not got', () => {
  it('is told object by object, the furthest behind first; what is not known is counted with why, and shown when asked for', async () => {
    const list = wireLags([
      wireLag('shop'),
      wireLag('mail', unknownLag),
      wireLag('web', { touching: 0, oldest: null }),
    ]);
    const { user } = showPage(<LagSection cluster="eu-west-3" />, { lags: list });
    await screen.findByRole('region', { name: /^Commits that have not arrived/ });
    expect(screen.getByText(/^Commits that touch/).textContent).toBe(
      'Commits that touch 1 of 2 objects with a path wait. Of 1 other it is not known: the mirror is older than what its source offers.',
    );
    const names = () => screen.getAllByRole('rowheader').map((row) => row.textContent?.split(' ')[0]);
    expect(names()).toEqual(['shop']);
    await user.click(screen.getByRole('button', { name: 'And 1 object of which it is not known' }));
    expect(names()).toEqual(['shop', 'mail']);
  });

  it('is not said to be nothing where git tells nothing', async () => {
    const silent = { key: repository, mirroredAt: null, reason: 'It sleeps.' };
    const list = wireLags([wireLag('shop', { ...unknownLag, why: 'not-told' })], { repositories: [silent] });
    showPage(<LagSection cluster="eu-west-3" />, { lags: list });
    expect((await screen.findByText(/It sleeps/)).textContent).toBe('Of 1 it is not known: It sleeps.');
  });
});
