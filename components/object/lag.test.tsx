import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { WireLagList } from '#lib/api/commit.ts';
import { showPage } from '../testing/show-page.tsx';
import { wireCommitName } from '../testing/wire-commit.ts';
import { unknownLag, wireLag, wireLags } from '../testing/wire-lag.ts';
import { wireObject, wireObjectPage } from '../testing/wire-object.ts';
import { Figures } from './figures.tsx';

const sha = (digit: string) => digit.repeat(40);
const repository = 'git.example.org/acme/control';

describe('the figure of what runs', () => {
  const object = wireObject({ commit: sha('a'), path: 'apps/checkout', role: 'applier' });
  const show = (list: WireLagList) =>
    showPage(<Figures page={wireObjectPage({ object })} suspects={null} />, {
      lags: list,
      commits: [wireCommitName({ sha: sha('a'), subject: 'Commit a' })],
    });

  it('says who made the commit, how far it is behind by its path, and how old the mirror is', async () => {
    show(wireLags([wireLag('checkout')]));
    await screen.findByText('the oldest');
    await screen.findByText('Commit a');
    const text = screen.getByText('Commit a').closest('div')?.textContent;
    expect(text).toContain('Commit a, Ines Duarte, 30 min ago');
    expect(text).toContain(
      '3 commits behind, 2 touch this path, the oldest waits for 12 min; mirror fetched 1 min ago',
    );
    expect(screen.getByRole('link', { name: '2 touch this path' }).getAttribute('href')).toBe(
      `/commits?${new URLSearchParams({ repository, branch: 'main', path: 'apps/checkout' }).toString()}`,
    );
    expect(screen.getByRole('link', { name: 'the oldest' }).getAttribute('href')).toBe(`/commits/${sha('b')}`);
  });

  it('says why it is not known', async () => {
    show(wireLags([wireLag('checkout', unknownLag)]));
    const said = await screen.findByText(/how far behind is not known/);
    expect(said.textContent).toContain('the mirror is older than what its source offers');
  });

  it('says nothing of a lag at another commit than it is shown to run', async () => {
    const { gitAsked } = show(wireLags([wireLag('checkout', { runs: sha('c') })]));
    await screen.findByText('Commit a');
    expect(gitAsked.join(' ')).toContain('/api/v1/lag?');
    expect(document.body.textContent).not.toContain('behind');
  });
});
