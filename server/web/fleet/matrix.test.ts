import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { describe, expect, it } from 'vitest';
import { clusterMatcher, scopeOf } from '#lib/api/scope.ts';
import { FleetView, WireRow } from '#lib/api/fleet.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { noUpstreams } from '#lib/domain/record/upstreams.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { parseColumnMode } from '#lib/domain/matrix/column-of.ts';
import { providerFamily } from '#lib/domain/matrix/column-of.ts';
import { pathGroup } from '#lib/domain/matrix/column-seeds.ts';
import { columnSeeds } from '#lib/domain/matrix/column-seeds.ts';
import { matrixColumns } from '#lib/domain/matrix/matrix-columns.ts';
import { matrixRow } from '#lib/domain/matrix/matrix-row.ts';
import type { MatrixRow } from '#lib/domain/matrix/matrix-row.ts';
import { matrixView, parseLabels, parseVerdicts } from '#lib/domain/matrix/matrix-view.ts';
import { rankOfRow } from '#lib/domain/matrix/matrix-order.ts';
import { wireRow } from '../wire/wire-row.ts';
import { hour } from '#lib/domain/time/length.ts';

const now = Date.UTC(2026, 10, 21, 2, 0, 0);
const flux = 'kustomize.toolkit.fluxcd.io';

type Rest = Partial<Omit<KnownObject, 'ref'>>;

function object(ref: Partial<ObjectRef> & { readonly name: string }, rest: Rest = {}): KnownObject {
  const onset = { time: now - hour, bound: 'exact' as const, noticedAt: now - hour };
  return {
    ref: { cluster: 'a', group: flux, kind: 'Kustomization', namespace: 'flux-system', ...ref },
    uid: 'u',
    reconciler: 'flux',
    role: 'applier',
    verdict: 'converged',
    was: null,
    reconciling: false,
    rolling: false,
    reason: 'ReconciliationSucceeded',
    message: '',
    sentence: '',
    onset,
    awaySince: rest.verdict === undefined || rest.verdict === 'converged' ? null : onset,
    confirmation: 'pass',
    observedAt: now,
    confirmedAt: now,
    validUntil: null,
    revision: { applied: null, attempted: null, offered: null },
    commit: '2d81a0c4a0c42d81a0c4a0c42d81a0c4a0c42d81',
    commitDiffers: 'no',
    path: `apps/${ref.name}`,
    builds: null,
    source: null,
    deliveredBy: null,
    upstreams: noUpstreams,
    repository: null,
    rootCause: null,
    range: null,
    drift: 'none',
    exemptions: [],
    alarm: { state: 'sounding', since: 0, by: 'own' },
    ...rest,
  };
}

const delivered = (name: string): ObjectRef => object({ name }).ref;
const release = (name: string, by: string, rest: Rest = {}): KnownObject =>
  object(
    { name, kind: 'HelmRelease', group: 'helm.toolkit.fluxcd.io', namespace: 'apps' },
    { reconciler: 'helm', deliveredBy: delivered(by), path: null, ...rest },
  );
const crossplane = (kind: string, group: string, role: KnownObject['role'], rest: Rest = {}): KnownObject =>
  object(
    { name: `${kind.toLowerCase()}-1`, kind, group, namespace: '' },
    { reconciler: 'crossplane', role, path: null, ...rest },
  );
const source = (kind: string, name: string): KnownObject =>
  object({ name, kind, group: 'source.toolkit.fluxcd.io' }, { role: 'source', path: null });

/** Of all rows: they are laid under the same columns. */
const seeds = columnSeeds();

function row(
  objects: readonly KnownObject[],
  options: { name?: string; labels?: Record<string, string>; columns?: string; state?: 'live' | 'unobserved' } = {},
): MatrixRow {
  const { name = 'a', labels = { environment: 'production' }, columns = 'delivery', state = 'live' } = options;
  const mode = parseColumnMode(columns) ?? { by: 'delivery' };
  const cluster = {
    name,
    labels,
    known: { state, since: now - hour, bound: 'exact' as const, reason: null, cautions: [] },
  };
  return matrixRow(cluster, objects, {
    mode,
    policy: defaultPolicy,
    now,
    seeds,
  });
}

function titles(rows: readonly MatrixRow[]): string[] {
  return matrixColumns(rows).map(({ group, title }) => `${group}: ${title}`);
}

describe('columns by delivery', () => {
  it.each<[string, KnownObject, string]>([
    ['a GitRepository by its name', source('GitRepository', 'control'), 'sources: control'],
    ['an OCIRepository by its name', source('OCIRepository', 'charts'), 'sources: charts'],
    ['a Bucket by its name', source('Bucket', 'artifacts'), 'sources: artifacts'],
    ['all HelmRepositories in one', source('HelmRepository', 'bitnami'), 'sources: Helm repositories'],
    ['all HelmCharts in one', source('HelmChart', 'apps-api'), 'sources: Helm charts'],
    [
      'a Kustomization under the folder of its path',
      object({ name: 'checkout' }, { path: 'clusters/production/a/apps/checkout' }),
      'apps: checkout',
    ],
    ['a HelmRelease that nothing delivers, by its name', release('api', 'gone'), 'releases: api'],
    [
      'a managed resource by its family',
      crossplane('Instance', 'rds.aws.upbound.io', 'managed'),
      'crossplane: rds.aws',
    ],
    ['a composite by its kind', crossplane('XDatabase', 'acme.example.org', 'composite'), 'crossplane: XDatabase'],
    ['a claim by its kind', crossplane('Database', 'acme.example.org', 'claim'), 'crossplane: Database'],
    ['a provider', crossplane('Provider', 'pkg.crossplane.io', 'package'), 'crossplane: packages'],
    [
      'a definition',
      crossplane('CompositeResourceDefinition', 'apiextensions.crossplane.io', 'definition'),
      'crossplane: packages',
    ],
    [
      'a Terraform',
      object({ name: 'vpc', kind: 'Terraform', group: 'infra.contrib.fluxcd.io' }, { reconciler: 'terraform' }),
      'terraform: vpc',
    ],
    [
      'an Application',
      object({ name: 'web', kind: 'Application', group: 'argoproj.io' }, { reconciler: 'argocd' }),
      'argocd: web',
    ],
  ])('%s', (_name, one, title) => {
    expect(titles([row([one])])).toEqual([title]);
  });

  it('what is only declared stands last, whatever owns the rest', () => {
    const declared = object(
      { name: 'legacy-vpc', kind: 'Stack', group: 'declared', namespace: '' },
      { role: 'declared', reconciler: 'none' },
    );
    const stack = object({ name: 'edge', kind: 'Stack', group: 'pulumi.com' }, { reconciler: 'pulumi' });
    const rows = [row([declared, crossplane('Bucket', 's3.aws.upbound.io', 'managed'), stack, object({ name: 'x' })])];
    expect(titles(rows).slice(1)).toEqual(['pulumi: edge', 'crossplane: s3.aws', 'declared: legacy-vpc']);
  });

  it('what is only declared says nothing of a cell that holds anything else, nor of its row', () => {
    const declared = object(
      { name: 'legacy-vpc', kind: 'Stack', group: 'declared', namespace: '' },
      { role: 'declared', reconciler: 'none', verdict: 'unobserved' },
    );
    const seen = object({ name: 'web' }, { verdict: 'behind' });
    for (const objects of [
      [declared, seen],
      [seen, declared],
    ]) {
      const made = row(objects, { columns: 'label:environment' });
      expect(made).toMatchObject({ worst: 'behind', declared: 1 });
      expect(made.cells).toMatchObject([{ worst: { verdict: 'behind' }, objects: 2 }]);
    }
  });

  it('a HelmRelease stands in the column of the Kustomization that delivers it', () => {
    const [column, ...others] = matrixColumns([row([object({ name: 'checkout' }), release('api', 'checkout')])]);
    expect(column).toMatchObject({ title: 'checkout', object: null });
    expect(others).toEqual([]);
  });

  it('but not in that of the root that delivers Kustomizations', () => {
    const root = object(
      { name: 'flux-system' },
      { path: 'clusters/production/a', deliveredBy: delivered('flux-system') },
    );
    expect(titles([row([root, release('api', 'flux-system')])])).toEqual(['flux-system: flux-system', 'releases: api']);
  });

  it('the legacy and the namespaced API of a provider are one column', () => {
    const both = [
      crossplane('Instance', 'rds.aws.upbound.io', 'managed'),
      crossplane('Instance', 'rds.aws.m.upbound.io', 'managed'),
    ];
    expect(titles([row(both)])).toEqual(['crossplane: rds.aws']);
  });

  it('heads come in the order of delivery', () => {
    const objects = [
      release('api', 'gone'),
      crossplane('XDb', 'x.example.org', 'composite'),
      object({ name: 'web' }, { path: 'teams/web' }),
      object({ name: 'checkout' }),
      object({ name: 'dns' }, { path: 'infrastructure/dns' }),
      source('GitRepository', 'control'),
    ];
    expect(titles([row(objects)])).toEqual([
      'sources: control',
      'infrastructure: dns',
      'apps: checkout',
      'teams: web',
      'releases: api',
      'crossplane: XDb',
    ]);
  });

  it('clusters that disagree on the head of a column follow the most', () => {
    const rows = ['apps/x', 'apps/x', 'old/x'].map((path, index) =>
      row([object({ name: 'x' }, { path })], { name: `c${index}` }),
    );
    expect(titles(rows)).toEqual(['apps: x']);
  });

  it('a column names its one object where every cell stands for it, and only then', () => {
    const here = row([object({ name: 'checkout' })]);
    const there = row([object({ name: 'checkout', cluster: 'b' })], { name: 'b' });
    const elsewhere = row([object({ name: 'checkout', cluster: 'c', namespace: 'team' })], { name: 'c' });
    expect(matrixColumns([here, there])[0]?.object).toEqual({
      group: flux,
      kind: 'Kustomization',
      namespace: 'flux-system',
      name: 'checkout',
    });
    expect(matrixColumns([here, there, elsewhere])[0]?.object).toBeNull();
  });
});

describe('the head of a path', () => {
  it.each([
    ['clusters/production/eu-west-3/apps/checkout', 'eu-west-3', 'apps'],
    ['apps/checkout', 'eu-west-3', 'apps'],
    ['apps/production', 'eu-west-3', 'apps'],
    ['./apps/checkout', 'eu-west-3', 'apps'],
    ['infrastructure/controllers', 'eu-west-3', 'infrastructure'],
    ['infrastructure/network/dns', 'eu-west-3', 'infrastructure'],
    ['clusters/production/eu-west-3/infrastructure/network/dns', 'eu-west-3', 'infrastructure'],
    ['clusters/production/eu-west-3/checkout', 'eu-west-3', null],
    ['clusters/production/eu-west-3', 'eu-west-3', null],
    ['clusters/production', 'eu-west-3', null],
    ['checkout', 'eu-west-3', null],
    ['', 'eu-west-3', null],
    [null, 'eu-west-3', null],
  ])('%s', (path, cluster, group) => {
    expect(pathGroup(path, cluster)).toBe(group);
  });
});

describe('the family of an API group', () => {
  it.each([
    ['rds.aws.upbound.io', 'rds.aws'],
    ['rds.aws.m.upbound.io', 'rds.aws'],
    ['nop.crossplane.io', 'nop'],
    ['helm.m.crossplane.io', 'helm'],
    ['database.gcp.upbound.io', 'database.gcp'],
    ['example.org', 'example'],
    ['', ''],
  ])('%s is %s', (group, family) => {
    expect(providerFamily(group)).toBe(family);
  });
});

describe('other columns', () => {
  const objects = [
    object({ name: 'checkout' }),
    release('api', 'gone'),
    crossplane('Instance', 'rds.aws.upbound.io', 'managed'),
  ];
  it.each([
    ['reconciler', ['crossplane', 'flux', 'helm']],
    ['kind', ['HelmRelease', 'Instance', 'Kustomization']],
    ['group', ['helm.toolkit.fluxcd.io', flux, 'rds.aws.upbound.io']],
    ['namespace', ['apps', 'cluster-scoped', 'flux-system']],
    ['label:environment', ['production']],
    ['label:region', ['no region']],
  ])('by %s', (columns, expected) => {
    expect(matrixColumns([row(objects, { columns })]).map(({ title }) => title)).toEqual(expected);
  });

  it.each(['', 'colour', 'label:', 'Label:x'])('%j is no way to make columns', (text) => {
    expect(parseColumnMode(text)).toBeNull();
  });
});

function wire(built: MatrixRow): WireRow {
  return WireRow.parse(
    wireRow(built, matrixColumns([built]), { rows: 'environment', show: 'region, tier' }, () => null, now),
  );
}

it.each([
  ['its worst', 'stale', 'live', 3],
  ['lost with nothing of it ever seen: not observed', null, 'unreachable', 4],
  ['nobody vouches for it', null, 'unobserved', 4],
  ['empty comes last', null, 'live', 11],
  ['not read yet is no fault', null, 'connecting', 11],
  ['what is only declared is no cluster', null, 'declared', 11],
] as const)('the rank of a row: %s', (_name, worst, state, rank) => {
  expect(rankOfRow({ worst, state })).toBe(rank);
});

describe('a cell', () => {
  it('is as bad as its worst object, and leads to it', () => {
    const { cells, marks } = wire(
      row([
        object({ name: 'checkout' }),
        release('api', 'checkout', { verdict: 'unhealthy', reason: 'X' }),
        release('db', 'checkout', { verdict: 'behind' }),
      ]),
    );
    expect(cells).toBe('H');
    expect(marks).toMatchObject([
      { n: 3, href: '/clusters/a/helm.toolkit.fluxcd.io/HelmRelease/apps/api', say: 'since 21 Nov 01:00 UTC, X' },
    ]);
  });

  it('is led by silence before verdict', () => {
    const built = row([
      object({ name: 'checkout' }, { verdict: 'diverged' }),
      release('api', 'checkout', { verdict: 'behind', alarm: { state: 'silent', broken: 'rule' } }),
    ]);
    expect(wire(built)).toMatchObject({ cells: 'B', silent: 1, marks: [{ alarm: 'silent' }] });
  });

  it('is not silent before its deadline', () => {
    const onset = { time: now - 60_000, bound: 'exact' as const, noticedAt: now };
    const built = row([
      object({ name: 'checkout' }, { verdict: 'diverged', awaySince: onset, alarm: { state: 'not-due' } }),
    ]);
    expect(wire(built)).toMatchObject({ silent: 0, marks: [{ alarm: 'not-due' }] });
  });

  it('has no mark while it is converged at the newest commit', () => {
    expect(wire(row([object({ name: 'checkout' }, { reconciling: true })])).marks).toEqual([]);
  });

  it('names the commit where it differs', () => {
    expect(wire(row([object({ name: 'checkout' }, { commitDiffers: 'yes' })])).marks).toMatchObject([
      { commit: '2d81a0c' },
    ]);
  });

  it('names it with a doubt where what is offered is not read, and one that differs before that', () => {
    const unread = object({ name: 'checkout' }, { commitDiffers: 'unknown' });
    expect(wire(row([unread])).marks).toMatchObject([{ commit: '2d81a0c', unread: true }]);
    const differs = object({ name: 'cart' }, { commitDiffers: 'yes', commit: 'b'.repeat(40) });
    for (const objects of [
      [unread, differs],
      [differs, unread],
    ])
      expect(wire(row(objects, { columns: 'namespace' })).marks).toMatchObject([{ commit: 'bbbbbbb' }]);
  });

  it('says "at least" where it began before anybody looked', () => {
    const onset = { time: now - hour, bound: 'at-least' as const, noticedAt: now };
    expect(
      wire(row([object({ name: 'checkout' }, { verdict: 'stale', awaySince: onset, reason: '' })])).marks[0]?.say,
    ).toBe('since at least 21 Nov 01:00 UTC');
  });

  it('names the year where it is another one', () => {
    const onset = { time: now - 365 * 24 * hour, bound: 'exact' as const, noticedAt: now };
    const away = object({ name: 'checkout' }, { verdict: 'stale', awaySince: onset, reason: '' });
    expect(wire(row([away])).marks[0]?.say).toBe('since 21 Nov 2025 02:00 UTC');
  });

  it('of a cluster that is not seen is hatched, and said once in the row', () => {
    const built = row(
      [object({ name: 'checkout' }, { verdict: 'unobserved' }), object({ name: 'web' }, { verdict: 'unobserved' })],
      { state: 'unobserved' },
    );
    expect(wire(built)).toMatchObject({ cells: 'OO', marks: [], state: 'unobserved', worst: 'unobserved' });
  });

  it('says where drift is measured for none or only some of what is behind it; what applies nothing has none', () => {
    const unmeasured = { drift: 'not-measured' } as const;
    const built = row([
      source('GitRepository', 'control'),
      object({ name: 'a' }),
      object({ name: 'b' }, unmeasured),
      object({ name: 'checkout' }),
      release('api', 'checkout', unmeasured),
      object({ name: 'z' }),
    ]);
    const columns = matrixColumns([built]);
    const { drift } = wireRow(built, columns, { rows: '', show: '' }, () => null, now);
    expect(columns.map(({ title }, c) => `${title}:${drift[c] ?? ' '}`).toSorted()).toEqual(
      ['a: ', 'b:a', 'checkout:s', 'control: ', 'z: '].toSorted(),
    );
  });

  it('stands beside the labels that the view shows', () => {
    expect(wire(row([object({ name: 'x' })], { labels: { region: 'eu' } })).labels).toEqual(['eu', '']);
  });

  it('is a space where nothing is deployed', () => {
    const both = [row([object({ name: 'x' })]), row([object({ name: 'y', cluster: 'b' })], { name: 'b' })];
    const columns = matrixColumns(both);
    expect(both.map((built) => wireRow(built, columns, { rows: '', show: '' }, () => null, now).cells)).toEqual([
      'c ',
      ' c',
    ]);
  });
});

function fleetRow(name: string, environment: string, verdicts: readonly Verdict[], silent = false): MatrixRow {
  const alarm: KnownObject['alarm'] = silent
    ? { state: 'silent', broken: 'rule' }
    : { state: 'sounding', since: 0, by: 'own' };
  return row(
    verdicts.map((verdict, index) => object({ name: `app-${index}`, cluster: name }, { verdict, alarm })),
    { name, labels: { environment } },
  );
}

const fleet = [
  fleetRow('p-good', 'production', ['converged', 'converged']),
  fleetRow('p-stale', 'production', ['stale', 'converged']),
  fleetRow('p-two', 'production', ['stale', 'stale']),
  fleetRow('s-bad', 'staging', ['diverged', 'converged']),
  fleetRow('s-good', 'staging', ['converged', 'converged']),
  fleetRow('z-silent', 'test', ['behind', 'converged'], true),
  fleetRow('empty', 'test', []),
];

function view(part: Partial<FleetView>): { rows: string[]; columns: string[] } {
  const full = FleetView.parse(part);
  const laid = matrixView(full, fleet, matrixColumns(fleet));
  return { rows: laid.rows.map(({ cluster }) => cluster), columns: laid.columns.map(({ title }) => title) };
}

describe('the order of rows', () => {
  it('silent above all groups, groups by their worst, worst first within', () => {
    expect(view({}).rows).toEqual(['z-silent', 's-bad', 's-good', 'p-two', 'p-stale', 'p-good', 'empty']);
  });
  it('without groups', () => {
    expect(view({ rows: '' }).rows).toEqual(['z-silent', 's-bad', 'p-two', 'p-stale', 'p-good', 's-good', 'empty']);
  });
  it('by name', () => {
    expect(view({ sort: 'name' }).rows).toEqual(['p-good', 'p-stale', 'p-two', 's-bad', 's-good', 'empty', 'z-silent']);
  });
  it('does not depend on the order of arrival', () => {
    const reversed = matrixView(FleetView.parse({}), fleet.toReversed(), matrixColumns(fleet));
    expect(reversed.rows.map(({ cluster }) => cluster)).toEqual(view({}).rows);
  });
});

describe('a filtered view', () => {
  it.each<[Partial<FleetView>, string[], string[]]>([
    [{ verdict: 'diverged' }, ['s-bad'], ['app-0']],
    [{ verdict: 'diverged,behind' }, ['z-silent', 's-bad'], ['app-0']],
    [{ verdict: 'waiting' }, [], []],
  ])('%j', (part, rows, columns) => {
    expect(view(part)).toEqual({ rows, columns });
  });

  it.each<[Partial<FleetView>, boolean]>([
    [{}, true],
    [{ cluster: 'a' }, true],
    [{ cluster: 'b,a' }, true],
    [{ cluster: 'b' }, false],
    [{ label: 'environment=production' }, true],
    [{ label: 'environment=production,region=eu' }, false],
  ])('%j shows the cluster: %s', (part, shown) => {
    expect(clusterMatcher(scopeOf(FleetView.parse(part)))({ name: 'a', labels: { environment: 'production' } })).toBe(
      shown,
    );
  });

  it('reads verdicts and labels, and says where they are none', () => {
    expect(parseVerdicts('diverged, stale')).toEqual(['diverged', 'stale']);
    expect(parseVerdicts('')).toEqual([]);
    expect(parseVerdicts('diverged,green')).toBeNull();
    expect(parseLabels('a=b,c=d=e')).toEqual([
      ['a', 'b'],
      ['c', 'd=e'],
    ]);
    expect(parseLabels('a')).toBeNull();
  });
});
