import { cleanup, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { objectWords, type WireSuspicion } from '#lib/api/git/suspect.ts';
import { showPage } from '../testing/show-page.tsx';
import { failingCheckout } from '../testing/wire-object.ts';
import { minutesAgo } from '../testing/wire-fleet.ts';
import { wireSuspect, wireSuspects, wireSuspicion } from '../testing/wire-suspect.ts';
import { CommitsBetween } from './object-suspects.tsx';
import { IncidentSuspects } from './incident-suspects.tsx';
import { suspectedIn } from './suspected-in.ts';
import { SuspectLine } from './suspect-line.tsx';

const id = 'checkout0047';

function show(suspicion: WireSuspicion | null, after: object = wireSuspects(id, suspicion)) {
  const answer = wireSuspects(id, suspicion);
  const sent = { params: { incident: id }, answer };
  return showPage(<IncidentSuspects id={id} sent={sent} />, { answer: () => after });
}

const section = () => screen.getByRole('region', { name: /suspect/i });

describe('the suspects', () => {
  it('are one culprit, with its author, pull request, host, file and owners', () => {
    show(wireSuspicion());
    expect(within(section()).getByRole('heading').textContent).toMatch(/^The suspect /);
    expect(section().textContent).toContain('Of 4 commits in this range, one touches what it builds from.');
    const links = within(section()).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['9f31c07 checkout: split the ingress by country (#412)', expect.stringMatching(/^\/commits\/9f31c07/)],
      ['#412', 'https://git.example.org/acme/control/pull/412'],
      ['on its host', expect.stringContaining('/commit/9f31c07')],
    ]);
    expect(section().textContent).toMatch(/, Ines Duarte, .*apps\/checkout\/ingress.yaml.*Owned by @acme\/payments/);
  });

  it('are several, with their files folded, and say that there are more', () => {
    const files = ['a.yaml', 'b.yaml'];
    const other = wireSuspect({
      sha: 'a'.repeat(40),
      subject: 'Other',
      pullRequest: null,
      href: null,
      files,
      fileCount: 30,
    });
    show(
      wireSuspicion({ type: 'suspects', sentence: 'Of 9 …, 2 touch.', suspects: [wireSuspect(), other], more: true }),
    );
    expect(within(section()).getByRole('heading').textContent).toMatch(/^Suspects /);
    expect(section().textContent).toContain('30 files of what it builds from');
    expect(section().textContent).toContain('and 28 more files');
    expect(section().textContent).toContain('There are more; the newest are listed.');
  });

  it('are none: git did not change it', () => {
    const sentence = 'No commit in this range touches what it builds from: git did not change it.';
    show(wireSuspicion({ type: 'none', sentence, suspects: [], owners: [] }));
    expect(section().textContent).toContain(sentence);
    expect(within(section()).queryByRole('link')).toBeNull();
    expect(section().textContent).not.toContain('Owned by');
  });

  it('are not told: why, and nothing else', () => {
    const sentence = 'Its repository is not mirrored.';
    show(wireSuspicion({ type: 'not-told', sentence, suspects: [], owners: [], asOf: null, commits: null }));
    expect(section().textContent).toContain(sentence);
  });

  it('say how old the mirror is where it is old', () => {
    show(wireSuspicion({ asOf: minutesAgo(47) }));
    expect(section().textContent).toContain('The mirror was last fetched 47 min ago.');
  });

  it('have no section where it broke in no range', () => {
    show(null);
    expect(screen.queryByRole('region')).toBeNull();
  });

  it('are asked for where the page came without them, and are not late for ever', async () => {
    const { asked } = showPage(<IncidentSuspects id={id} sent={null} />, {
      answer: () => wireSuspects(id, wireSuspicion()),
    });
    expect(section().textContent).toContain('Git is being asked.');
    expect(await screen.findByText(/one touches/)).toBeDefined();
    expect(asked).toEqual([`/api/v1/suspects?incident=${id}`]);
    cleanup();
    const late = wireSuspicion({
      type: 'not-told',
      late: true,
      sentence: 'Git does not answer in time.',
      suspects: [],
    });
    show(late, wireSuspects(id, wireSuspicion()));
    expect(section().textContent).toContain('Git does not answer in time.');
    expect(await screen.findByText(/one touches/)).toBeDefined();
  });

  it('that cannot be asked for say so', async () => {
    showPage(<IncidentSuspects id={id} sent={null} />, { answer: () => 'nonsense' });
    expect(await screen.findByText('What git tells cannot be read now.')).toBeDefined();
    vi.useRealTimers();
  });
});

describe('a list', () => {
  it('names one culprit in a line, and nothing less certain', () => {
    const line = (suspicion: WireSuspicion) => {
      showPage(<SuspectLine known={{ type: 'known', suspicion }} />);
      const text = document.body.textContent;
      cleanup();
      return text;
    };
    expect(line(wireSuspicion())).toBe('suspect: 9f31c07 checkout: split the ingress by country (#412), Ines Duarte');
    expect(line(wireSuspicion({ type: 'suspects' }))).toBe('');
    expect(line(wireSuspicion({ type: 'none', suspects: [] }))).toBe('');
  });

  it('asks of those that broke in a range, whatever their order', () => {
    const end = { text: 'x', commit: null, href: null };
    const range = { lastGood: end, firstBad: end, seenBetween: null, watched: true, text: '' };
    const rows = [
      { id: 'b', range },
      { id: 'c', range: null },
      { id: 'a', range },
      { id: 'd', range: { ...range, lastGood: null } },
    ];
    expect(suspectedIn(rows)).toBe('a,b');
  });
});

describe('the number of commits in the range of an object', () => {
  const object = failingCheckout();
  const { cluster, group, kind, namespace, name } = object;
  const of = objectWords({ cluster, group, kind, namespace, name });

  it.each<[string, WireSuspicion | null, string]>([
    ['as git counts them', wireSuspicion(), '4 commits in this range'],
    ['one', wireSuspicion({ commits: 1 }), '1 commit in this range'],
    ['as far as they were seen where git does not tell', wireSuspicion({ commits: null }), 'at least 1 lies between'],
    ['as far as they were seen where nothing is concluded', null, 'at least 1 lies between'],
  ])('is told %s', (_name, suspicion, text) => {
    const sent = { params: { object: of }, answer: wireSuspects(of, suspicion) };
    showPage(<CommitsBetween object={object} sent={sent} seen="at least 1 lies between" />);
    expect(screen.getByText(text)).toBeTruthy();
  });
});
