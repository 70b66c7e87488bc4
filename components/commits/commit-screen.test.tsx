import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { WireCommitName, WireCommitPage } from '#lib/api/commit.ts';
import { FakeEventSource } from '../testing/fake-event-source.ts';
import { showPage } from '../testing/show-page.tsx';
import {
  wireCommitCluster,
  wireCommitName,
  wireCommitObject,
  wireCommitPage,
  wireFates,
} from '../testing/wire-commit.ts';
import { minutesAgo, wireFleetSummary } from '../testing/wire-fleet.ts';
import { AwaitedCommit } from './awaited-commit.tsx';
import { CommitScreen } from './commit-screen.tsx';

const earlier = wireCommitName({
  sha: '2d81e55'.padEnd(40, '0'),
  subject: 'mail: one replica more',
  pullRequest: null,
});

function show(
  page: WireCommitPage,
  {
    search = '',
    previous = earlier,
    answer = () => page,
  }: { search?: string; previous?: WireCommitName | null; answer?: (path: string) => unknown } = {},
) {
  const sent = { params: { sha: page.commit.sha }, page, previous };
  return showPage(<CommitScreen sent={sent} summary={wireFleetSummary()} />, { search, answer });
}

const said = () => document.querySelector('.say')?.textContent;
const table = (name: string) => screen.getByRole('table', { name });
const rowsOf = (name: string) =>
  [...table(name).querySelectorAll('tr[data-index]')].map((row) =>
    [...row.children].map((cell) => cell.textContent?.replace(/\s+/g, ' ').trim()),
  );
const facts = () =>
  [...document.querySelectorAll('.facts > div')].map((fact) =>
    [...fact.children].map((part) => part.textContent?.replace(/\s+/g, ' ').trim()).join(' | '),
  );

describe('a commit', () => {
  it('says first whether it is out; each number leads to the clusters that it counts', () => {
    show(wireCommitPage());
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('checkout: split the ingress by country (#412)');
    expect(said()).toBe(
      'Converged on 3 of 5 clusters; on its way to 1; stuck on 1: eu-west-3, BuildFailed for 12 min.',
    );
    const links = [...document.querySelectorAll('.say a')].map((link) => link.getAttribute('href'));
    expect(links).toEqual(['/?worst=converged#clusters', '/?worst=on-its-way#clusters', '/?worst=stuck#clusters']);
  });

  it('has the facts of its repository', () => {
    show(wireCommitPage({ commit: wireCommitName({ tags: ['v1.4.0'] }) }));
    expect(facts()).toEqual([
      `Hash | ${wireCommitName().sha} Copy the hash`,
      'Author | Ines Duarte',
      'Committed | 21 Nov 02:29:14 UTC',
      'Pull request | #412',
      'Signature | signed, not verified',
      'Tag | v1.4.0',
      'Repository | 9f31c07 in git.example.org/acme/control',
      'On branch | main',
      'Files | 1 fileapps/checkout/base/ingress.yaml changed',
      'Mirror | fetched 30 s ago',
      'Before it | 2d81e55 mail: one replica more',
    ]);
  });

  it('leads nowhere where the git host is not known, and says what is not known', () => {
    const commit = wireCommitName({ href: null, pullRequest: { number: 7, href: null }, signed: false });
    show(wireCommitPage({ commit }), { previous: null });
    expect(facts()).toContain('Pull request | #7');
    expect(facts()).toContain('Signature | not signed');
    expect(facts()).toContain('Repository | git.example.org/acme/control, whose host is not known');
    expect(facts().filter((fact) => fact.startsWith('Before'))).toEqual([]);
    expect(document.querySelectorAll('.facts a[href^="https:"]')).toHaveLength(0);
  });

  it('that concerns nothing has no rollout; what it does not concern is a count that opens', async () => {
    const cluster = wireCommitCluster('eu-west-3', null, {
      state: 'not-concerned',
      objects: [wireCommitObject('eu-west-3', { state: 'not-concerned' }, 'web')],
    });
    const page = wireCommitPage({ clusters: [], outcome: 'nothing', counts: wireFates({ 'not-concerned': 3 }) });
    const { user, asked } = show(page, { answer: () => ({ ...page, clusters: [cluster] }) });
    expect(said()).toMatch(/^It concerns no cluster/);
    expect(screen.queryByRole('region', { name: /^Rollout/ })).toBeNull();
    const folded = screen.getByRole('region', { name: 'Not concerned' });
    await user.click(within(folded).getByText('3 objects of its repository build from no file that it changes'));
    await within(folded).findByRole('link', { name: 'web' });
    expect(asked.at(-1)).toBe(`/api/v1/commits/${page.commit.sha}?state=not-concerned`);
    expect(
      within(folded)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['web Kustomization in flux-system on eu-west-3', 'and 2 more objects']);
  });

  it.each([
    ['mirror is old', { mirroredAt: minutesAgo(38) }, /^The mirror of its repository is 38 min old/],
    ['history was rewritten', { branches: [] }, /^No branch that is followed holds this commit/],
  ])('warns where its %s', (_name, part, words) => {
    show(wireCommitPage(part));
    expect(screen.getByText(words)).toBeDefined();
  });

  it('is asked for again when the fleet changes, and while it is on its way', async () => {
    const waiting = wireCommitPage({ outcome: 'waiting', clusters: [wireCommitCluster('stg-eu', null)] });
    const out = wireCommitPage({ outcome: 'arrived', clusters: [wireCommitCluster('stg-eu', 0)] });
    const { asked } = show(waiting, { answer: () => out });
    expect(document.title).toBe('On its way: 9f31c07 checkout: split the ingress by country (#412) · Plumbline');
    const tick = { type: 'tick', at: new Date().toISOString(), lastWordAt: null } as const;
    act(() => FakeEventSource.last.send(tick));
    await waitFor(() => expect(said()).toBe('Converged on the 1 cluster that it concerns.'));
    expect(document.title).toMatch(/^Out: /);
    const before = asked.length;
    act(() => FakeEventSource.last.send(tick));
    expect(asked).toHaveLength(before);
  });
});

describe('the rollout', () => {
  it('is a line a cluster, with words for who does not see it', () => {
    show(wireCommitPage());
    const rollout = screen.getByRole('region', { name: /^Rollout/ });
    expect([...rollout.querySelectorAll('h3')].map((head) => head.textContent)).toEqual([
      'staging 2 of 2 clusters, the first after 2 min, the last after 3 min',
      'production 1 of 3 clusters, after 26 min; 1 on its way; 1 stuck',
    ]);
    expect(
      within(rollout)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual([
      'stg-euafter 2 min',
      'stg-usafter 3 min',
      'us-east-2after 26 min',
      'us-east-1on its way',
      'eu-west-3stuck',
    ]);
    expect(rollout.querySelector('.is-stuck .wave-waited')?.getAttribute('d')).toBe('M16.7 10H1000');
  });

  it('tells how long the commit was in all of an environment before it went on', () => {
    show(wireCommitPage());
    expect(rowsOf('How far the commit is in each environment')).toEqual([
      ['staging 2 clusters', '2 converged', 'after 2 min', 'after 3 min', 'in all of it for 23 min before production'],
      ['production 3 clusters', '1 stuck 1 on its way 1 converged', 'after 26 min', 'not yet', ''],
    ]);
    expect(
      within(table('How far the commit is in each environment'))
        .getByRole('link', { name: '1 stuck' })
        .getAttribute('href'),
    ).toBe('/?environment=production&worst=stuck#clusters');
  });
});

describe('the clusters', () => {
  const caption = 'The commit on each cluster';

  it('come with their times and why; the objects of who is stuck stand open', async () => {
    const { user } = show(wireCommitPage());
    expect(rowsOf(caption).slice(0, 3)).toEqual([
      ['Stuck', 'eu-west-3 production', 'after 30 s', '', '', 'BuildFailed for 12 min'],
      ['On its way', 'us-east-1 production', 'after 30 s', '', '', ''],
      ['Converged', 'us-east-2 production', 'after 30 s', 'after 26 min', 'after 26 min', ''],
    ]);
    const lines = () => [...document.querySelectorAll('.standing-objects li')].map((line) => line.textContent);
    expect(lines()).toEqual([' Stuckcheckout Kustomization in flux-system DivergedBuildFailed for 12 min']);
    await user.click(screen.getByRole('button', { name: '1 object on us-east-2' }));
    expect(lines()).toHaveLength(2);
    await user.keyboard('{ArrowLeft}');
    expect(lines()).toHaveLength(1);
  });

  it('that were passed by name the commit that came after', async () => {
    const by = { sha: 'a'.repeat(40), subject: 'checkout: take it back' };
    const objects = [wireCommitObject('us-east-2', { state: 'superseded', by })];
    const { user } = show(
      wireCommitPage({ clusters: [wireCommitCluster('us-east-2', 4, { state: 'superseded', objects })] }),
    );
    expect(said()).toBe('Superseded on the 1 cluster that it concerns.');
    await user.click(screen.getByRole('button', { name: '1 object on us-east-2' }));
    const link = screen.getByRole('link', { name: 'aaaaaaa checkout: take it back' });
    expect(link.getAttribute('href')).toBe(`/commits/${by.sha}`);
  });

  it('on which it failed later say when it came and why it fails, and stand open', () => {
    const why = 'HealthCheckFailed';
    const state = 'failed-later' as const;
    const objects = [wireCommitObject('us-east-2', { state, verdict: 'unhealthy', why, since: minutesAgo(3.5) })];
    const failed = wireCommitCluster('us-east-2', 4, { state, why, since: minutesAgo(3.5), objects });
    const counts = wireFates({ [state]: 1, converged: 1 });
    show(wireCommitPage({ counts, clusters: [failed, wireCommitCluster('us-east-1', 20)] }));
    expect(document.title).toMatch(/^Failed later: /);
    expect(said()).toBe('Converged on 1 of 2 clusters; failed later on 1: us-east-2, HealthCheckFailed for 3 min.');
    expect(rowsOf(caption)[0]).toEqual([
      'Failed later',
      'us-east-2 production',
      'after 30 s',
      'after 26 min',
      'after 26 min',
      'HealthCheckFailed for 3 min',
    ]);
    expect(document.querySelector('.standing-objects')?.textContent).toContain('HealthCheckFailed for 3 min');
    expect(document.querySelector('.wave-row.is-failed-later .wave-end')?.textContent).toBe(
      'after 26 min, failed later',
    );
    expect(document.querySelector('.wave-group h3')?.textContent).toContain(
      '1 of 2 clusters, after 10 min; 1 failed later',
    );
    const environment = rowsOf('How far the commit is in each environment')[0];
    expect(environment?.slice(1, 4)).toEqual(['1 failed later 1 converged', 'after 10 min', 'after 26 min']);
  });

  it('narrow down to what a number counts, and back', async () => {
    const { user } = show(wireCommitPage(), { search: '?worst=converged&environment=production' });
    expect(rowsOf(caption).map(([, cluster]) => cluster)).toEqual(['us-east-2 production']);
    expect(screen.getByText('1 of 5: converged in production.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'All of them' }));
    expect(rowsOf(caption)).toHaveLength(5);
  });

  it('of a large fleet are the first of them, until all are asked for', async () => {
    const many = Array.from({ length: 1000 }, (_, n) => wireCommitCluster(`c-${n}`, 4));
    const { user } = show(wireCommitPage({ clusters: many }));
    expect(rowsOf(caption)).toHaveLength(60);
    expect(document.querySelectorAll('.wave-row')).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'Show all' }));
    expect(rowsOf(caption)).toHaveLength(1000);
  });
});

it('a commit which git was too slow for comes once it has answered', async () => {
  const page = wireCommitPage();
  const reason = 'Git has not answered yet.';
  showPage(<AwaitedCommit digits={page.commit.sha} reason={reason} summary={wireFleetSummary()} />, {
    answer: () => page,
  });
  expect(screen.getByText(reason)).toBeTruthy();
  expect(await screen.findByRole('heading', { name: page.commit.subject })).toBeTruthy();
});
