import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { WireCommitList } from '#lib/api/commit.ts';
import { FakeEventSource } from '../testing/fake-event-source.ts';
import { pushed } from '../testing/router.ts';
import { showPage } from '../testing/show-page.tsx';
import { wireCommitName, wireCommits, wireFates, wireListedCommit, wireRepository } from '../testing/wire-commit.ts';
import { minutesAgo, wireFleetSummary } from '../testing/wire-fleet.ts';
import { SearchedCommit } from '../ui/list/searched-commit.tsx';
import { commitsFilterFrom, commitsParams } from './commits-filter.ts';
import { CommitsScreen } from './commits-screen.tsx';
import { MissingCommit, MissingRepository, SeveralCommits } from './missing-commit.tsx';

function show(list: WireCommitList, search = '', answer: (path: string) => unknown = () => list) {
  const params = commitsParams(commitsFilterFrom(Object.fromEntries(new URLSearchParams(search))));
  return showPage(<CommitsScreen sent={{ params, list }} summary={wireFleetSummary()} />, { search, answer });
}

const head = () => screen.getByRole('heading', { level: 1 }).textContent;
const rows = () =>
  [...document.querySelectorAll('.ledger.commits tr[data-index]')].map((row) =>
    [...row.children].map((cell) => cell.textContent?.replace(/\s+/g, ' ').trim()),
  );
const mirrors = () =>
  [...screen.getByRole('list', { name: 'Repositories' }).children].map((item) =>
    [...item.children].map((part) => part.textContent),
  );

const older = wireListedCommit({
  sha: '2d81e55'.padEnd(40, '0'),
  subject: 'mail: one replica more',
  author: 'Tomasz',
  at: minutesAgo(150),
  pullRequest: null,
  tags: ['v1.4.0'],
  counts: wireFates({ 'not-concerned': 49 }),
});

describe('commits', () => {
  it('are told with how far each has come, the worst first, and each number leads to what it counts', () => {
    show(wireCommits([wireListedCommit(), older, wireListedCommit({ sha: 'a'.repeat(40), counts: null })]));
    expect(head()).toBe('Commits of main in acme/control.');
    expect(rows()).toEqual([
      [
        '9f31c07',
        'checkout: split the ingress by country (#412)',
        'Ines Duarte',
        '30 min',
        '#412',
        '1 stuck 8 converged',
      ],
      ['2d81e55', 'mail: one replica more v1.4.0', 'Tomasz', '2 h 30 min', '', 'concerns none'],
      ['aaaaaaa', 'checkout: split the ingress by country (#412)', 'Ines Duarte', '30 min', '#412', 'not known'],
    ]);
    expect(screen.getByRole('link', { name: '1 stuck' }).getAttribute('href')).toBe(
      `/commits/${wireCommitName().sha}?state=stuck#clusters`,
    );
  });

  it('stand beneath their repositories, with the age of each mirror and what happened to it', () => {
    const repositories = [
      wireRepository({
        rewritten: [{ branch: 'main', from: 'b'.repeat(40), to: 'c'.repeat(40), at: minutesAgo(90) }],
        gaps: [{ from: minutesAgo(60), to: minutesAgo(50), reason: 'The server hangs.' }],
      }),
      wireRepository({
        key: 'git.example.org/acme/apps',
        origin: 'configured',
        state: 'failing',
        reason: 'The token has expired.',
        fetchedAt: minutesAgo(130),
        failingSince: minutesAgo(120),
        objects: 1,
      }),
    ];
    show(wireCommits(undefined, { repositories }));
    expect(mirrors()).toEqual([
      [
        'git.example.org/acme/control',
        'main, 56 objects',
        'fetched 30 s ago',
        'history rewritten once, 1 gap' +
          '21 Nov 01:29:14 UTC: main was moved from bbbbbbb to ccccccc, which does not contain it' +
          '21 Nov 01:59:14 UTC to 21 Nov 02:09:14 UTC: nothing was fetched, The server hangs.',
      ],
      [
        'git.example.org/acme/apps',
        'main, 1 object, configured',
        'fetched 2 h 10 min ago; fails for 2 h: The token has expired',
      ],
    ]);
  });

  it('of a mirror that is old say so first', () => {
    const old = wireRepository({ state: 'failing', reason: 'The token has expired.', fetchedAt: minutesAgo(130) });
    show(wireCommits(undefined, { repositories: [old], reason: old.reason }));
    expect(head()).toBe('Commits of main in acme/control, as of 2 h 10 min ago.');
    expect(screen.getByText('The token has expired.')).toBeDefined();
    expect(rows()).toHaveLength(1);
  });

  it.each([
    ['no repository is known', {}, 'No repository is known.', /No source of the fleet names a git repository/],
    [
      'git does not answer',
      { reason: 'The process that reads git repositories does not answer.' },
      'No commit can be told.',
      /^The process that reads git/,
    ],
  ])('where %s say what to do', (_name, part, sentence, words) => {
    show(wireCommits([], { repositories: [], of: null, ...part }));
    expect(head()).toBe(sentence);
    expect(screen.getByText(words)).toBeDefined();
    expect(document.querySelector('pre') === null).toBe('reason' in part);
  });

  it('narrow down to a path in the URL; where none touches it the way out is there', async () => {
    const { user, asked, urls } = show(wireCommits(), '', () => wireCommits([]));
    await user.type(screen.getByRole('searchbox', { name: 'Path' }), 'apps/mail{Enter}');
    await screen.findByText('No commit touches what apps/mail builds from.');
    expect(urls.at(-1)).toBe('?path=apps/mail');
    expect(asked.at(-1)).toBe('/api/v1/commits?path=apps%2Fmail');
    await user.click(screen.getByRole('button', { name: 'Look without path apps/mail' }));
    await waitFor(() => expect(rows()).toHaveLength(1));
  });

  it('come page by page, after the last of the page before', async () => {
    const list = wireCommits(undefined, { nextCursor: older.sha });
    const { user, asked } = show(list, '', () => wireCommits([older]));
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(asked).toEqual([`/api/v1/commits?after=${older.sha}`]);
  });

  it('are asked for again by a tick, which brings what was fetched', async () => {
    show(wireCommits(), '', () => wireCommits([wireListedCommit(), older]));
    act(() => FakeEventSource.last.send({ type: 'tick', at: new Date().toISOString(), lastWordAt: null }));
    await waitFor(() => expect(rows()).toHaveLength(2));
  });

  it('are led to by a pasted hash; what is none is said to be none', async () => {
    const { user } = show(wireCommits());
    const field = screen.getByRole('searchbox', { name: 'Hash' });
    await user.type(field, 'checkout{Enter}');
    expect(screen.getByText('7 digits of a hash or more')).toBeDefined();
    await user.clear(field);
    await user.type(field, `https://git.example.org/acme/control/commit/9F31C07{Enter}`);
    expect(pushed).toHaveBeenLastCalledWith('/commits/9f31c07');
  });
});

describe('a commit that is not there', () => {
  const summary = wireFleetSummary();

  it.each([
    ['that no repository holds', '9f31c07', null, 'No repository holds a commit 9f31c07.', 3],
    ['that cannot be told', '9f31c07', 'Git does not answer.', 'Nothing can be told of commit 9f31c07 now.', 0],
    ['that is none', 'checkout', null, 'checkout is no commit.', 0],
  ])('%s: why, and what to do', (_name, digits, reason, title, whys) => {
    showPage(<MissingCommit digits={digits} reason={reason} summary={summary} />);
    expect(head()).toBe(title);
    expect(screen.queryAllByRole('listitem')).toHaveLength(whys);
    expect(screen.getByRole('link', { name: 'Commits and their repositories' }).getAttribute('href')).toBe('/commits');
  });

  it('in a repository that is not there: where the others are', () => {
    showPage(<MissingRepository why="No repository nope is mirrored." summary={summary} />);
    expect(head()).toBe('No repository nope is mirrored.');
    expect(screen.getByRole('link', { name: 'Commits and their repositories' })).toBeDefined();
  });

  it('because several begin so: each is a choice', () => {
    const commits = [wireCommitName(), wireCommitName({ sha: `9f31c07${'e'.repeat(33)}`, subject: 'another' })];
    showPage(<SeveralCommits digits="9f31c07" commits={commits} summary={summary} />);
    expect(head()).toBe('Several commits begin with 9f31c07.');
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      '9f31c07d2b64 checkout: split the ingress by country (#412) Ines Duarte, 30 min ago, in git.example.org/acme/control',
      '9f31c07eeeee another Ines Duarte, 30 min ago, in git.example.org/acme/control',
    ]);
  });
});

it.each([
  ['a hash', '9F31C07', '/commits/9f31c07'],
  ['a name', 'checkout', null],
])('a search for %s leads to a commit, or does not', (_name, text, href) => {
  showPage(<SearchedCommit text={text} />);
  expect(screen.queryByRole('link')?.getAttribute('href') ?? null).toBe(href);
});
