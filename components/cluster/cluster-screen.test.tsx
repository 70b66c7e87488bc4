import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { WireClusterPage, WireController } from '#lib/api/cluster.ts';
import { FakeEventSource } from '../testing/fake-event-source.ts';
import { showPage } from '../testing/show-page.tsx';
import { minutesAgo, wireFleetSummary } from '../testing/wire-fleet.ts';
import { failingCheckout, wireCluster, wireClusterPage, wireFeed, wireObject } from '../testing/wire-object.ts';
import { wireRecordOn } from '../testing/wire-record.ts';
import { ClusterScreen } from './cluster-screen.tsx';

function show(page: WireClusterPage, search = '', after: WireClusterPage = page) {
  return showPage(
    <ClusterScreen page={page} summary={wireFleetSummary()} moment={null} record={wireRecordOn(page.cluster.name)} />,
    { search, answer: () => after },
  );
}

it('has a timeline of every kind, which leads to its objects, and its incidents', () => {
  show(wireClusterPage([]));
  const history = screen.getByRole('region', { name: /^History/ });
  expect(within(history).getByRole('link', { name: 'Kustomization' }).getAttribute('href')).toBe(
    '/history?cluster=eu-west-3&group=g&kind=Kustomization',
  );
  expect(within(history).getByRole('link', { name: 'as a table' }).getAttribute('href')).toBe(
    '/history?cluster=eu-west-3&last=24h&table=1',
  );
  const incidents = screen.getByRole('region', { name: /^Incidents/ });
  expect(incidents.textContent).toContain('No incident is known in this period.');
  expect(within(incidents).getByRole('link', { name: 'all of them' }).getAttribute('href')).toBe(
    '/incidents?cluster=eu-west-3&last=90d',
  );
});

it('leads to who would be called for what is on it', () => {
  show(wireClusterPage([]));
  expect(screen.getByRole('link', { name: 'Who would be called here' }).getAttribute('href')).toBe(
    '/alarms?cluster=eu-west-3',
  );
});

it('what is only declared on it is no title, and its number says so', () => {
  const stack = wireObject({ name: 'vpc', kind: 'Stack', group: 'declared', verdict: 'unobserved' });
  const of = { declared: 1, worst: 'converged' } as const;
  show(wireClusterPage([stack, wireObject({ name: 'web' })], { declared: 1, of }));
  expect(document.title).toBe('eu-west-3 · Plumbline');
  expect(screen.getByRole('button', { name: /^Unobserved/ }).textContent).toBe('Unobserved 1 (1 declared)');
});

it('a row of what is only declared has its name for a title', () => {
  const stack = wireObject({ name: 'dns', kind: 'Stack', group: 'declared', verdict: 'unobserved' });
  const of = { name: 'not on a cluster', state: 'declared', declared: 1, worst: null } as const;
  show(wireClusterPage([stack], { declared: 1, of }));
  expect(document.title).toBe('not on a cluster · Plumbline');
});

const mail = wireObject({ name: 'mail', namespace: 'mail', kind: 'HelmRelease', verdict: 'drifted' });
const many = Array.from({ length: 20 }, (_, index) => wireObject({ name: `app-${index}` }));
const rowNames = () =>
  within(screen.getByRole('table', { name: /worst first/ }))
    .getAllByRole('rowheader')
    .map((row) => row.textContent);

function wireController(part: Partial<WireController>): WireController {
  return {
    namespace: 'flux-system',
    name: 'kustomize-controller',
    lease: 'kustomize-controller-leader-election',
    state: 'dead',
    lastMovedAt: minutesAgo(21),
    durationSeconds: 35,
    holder: 'kustomize-controller-6f5b7c9d4-x2x9z',
    transitions: 3,
    version: 'v1.9.4',
    deployment: 'unknown',
    objects: 13,
    ...part,
  };
}

describe('how well it is known', () => {
  const feeds = [
    wireFeed(),
    wireFeed({
      kind: 'HelmRelease',
      group: 'helm.toolkit.fluxcd.io',
      state: 'forbidden',
      objects: 0,
      reason: 'may not list',
    }),
    wireFeed({ kind: 'Bucket', group: 'source.toolkit.fluxcd.io', objects: 0 }),
    wireFeed({ kind: 'GitRepository', group: 'source.toolkit.fluxcd.io', state: 'failed', reason: 'HTTP 500' }),
    wireFeed({ kind: 'OCIRepository', group: 'source.toolkit.fluxcd.io', state: 'silent' }),
    wireFeed({ kind: 'Terraform', group: 'infra.contrib.fluxcd.io', state: 'absent', objects: 0 }),
    wireFeed({ kind: 'Queue', group: 'sqs.aws.upbound.io', state: 'idle', objects: 0 }),
  ];
  const lines = () =>
    within(screen.getByRole('region', { name: /^What is read/ }))
      .getAllByRole('listitem')
      .map((line) => line.textContent);

  it('tells forbidden, failed, silent, live and live but empty apart, troubles first', () => {
    show(wireClusterPage([wireObject()], { of: { feeds } }));
    expect(lines().map((line) => line?.match(/forbidden|failed|silent|live, empty|live/)?.[0])).toEqual([
      'forbidden',
      'failed',
      'silent',
      'live',
      'live, empty',
    ]);
  });

  it('names the missing rule', () => {
    show(wireClusterPage([wireObject()], { of: { feeds } }));
    expect(lines()[0]).toContain('missing rule: get, list and watch on HelmRelease in helm.toolkit.fluxcd.io');
  });

  const rights = () => screen.queryByRole('region', { name: 'API groups that may not be read' })?.textContent ?? null;

  it('names the forbidden groups once, and the one command that mends it', () => {
    const more = ['s3', 'ec2'].map((name) =>
      wireFeed({ kind: name, group: `${name}.aws.upbound.io`, state: 'forbidden', objects: 0 }),
    );
    show(wireClusterPage([wireObject()], { of: { name: "it's", feeds: [...feeds, ...more] } }));
    expect(rights()).toContain('3 API groups: ec2.aws.upbound.io, helm.toolkit.fluxcd.io, s3.aws.upbound.io.');
    const context = String.raw`--context 'it'\''s'`;
    expect(rights()).toContain(`./plumbline rbac ${context} | kubectl ${context} apply -f -`);
    expect(rights()).not.toContain('clusterrolebinding');
  });

  it('where nothing may be read it says that the role has to be bound', () => {
    const refused = wireFeed({ state: 'forbidden', objects: 0 });
    show(wireClusterPage([], { of: { feeds: [refused] } }));
    expect(rights()).toContain('deploy/rbac/clusterrolebinding.yaml');
  });

  it('says nothing of rights where all may be read, and of a cluster that is not seen', () => {
    show(wireClusterPage([wireObject()], { of: { feeds: [wireFeed()] } }));
    expect(rights()).toBeNull();
    cleanup();
    show(wireClusterPage([wireObject()], { of: { feeds, state: 'unreachable' } }));
    expect(rights()).toBeNull();
  });

  it('names the rule that Deployments of controllers need', () => {
    const refused = wireFeed({ group: 'apps', kind: 'Deployment', state: 'forbidden', reason: 'no' });
    show(wireClusterPage([wireObject()], { of: { feeds: [refused] } }));
    expect(lines()[0]).toContain('missing rule: get and list on Deployment in apps');
  });

  it('names the ConfigMaps that Argo CD needs, and never asks for all of them', () => {
    const refused = wireFeed({ group: '', kind: 'ConfigMap', state: 'forbidden', reason: 'no' });
    show(wireClusterPage([wireObject()], { of: { feeds: [refused] } }));
    expect(lines()[0]).toContain('missing rule: get on ConfigMap argocd-cm and argocd-app-controller-shard-cm');
  });

  it.each([
    [-600_000, /API server is 10 min behind Plumbline’s/],
    [7_000, /API server is 7 s ahead of Plumbline’s/],
  ])('a clock that is off by %d ms is named', (clockAheadMs, words) => {
    show(wireClusterPage([wireObject()], { of: { feeds, clockAheadMs } }));
    expect(screen.getByText(words)).toBeTruthy();
  });

  it('a weak way in is named', () => {
    show(wireClusterPage([wireObject()], { of: { feeds, cautions: ['Its certificate is not verified.'] } }));
    expect(screen.getByText('Caution:').parentElement?.textContent).toBe('Caution: Its certificate is not verified.');
  });

  it.each([null, 0, 5_000])('one that is %s ms ahead is not', (clockAheadMs) => {
    show(wireClusterPage([wireObject()], { of: { feeds, clockAheadMs } }));
    expect(screen.queryByText(/The clock of its API server/)).toBeNull();
  });

  it('what is served and not judged is named, with the reason or as unknown', () => {
    const group = 'notification.toolkit.fluxcd.io';
    const unread = [
      { group, kind: 'Alert', why: 'it has no status' },
      { group, kind: 'Herald', why: null },
    ];
    show(wireClusterPage([wireObject()], { of: { feeds, unread } }));
    expect(screen.getByText(/known and not judged: Alert.notification.toolkit \(it has no status\)/)).toBeTruthy();
    expect(screen.getByText(/not known to Plumbline: Herald.notification.toolkit/)).toBeTruthy();
  });

  it('what is not served and what has no object are named, and are two things', () => {
    const probes = { kinds: 1, longestMs: 58_000 };
    show(wireClusterPage([wireObject()], { of: { feeds, probes } }));
    expect(screen.getByText(/Not served by this cluster: Terraform/)).toBeTruthy();
    expect(screen.getByText(/served, without objects.*\(longest wait 58 s\): Queue/)).toBeTruthy();
  });

  it.each([
    ['dead', 'unknown', 'stopped', 'its lease does not move any more; it should within 35 s'],
    ['dead', 'available', 'stuck', 'its pod is available, but its lease does not move any more'],
    ['dead', 'unavailable', 'no pod', 'its Deployment has no pod that is available'],
    ['dead', 'scaled-to-zero', 'scaled to 0', 'its Deployment is scaled to 0'],
    ['unknown', 'unknown', 'not known', 'nobody has been able to look at its lease lately'],
  ] as const)(
    'says why a controller is %s with a Deployment that is %s, and what depends on it',
    (state, deployment, word, why) => {
      show(wireClusterPage([wireObject()], { of: { controllers: [wireController({ state, deployment })] } }));
      const line = screen.getByRole('region', { name: /^Controllers/ }).textContent;
      for (const part of [word, why, '21 min', '13 objects depend on it.']) expect(line).toContain(part);
    },
  );

  it.each([
    [{ lastMovedAt: null }, 'its lease has not moved since it is watched'],
    [{ lastMovedAt: null, lease: null }, 'neither its Deployment nor a lease of it can be seen'],
  ] as const)('says why nothing is known of a controller', (part, why) => {
    show(wireClusterPage([wireObject()], { of: { controllers: [wireController({ state: 'unknown', ...part })] } }));
    expect(screen.getByRole('region', { name: /^Controllers/ }).textContent).toContain(why);
  });

  it.each([
    ['alive', 'available', 'v1.9.4 · held by kustomize-controller-6f5b7c9d4-x2x9z · pod available'],
    ['dead', 'unavailable', 'v1.9.4 · last held by kustomize-controller-6f5b7c9d4-x2x9z'],
  ] as const)('names version and holder of a controller that is %s', (state, deployment, run) => {
    show(wireClusterPage([wireObject()], { of: { controllers: [wireController({ state, deployment })] } }));
    expect(screen.getByText(run)).toBeTruthy();
  });

  it('a cluster that is lost is one line, not one a kind', () => {
    const gone = { state: 'failed' as const, reason: 'no route to host', since: minutesAgo(38) };
    const kinds = ['Kustomization', 'GitRepository', 'Bucket'].map((kind) => wireFeed({ kind, ...gone }));
    show(
      wireClusterPage([], { of: { state: 'unreachable', since: minutesAgo(38), reason: 'no route', feeds: kinds } }),
    );
    expect(lines()).toHaveLength(1);
    expect(lines()[0]).toContain('3 kindsfailed3938 min');
    expect(lines()[0]).toContain('Bucket.kustomize.toolkit, GitRepository.kustomize.toolkit, Kustomization');
    // Why the cluster is lost stands at the top of the page.
    expect(lines()[0]).not.toContain('no route to host');
  });

  it('kinds in the same trouble on a cluster that is seen are one line with its cause; another cause is another line', () => {
    const failed = (kind: string, reason: string) => wireFeed({ kind, state: 'failed', reason });
    const refused = (kind: string) => wireFeed({ kind, state: 'forbidden', reason: `cannot list ${kind}` });
    const mixed = [failed('A', 'HTTP 500'), failed('B', 'HTTP 500'), failed('C', 'HTTP 503')];
    show(wireClusterPage([], { of: { feeds: [...mixed, refused('D'), refused('E'), wireFeed()] } }));
    expect(lines()).toHaveLength(4);
    expect(lines()[0]).toContain('missing rule: get, list and watch on D, E in kustomize.toolkit.fluxcd.io');
    expect(lines()[1]).toMatch(/^2 kinds.*A\.kustomize\.toolkit, B\.kustomize\.toolkit\. HTTP 500$/);
    expect(lines()[2]).toMatch(/^C .*HTTP 503$/);
  });

  it('names HTTP/1.1', () => {
    show(wireClusterPage([wireObject()], { of: { protocol: 'http/1.1' } }));
    expect(screen.getByText(/speaks HTTP\/1.1 only/)).toBeTruthy();
  });

  it('says why and since when it is not seen, and when it last spoke', () => {
    show(
      wireClusterPage([], {
        of: { state: 'unreachable', since: minutesAgo(38), reason: 'connection refused', lastWordAt: minutesAgo(38) },
      }),
    );
    const text = screen.getByText(/connection refused/).textContent;
    expect(text).toContain('Not seen (unreachable) for 38 min: connection refused');
    expect(text).toContain('Its last word was at 21 Nov 02:21:14 UTC');
  });
});

describe('its objects', () => {
  it('stand worst first; those in order are folded until asked for', async () => {
    const { user, urls } = show(wireClusterPage([failingCheckout(), mail, ...many]));
    expect(rowNames()).toEqual(['checkout in flux-system', 'mail in mail']);
    await user.click(screen.getByRole('button', { name: 'Show them' }));
    expect(rowNames()).toHaveLength(22);
    expect(urls.at(-1)).toBe('?all=true');
  });

  it('are narrowed by what stands in the URL', () => {
    show(wireClusterPage([failingCheckout(), mail, ...many]), '?verdict=drifted');
    expect(rowNames()).toEqual(['mail in mail']);
  });

  it('says what it is filtered by, and asks anew for sentence and objects when that changes', async () => {
    const filter = { text: 'kind HelmRelease', outside: 'Outside this filter: 1 diverged.' };
    const { user, asked } = show(
      wireClusterPage([mail], { filter, sentence: 'So it is: 1 object.', of: { objects: 2 } }),
      '?kind=HelmRelease&verdict=diverged',
      wireClusterPage([failingCheckout(), mail]),
    );
    expect(screen.getByText(/^Filtered by/).textContent).toBe(
      'Filtered by kind HelmRelease. Outside this filter: 1 diverged.',
    );
    expect(screen.getByRole('link', { name: filter.outside }).getAttribute('href')).toBe('/clusters/eu-west-3');
    expect(screen.getByText('No object here matches diverged and kind HelmRelease.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Look without kind HelmRelease' }));
    await waitFor(() => expect(rowNames()).toEqual(['checkout in flux-system']));
    expect(asked).toEqual(['/api/v1/clusters/eu-west-3']);
    expect(screen.queryByText(/^Filtered by/)).toBeNull();
  });

  it('arrows lead from row to row', async () => {
    const { user } = show(wireClusterPage([failingCheckout(), mail]));
    const table = screen.getByRole('table', { name: /worst first/ });
    const links = within(table).getAllByRole('link', { name: /checkout|mail/ });
    links[0]?.focus();
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(links[1]);
    await user.keyboard('{Home}');
    expect(document.activeElement).toBe(links[0]);
  });

  it('beyond 200 only a part of the rows is there, and the table says how many there are', () => {
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(29);
    const objects = Array.from({ length: 1000 }, (_, index) =>
      wireObject({ name: `app-${index}`, verdict: 'diverged' }),
    );
    show(wireClusterPage(objects));
    const table = screen.getByRole('table', { name: /worst first/ });
    expect(table.getAttribute('aria-rowcount')).toBe('1001');
    const rows = within(table).getAllByRole('row');
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.length).toBeLessThan(120);
  });
});

it('tells what depends on what in words, too', () => {
  const web = wireObject({ name: 'web', verdict: 'waiting' });
  const checkout = failingCheckout();
  const keyOf = (name: string) => `eu-west-3/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/${name}`;
  show(
    wireClusterPage([checkout, web], {
      edges: [{ from: keyOf('checkout'), to: keyOf('web'), relation: 'dependency' }],
    }),
  );
  expect(screen.getByRole('list', { name: 'What depends on what, in words' }).textContent).toBe(
    'web (waiting) depends on checkout (diverged)',
  );
});

it('shows what the stream tells at once, and asks for its objects when counts have changed', async () => {
  const page = wireClusterPage([failingCheckout()]);
  const { asked } = show(page, '', wireClusterPage([wireObject()], { sentence: 'So it is: 1 object.' }));
  act(() => FakeEventSource.last.send({ type: 'cluster', cluster: wireCluster({ objects: 1, state: 'live' }) }));
  await waitFor(() => expect(screen.getByText('So it is: 1 object.')).toBeTruthy());
  expect(asked).toEqual(['/api/v1/clusters/eu-west-3']);
});
