import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { WireCommitRange, WireObjectPage } from '#lib/api/object.ts';
import { FakeEventSource } from '../testing/fake-event-source.ts';
import { showPage } from '../testing/show-page.tsx';
import { minutesAgo, wireFleetSummary } from '../testing/wire-fleet.ts';
import {
  failingCheckout,
  wireAlarm,
  brokenRange,
  lastGood,
  wireObject,
  wireObjectPage,
  wireTransition,
} from '../testing/wire-object.ts';
import { wireExemption } from '../testing/wire-ownership.ts';
import { overIncident, wireIncident, wireMember, wireMemberships } from '../testing/wire-incident.ts';
import { wireCommitName } from '../testing/wire-commit.ts';
import { wireHistory, wireAbsence, wireAbsences, wireRecordOf } from '../testing/wire-record.ts';
import { ObjectScreen } from './object-screen.tsx';

function show(page: WireObjectPage, after: WireObjectPage = page, record = wireRecordOf(page.object)) {
  return showPage(<ObjectScreen page={page} summary={wireFleetSummary()} moment={null} record={record} />, {
    answer: () => after,
  });
}

const section = (name: RegExp) => screen.getByRole('region', { name });

it('claims nothing of what is offered where no source of it is read', () => {
  const revision = { applied: lastGood, attempted: lastGood, offered: null };
  show(wireObjectPage({ object: wireObject({ reconciler: 'argocd', revision }) }));
  const figures = document.querySelector('.figures')?.textContent;
  expect(figures).toContain('what is offered now is not read');
  expect(figures).toContain('Newest tried2d81e55');
  expect(figures).not.toContain('offers');
});

it('says that what is offered is not read where its source is outside of the view', () => {
  const revision = { applied: `main@sha1:${lastGood}`, attempted: `main@sha1:${lastGood}`, offered: null };
  show(wireObjectPage({ object: wireObject({ commit: lastGood, commitDiffers: 'unknown', revision }) }));
  expect(document.querySelector('.figures')?.textContent).toContain('what is offered now is not read');
});

it('says of what was never applied that no revision runs, and of what is only declared at which commit it is', () => {
  const never = { applied: null, attempted: lastGood, offered: lastGood };
  show(wireObjectPage({ object: wireObject({ verdict: 'diverged', commit: null, revision: never }) }));
  const figures = () => document.querySelector('.figures')?.textContent;
  expect(figures()).toContain('Runningno revisionnone has been applied in full yet');
  expect(figures()).not.toContain('last applied');
  cleanup();
  const role = 'managed';
  const revision = { applied: null, attempted: null, offered: null };
  show(wireObjectPage({ object: wireObject({ role, reconciler: 'crossplane', verdict: 'diverged', revision }) }));
  expect(figures()).toContain('Declared at');
  expect(figures()).not.toContain('Running');
});

it('names the commits in its sentences and figures with link and subject', async () => {
  const name = wireCommitName();
  const revision = { applied: `main@sha1:${lastGood}`, attempted: null, offered: `main@sha1:${name.sha}` };
  const page = wireObjectPage({
    object: wireObject({ verdict: 'diverged', range: null, commit: lastGood, commitDiffers: 'yes', revision }),
    elsewhere: { clusters: 1, converged: 1, atCommit: { commit: name.sha, clusters: 1, converged: 1, away: 0 } },
  });
  showPage(<ObjectScreen page={page} summary={wireFleetSummary()} moment={null} record={wireRecordOf(page.object)} />, {
    answer: () => page,
    commits: [name],
  });
  const linkIn = async (selector: string) => {
    const place = document.querySelector(selector);
    if (!(place instanceof HTMLElement)) throw new Error(`there is no ${selector}`);
    const link = await within(place).findByRole('link', { name: '9f31c07' });
    return [link.getAttribute('href'), link.title];
  };
  const named = [name.self, expect.stringContaining(name.subject)];
  expect(await linkIn('.say')).toEqual(named);
  expect(document.querySelector('.say')?.textContent).toContain(
    'Only here: converged on the other cluster at 9f31c07.',
  );
  expect(await linkIn('.figures')).toEqual(named);
});

describe('a stack that is only declared', () => {
  const sentence = 'No loop reports on this: Ansible runs only when somebody runs it.';
  const ref = { group: 'declared', kind: 'Stack', namespace: '', name: 'dns' };
  const object = wireObject({
    ...ref,
    reconciler: 'none',
    role: 'declared',
    verdict: 'unobserved',
    sentence,
    path: 'dns',
  });
  const page = wireObjectPage({ object });

  it('is told what it is and where its code lies, and nothing that nobody knows', () => {
    const target = { url: 'https://git.example.org/acme/dns.git', reference: '', floating: false };
    show({ ...page, target });
    expect(document.querySelector('.page-title')?.textContent).toBe('dns on eu-west-3Stack, declared');
    expect(document.querySelector('.say')?.textContent).toContain(`Unobserved. ${sentence}`);
    expect(section(/^What is declared/).textContent).toMatch(/acme\/dns\.git.*Pathdns/);
    for (const name of [/^Evidence/, /^What the reconciler says/, /^History/])
      expect(screen.queryByRole('region', { name })).toBeNull();
  });

  it('says so where its code is not told, and where it is on no cluster', () => {
    const cluster = { ...page.cluster, state: 'declared' as const };
    const nowhere = { ...object, cluster: 'not on a cluster', path: null };
    show({ ...page, object: nowhere, cluster, target: null });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('dns, not on a cluster');
    expect(section(/^What is declared/).textContent).toContain('does not tell where its code lies');
  });
});

describe('the sentence', () => {
  it('says verdict, for how long, what, which commits, and that it is only here', () => {
    show(wireObjectPage());
    expect(screen.getByRole('heading', { level: 1 })).toHaveProperty('textContent', 'checkout on eu-west-3');
    const said = document.querySelector('.say')?.textContent;
    expect(said).toContain('Diverged for 47 min; whether anybody was called is not known.');
    expect(said).toContain('fails, last tried at 9f31c07. The cluster runs 2d81e55.');
    expect(said).toContain('Only here: converged on the 13 other clusters.');
  });

  it.each<readonly [string, Partial<WireCommitRange>, string]>([
    ['both ends', {}, 'It worked at 2d81e55, first failed at 9f31c07, at least 1 between.'],
    [
      'no first where it was not watched',
      { watched: false },
      'It worked at 2d81e55, was failing at 9f31c07, at least 1 between.',
    ],
    [
      'which end is unknown',
      { lastGood: null, watched: false },
      'It was failing at 9f31c07; where it last worked is not known.',
    ],
    ['that it never worked', { lastGood: null }, 'It never worked, first failed at 9f31c07.'],
    ['that it was no commit', { firstBad: brokenRange.lastGood }, 'It failed at 2d81e55, where it had worked before.'],
    ['that no commit is named', { lastGood: null, firstBad: null }, 'It names no revision that it tried.'],
  ])('says between which commits it broke: %s', (_what, part, said) => {
    const attempted = 'main@sha1:1111111222222222222222222222222222222222';
    const object = failingCheckout({
      revision: { applied: null, attempted, offered: null },
      sentence: 'The build fails.',
      range: { ...brokenRange, ...part },
    });
    show(wireObjectPage({ object }));
    expect(document.querySelector('.say')?.textContent).toContain(said);
  });

  it('says that drift is not measured, once', () => {
    show(wireObjectPage({ object: wireObject({ kind: 'HelmRelease', drift: 'not-measured' }) }));
    expect(document.querySelector('.say')?.textContent).toContain('is as declared. Drift is not measured.');
  });

  it.each([
    [
      'not-measured',
      'converged',
      'spec.driftDetection.mode is disabled',
      'Not measured: spec.driftDetection.mode is disabled.',
    ],
    ['not-measured', 'converged', null, 'Not measured.'],
    [
      'found',
      'drifted',
      'Deployment/apps/web changed',
      'A difference was found and is being left in place: Deployment/apps/web changed.',
    ],
    ['found', 'converged', null, 'A difference was found and is being undone.'],
    ['found', 'diverged', 'denied', 'A difference was found, and undoing it fails: denied.'],
  ] as const)('says of drift %s under %s with %j what its reconciler says', (drift, verdict, driftSays, words) => {
    show({ ...wireObjectPage({ object: wireObject({ verdict, drift }) }), driftSays });
    expect(section(/^Drift/).textContent).toContain(words);
  });

  it('does not say it again where the sentence does', () => {
    const sentence = 'It was applied; whether it has drifted since is not measured.';
    show(wireObjectPage({ object: wireObject({ sentence, drift: 'not-measured' }) }));
    expect(document.querySelector('.say')?.textContent?.match(/measured/g)).toHaveLength(1);
  });

  it('tells of planned work on its cluster', () => {
    const page = wireObjectPage();
    const plannedWork = { until: minutesAgo(-61), reason: 'Upgrade to 1.36' };
    show({ ...page, cluster: { ...page.cluster, plannedWork } });
    expect(screen.getByText('Planned work on eu-west-3').closest('p')?.textContent).toBe(
      'Planned work on eu-west-3 until 21 Nov 04:00:14 UTC (Upgrade to 1.36).',
    );
  });

  it('is loud where nobody is being called', () => {
    show(wireObjectPage({ object: failingCheckout({ alarm: wireAlarm({ state: 'silent', broken: 'rule' }) }) }));
    expect(document.querySelector('.say b')?.textContent).toBe(
      'Diverged for 47 min, and nobody is being called: no rule reads it',
    );
  });

  it('says what hangs on it', () => {
    show(wireObjectPage({ waitsForThis: [wireObject({ name: 'web', verdict: 'waiting' })], dependents: 3 }));
    expect(document.querySelector('.say')?.textContent).toContain('1 object waits for this one.');
    const waits = within(section(/^What depends on it/));
    expect(waits.getByRole('link', { name: 'web' }).getAttribute('href')).toContain('/flux-system/web');
    expect(waits.getByText('3 objects in all')).toBeTruthy();
  });
});

it('says of which time the changes are, and of which not all are listed that they are the newest', () => {
  const transitions = Array.from({ length: 500 }, (_, n) =>
    wireTransition(n + 1, n % 2 === 0 ? 'converged' : 'diverged', { from: n % 2 === 0 ? 'diverged' : 'converged' }),
  );
  const gaps = [{ from: minutesAgo(65), to: minutesAgo(5), state: 'unreachable', reason: 'refused' }];
  const note = (more: WireObjectPage['more']) => {
    cleanup();
    show(wireObjectPage({ object: wireObject(), transitions, gaps, more }));
    return section(/^Changes of verdict/).textContent;
  };
  expect(note({ transitions: true, gaps: true })).toContain(
    'the newest 500 changes and the newest 1 gap of the last 90 days',
  );
  const whole = note({ transitions: false, gaps: false });
  expect(whole).toContain('500 changes and 1 gap of the last 90 days');
  expect(whole).not.toContain('the newest');
});

describe('the figures', () => {
  it('tell since when and how well that is known', () => {
    const onset = { time: minutesAgo(47), bound: 'at-least' as const, noticedAt: minutesAgo(40) };
    show(wireObjectPage({ object: failingCheckout({ onset }) }));
    expect(screen.getByText('Since at least')).toBeTruthy();
    expect(screen.getByText('it began before it was seen')).toBeTruthy();
  });

  it('do not say of what was found after a gap that nothing had been recorded before', () => {
    const onset = { time: minutesAgo(5), bound: 'at-least' as const, noticedAt: minutesAgo(5) };
    const object = failingCheckout({ onset, awaySince: onset });
    const found = wireTransition(5, 'diverged', { bound: 'at-least', from: 'converged' });
    show(wireObjectPage({ object, transitions: [found, wireTransition(3_000, 'converged')] }));
    expect(screen.getByText('it began while nobody looked')).toBeTruthy();
  });

  it('lead from the commit that runs to its host', () => {
    show(wireObjectPage());
    const [link] = screen.getAllByRole('link', { name: '2d81e55' });
    expect(link?.getAttribute('href')).toBe(`https://git.example.org/acme/control-repo/-/commit/${lastGood}`);
  });

  it.each<readonly [string, Partial<WireCommitRange> | null, string, string]>([
    ['Broke between', {}, '2d81e55 and 9f31c07', 'at least 1 lies between'],
    ['Broke between', { seenBetween: 2 }, '2d81e55 and 9f31c07', 'at least 2 lie between'],
    ['Broke between', { seenBetween: 0 }, '2d81e55 and 9f31c07', 'how many lie between is not known'],
    [
      'Failed at',
      { firstBad: brokenRange.lastGood },
      '2d81e55',
      'where it had worked: no commit is known to be the cause',
    ],
    ['First failed at', { lastGood: null }, '9f31c07', 'it has never worked'],
    ['Was failing at', { lastGood: null, watched: false }, '9f31c07', 'where it last worked is not known'],
    ['Last worked at', { firstBad: null }, '2d81e55', 'where it first failed is not known'],
    ['Broke', { lastGood: null, firstBad: null }, 'not known', 'it names no revision that it tried'],
    ['Tried last', null, 'main@9f31c07', 'no commit is known to be the cause'],
  ])('%s: never one commit as the culprit (%j)', (name, part, value, note) => {
    show(wireObjectPage({ object: failingCheckout({ range: part && { ...brokenRange, ...part } }) }));
    const figure = screen.getByText(name, { selector: 'dt' }).closest('div');
    expect([...(figure?.children ?? [])].map(({ textContent }) => textContent)).toEqual([name, value, note]);
  });

  it('tell the last attempt and the next', () => {
    show(wireObjectPage());
    expect(screen.getByText('next in about 9 min, every 10 min')).toBeTruthy();
  });
});

describe('what the reconciler says', () => {
  const conditions = [
    {
      type: 'Ready',
      status: 'False',
      reason: 'BuildFailed',
      message: failingCheckout().message,
      lastTransitionTime: null,
    },
    { type: 'Healthy', status: 'True', reason: 'Succeeded', message: '', lastTransitionTime: minutesAgo(9) },
  ];

  it('shows every condition, and a message as text whatever is in it', () => {
    show(wireObjectPage({ conditions }));
    const table = screen.getByRole('table', { name: 'Conditions' });
    expect(
      within(table)
        .getAllByRole('rowheader')
        .map((head) => head.textContent),
    ).toEqual(['Ready', 'Healthy']);
    expect(within(table).getByText(/<b>no matches<\/b>/)).toBeTruthy();
  });

  it('shows the message once', () => {
    show(wireObjectPage({ conditions }));
    expect(within(section(/^What the reconciler says/)).getAllByText(/kustomize build failed/)).toHaveLength(1);
  });

  it('leads to the path in git', () => {
    show(wireObjectPage());
    const link = within(section(/^In git/)).getByRole('link', { name: /checkout$/ });
    expect(link.getAttribute('href')).toContain('/-/tree/');
  });

  it('says of the same evidence only once', () => {
    const line = { from: 'condition', text: 'Ready=False BuildFailed', at: minutesAgo(3) };
    show(wireObjectPage({ evidence: [line, line] }));
    expect(within(section(/^Evidence/)).getAllByRole('listitem')).toHaveLength(1);
  });
});

it('says by whom and since when it is suspended, and what is beneath', () => {
  const object = wireObject({ verdict: 'suspended', was: 'diverged' });
  show(wireObjectPage({ object, suspended: { field: 'spec.suspend', by: 'kubectl-patch', at: minutesAgo(31) } }));
  const text = section(/^Suspended/).textContent;
  expect(text).toContain('spec.suspend, set by kubectl-patch, 21 Nov 02:28:14 UTC.');
  expect(text).toContain('Beneath it: diverged.');
});

it('names what weakens the guarantee: the field, what it means, who set it', () => {
  const exemptions = [wireExemption({ by: 'flux', at: null, reach: null })];
  show(wireObjectPage({ object: failingCheckout({ exemptions }) }));
  expect(section(/^Weakens/).textContent).toContain('spec.prune what is removed from git staysby flux');
});

it('leads to the root cause', () => {
  const rootCause = {
    type: 'controller' as const,
    title: 'kustomize-controller on stg-edge',
    href: '/clusters/stg-edge',
    cluster: 'stg-edge',
    group: '',
    kind: '',
    namespace: 'flux-system',
    name: 'kustomize-controller',
  };
  show(wireObjectPage({ object: wireObject({ verdict: 'stale', rootCause }) }));
  expect(screen.getByRole('link', { name: 'kustomize-controller on stg-edge' }).getAttribute('href')).toBe(
    '/clusters/stg-edge',
  );
});

describe('history', () => {
  it('tells the same in a table', () => {
    show(wireObjectPage());
    const table = screen.getByRole('table', { name: 'History of checkout, newest first' });
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows.map((row) => row.textContent)).toEqual([
      'Diverged21 Nov 02:12:14 UTC47 min, ongoingBuildFailed, ran 2d81e55',
      'Converged21 Nov 00:29:14 UTC1 h 43 min',
      'Unobserved20 Nov 23:59:14 UTC30 minno route',
      'Convergedbefore 20 Nov 02:59:14 UTCat least 21 h',
    ]);
    expect(section(/^History/).textContent).toContain('converged 96.7 % of what was seen; seen 97.9 % of the time');
  });

  it('says so where the record cannot be read', () => {
    const page = wireObjectPage();
    const none = wireRecordOf(page.object);
    show(page, page, {
      ...none,
      history: { ...none.history, history: wireHistory({ lanes: [], recordedSince: null }) },
    });
    expect(section(/^History/).textContent).toContain('Nothing is recorded of it in this period.');
  });

  it('has the incidents that it was part of, with its own time in each', () => {
    const page = wireObjectPage();
    const older = wireMember({
      from: minutesAgo(298),
      to: minutesAgo(284),
      ended: 'converged',
      verdict: 'stale',
      reason: 'ControllerDead',
      own: false,
    });
    const memberships = wireMemberships([
      { member: wireMember(), incident: wireIncident() },
      { member: older, incident: overIncident() },
    ]);
    show(page, page, wireRecordOf(page.object, wireHistory(), memberships));
    const table = within(section(/^Incidents/)).getByRole('table');
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows.map((row) => [...row.children].map((cell) => cell.textContent?.trim()))).toEqual([
      [
        'Diverged',
        'Kustomization flux-system/checkout on eu-west-3',
        '21 Nov 02:12:14 UTC',
        '47 min, ongoing',
        'BuildFailed, its own fault',
        '1 object',
      ],
      [
        'Stale',
        'kustomize-controller on stg-edge',
        '20 Nov 22:01:14 UTC',
        '14 min, converged',
        'ControllerDead, beneath it',
        '14 objects on 1 cluster',
      ],
    ]);
    expect(within(table).getByRole('link', { name: 'kustomize-controller on stg-edge' }).getAttribute('href')).toBe(
      '/incidents/kustomize300',
    );
  });

  it('was part of none, which is not said while history is being made into incidents', () => {
    const page = wireObjectPage();
    show(page, page, wireRecordOf(page.object, wireHistory(), wireMemberships([], { made: { upTo: minutesAgo(90) } })));
    expect(section(/^Incidents/).textContent).toContain('told is what was known at 21 Nov 01:29:14 UTC');
    expect(section(/^Incidents/).textContent).toContain('It was part of none that is known so far.');
  });

  it('has its absences, folded away', () => {
    const page = wireObjectPage();
    show(page, page, wireRecordOf(page.object, wireHistory(), wireMemberships(), wireAbsences([wireAbsence()])));
    const detail = within(section(/^Incidents/)).getByRole('group');
    expect(detail.hasAttribute('open')).toBe(false);
    expect(detail.textContent).toContain('Once an object left git; it did not come back; 1 was still away at the end.');
    expect(within(detail).getAllByRole('row')).toHaveLength(2);
  });

  it('tells when nobody looked, among the changes and in what was seen', () => {
    const gap = { from: minutesAgo(60), to: minutesAgo(50), state: 'unreachable', reason: 'no route' };
    show(
      wireObjectPage({
        transitions: [wireTransition(47, 'diverged', { from: 'converged' }), wireTransition(120, 'converged')],
        gaps: [gap],
      }),
    );
    const rows = within(screen.getByRole('table', { name: /^Changes of verdict/ })).getAllByRole('row');
    expect(rows.map((row) => row.textContent?.slice(0, 22))).toEqual([
      'WhenFromToReasonRanMes',
      '21 Nov 02:12:14 UTCCon',
      '21 Nov 01:59:14 UTC No',
      '21 Nov 00:59:14 UTCfir',
    ]);
    expect(rows[2]?.textContent).toContain('Not seenunreachablefor 10 min, until 02:09:14 UTC: no route');
    expect(section(/^Changes of verdict/).textContent).toContain(
      '2 changes and 1 gap of the last 90 days, newest first',
    );
  });

  it('shows ten changes, and the older ones when asked', async () => {
    const transitions = Array.from({ length: 14 }, (_, index) =>
      wireTransition(index + 1, index % 2 === 0 ? 'diverged' : 'converged'),
    );
    const { user } = show(wireObjectPage({ transitions }));
    const table = screen.getByRole('table', { name: /^Changes of verdict/ });
    expect(within(table).getAllByRole('row')).toHaveLength(11);
    await user.click(screen.getByRole('button', { name: 'Show 4 older lines' }));
    expect(within(table).getAllByRole('row')).toHaveLength(15);
  });
});

describe('live', () => {
  it('shows a change at once and asks for what surrounds it', async () => {
    const mended = wireObject();
    const { asked } = show(wireObjectPage(), wireObjectPage({ object: mended }));
    act(() => FakeEventSource.last.open());
    act(() => FakeEventSource.last.send({ type: 'object', object: mended }));
    await waitFor(() => expect(document.querySelector('.say')?.textContent).toContain('Converged for'));
    await waitFor(() => expect(asked.some((path) => path.startsWith('/api/v1/object?cluster=eu-west-3'))).toBe(true));
  });

  it('says that the object is gone, and keeps what was known', () => {
    show(wireObjectPage());
    const { cluster, group, kind, namespace, name } = failingCheckout();
    act(() => FakeEventSource.last.send({ type: 'removed', ref: { cluster, group, kind, namespace, name } }));
    expect(screen.getByText('The cluster no longer has this object.')).toBeTruthy();
    expect(screen.getByRole('heading', { level: 1 })).toBeTruthy();
  });

  it('a cluster that is not seen is named before anything else', () => {
    show(
      wireObjectPage({
        cluster: { ...wireObjectPage().cluster, state: 'unreachable', reason: 'connection refused' },
      }),
    );
    expect(screen.getByText(/connection refused/).textContent).toContain('What stands here is what was last seen.');
  });
});

it('its commands can be copied', () => {
  show(wireObjectPage());
  expect(screen.getByRole('button', { name: /^Copy\s*the command flux get kustomizations checkout/ })).toBeTruthy();
});

it.each(['stale', 'unobserved'] as const)('claims no comparison now of what is %s', (verdict) => {
  show(wireObjectPage({ object: failingCheckout({ verdict, drift: 'none' }) }));
  expect(section(/^Drift/).textContent).toContain('nobody looks now');
});
