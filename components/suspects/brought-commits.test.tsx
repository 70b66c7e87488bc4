import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { WireCommitsBetween } from '#lib/api/git/suspect.ts';
import { showPage } from '../testing/show-page.tsx';
import { wireCommitName } from '../testing/wire-commit.ts';
import { checkout, firstBad, lastGood, wireChange, wireObjectChanges } from '../testing/wire-object.ts';
import { wireSuspect } from '../testing/wire-suspect.ts';
import { BroughtCommits } from './brought-commits.tsx';

const end = (commit: string) => ({ text: commit.slice(0, 7), commit, href: null });
const middle = 'c'.repeat(40);
const moved = (minutes: number, from: string, to: string) =>
  wireChange(minutes, { type: 'revision', relation: 'source', revision: { from: end(from), to: end(to) } });
const other = wireCommitName({ sha: 'd'.repeat(40), subject: 'Something else' });

function show(part: Partial<WireCommitsBetween>, changes = [moved(48, middle, firstBad), moved(49, lastGood, middle)]) {
  const answer: WireCommitsBetween = {
    ...{ asOf: '2026-11-21T02:59:14.000Z', touching: [wireSuspect()], touchingCount: 1 },
    ...{ others: [other], othersCount: 3, beyond: null, reason: null },
    ...part,
  };
  return showPage(<BroughtCommits object={checkout} before={wireObjectChanges({ changes })} />, {
    answer: () => answer,
  });
}

describe('the commits that came before', () => {
  it('are those first that touch it; the others are folded', async () => {
    const { asked } = show({});
    expect(document.body.textContent).toMatch(/^Git is being asked which commits came\./);
    await screen.findByText('Of 4 commits that came, 1 touches what it builds from.');
    expect(asked[0]).toContain(`from=${lastGood}&to=${firstBad}`);
    const fold = screen.getByText('3 commits that do not').closest('details');
    expect(fold?.open).toBe(false);
    expect(fold?.textContent).toContain('Something else');
    expect(fold?.textContent).toContain('and 2 older commits');
    expect(fold?.textContent).not.toContain('split the ingress');
  });

  it('are said to be none that touch it', async () => {
    show({ touching: [], touchingCount: 0, othersCount: 1 });
    await screen.findByText('Of 1 commit that came, none touches what it builds from.');
    expect(screen.getByText('1 commit that does not')).toBeDefined();
  });

  it('are at least so many where not all is known that it builds from, and never said to be none', async () => {
    const beyond = 'it builds from spec.components too, which are not known';
    show({ beyond });
    await screen.findByText(`Of 4 commits that came, at least 1 touches what it builds from: ${beyond}.`);
    expect(screen.getByText('3 commits of which it is not known')).toBeDefined();
  });

  it('are not known where none of them touches the path alone', async () => {
    const beyond = 'its source includes other sources, which are not looked at';
    show({ touching: [], touchingCount: 0, othersCount: 1, beyond });
    await screen.findByText(`Whether the 1 commit that came touches what it builds from is not known: ${beyond}.`);
    expect(screen.getByText('1 commit of which it is not known')).toBeDefined();
    expect(document.body.textContent).not.toContain('none');
  });

  it('are not told, and why', async () => {
    show({ touching: [], touchingCount: 0, others: [], othersCount: 0, reason: 'Its repository is not mirrored.' });
    expect(await screen.findByText(/is not told: Its repository is not mirrored/)).toBeDefined();
  });

  it('are not asked for where the source brought none', () => {
    expect(show({}, [wireChange(3, {})]).asked).toEqual([]);
    expect(document.body.textContent).toBe('');
  });
});
