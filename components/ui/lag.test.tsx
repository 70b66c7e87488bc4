import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { WireLag, WireLagList } from '#lib/api/commit.ts';
import { LagSection } from '../cluster/lag-section.tsx';
import { Figures } from '../object/figures.tsx';
import { showPage } from '../testing/show-page.tsx';
import { wireCommitName } from '../testing/wire-commit.ts';
import { minutesAgo } from '../testing/wire-fleet.ts';
import { wireObject, wireObjectPage } from '../testing/wire-object.ts';

const sha = (digit: string) => digit.repeat(40);
const repository = 'git.example.org/acme/control';

function wireLag(name: string, part: Partial<WireLag> = {}): WireLag {
  return {
    ref: {
      cluster: 'eu-west-3',
      group: 'kustomize.toolkit.fluxcd.io',
      kind: 'Kustomization',
      namespace: 'flux-system',
      name,
    },
    href: `/${name}`,
    repository,
    path: `apps/${name}`,
    branch: 'main',
    runs: sha('a'),
    commits: 3,
    touching: 2,
    oldest: { sha: sha('b'), subject: 'Commit b', at: minutesAgo(12) },
    why: null,
    text: '',
    ...part,
  };
}

const unknown = { commits: null, touching: null, oldest: null, why: 'older-mirror' } as const;

function wireLags(lags: readonly WireLag[], part: Partial<WireLagList> = {}): WireLagList {
  const repositories = [{ key: repository, mirroredAt: minutesAgo(1), reason: null }];
  return { asOf: minutesAgo(0), lags: [...lags], leftOut: 0, repositories, ...part };
}

describe('the figure of what runs', () => {
  const object = wireObject({ commit: sha('a'), path: 'apps/checkout', role: 'applier' });
  const show = (list: WireLagList) =>
    showPage(<Figures page={wireObjectPage({ object })} />, {
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
    show(wireLags([wireLag('checkout', unknown)]));
    await screen.findByText(/how far behind is not known: the mirror is older than what its source offers/);
  });

  it('says nothing of a lag at another commit than it is shown to run', async () => {
    const { gitAsked } = show(wireLags([wireLag('checkout', { runs: sha('c') })]));
    await screen.findByText('Commit a');
    expect(gitAsked.join(' ')).toContain('/api/v1/lag?');
    expect(document.body.textContent).not.toContain('behind');
  });
});

describe('what a cluster has not got', () => {
  it('is told object by object, the furthest behind first; what is not known is counted with why, and shown when asked for', async () => {
    const list = wireLags([wireLag('shop'), wireLag('mail', unknown), wireLag('web', { touching: 0, oldest: null })]);
    const { user } = showPage(<LagSection cluster="eu-west-3" />, { lags: list });
    await screen.findByRole('region', { name: /^Commits that have not arrived/ });
    expect(screen.getByText(/^Commits that touch/).textContent).toBe(
      'Commits that touch 1 of 3 objects with a path wait. Of 1 it is not known: the mirror is older than what its source offers.',
    );
    const names = () => screen.getAllByRole('rowheader').map((row) => row.textContent?.split(' ')[0]);
    expect(names()).toEqual(['shop']);
    await user.click(screen.getByRole('button', { name: 'And 1 object of which it is not known' }));
    expect(names()).toEqual(['shop', 'mail']);
  });

  it('is not said to be nothing where git tells nothing', async () => {
    const silent = { key: repository, mirroredAt: null, reason: 'It sleeps.' };
    const list = wireLags([wireLag('shop', { ...unknown, why: 'not-told' })], { repositories: [silent] });
    showPage(<LagSection cluster="eu-west-3" />, { lags: list });
    expect((await screen.findByText(/It sleeps/)).textContent).toBe('Of 1 it is not known: It sleeps.');
  });
});
