import type { KnownObject } from '../alarm/known-object.ts';
import { expect, it } from 'vitest';
import { defaultPolicy } from '../guarantee/guarantee.ts';
import { refKey } from '../observation/ref.ts';
import { roles, type Role } from '../observation/observation.ts';
import { noon, recorded } from '../testing/observed.ts';
import { gatheredTitle, parseColumnMode, providerFamily, rootsOf, type ColumnMode } from './column-of.ts';
import { columnSeeds } from './column-seeds.ts';
import { matrixRow } from './matrix-row.ts';

/** "id | group | title | position | filter" of each column that objects stand in. */
function columnsOf(mode: ColumnMode, ...objects: readonly KnownObject[]): readonly string[] {
  const known = { state: 'live', since: 0, bound: 'exact', reason: null, cautions: [] } as const;
  const cluster = { name: 'c1', labels: { env: 'prod' }, known };
  const { cells } = matrixRow(cluster, objects, { mode, policy: defaultPolicy, now: noon, seeds: columnSeeds() });
  return cells.map(({ seed: { id, group, title, position, filter } }) =>
    [id, group, title, position, JSON.stringify(filter)].join(' | '),
  );
}

const { ref } = recorded();

function of(role: Role, part: Partial<KnownObject> = {}): KnownObject {
  return recorded({
    ref: { ...ref, kind: `Kind-of-${role}`, group: 'rds.aws.upbound.io' },
    role,
    path: 'apps/shop',
    ...part,
  });
}

it('objects of each role stand in their column, those of one role in one', () => {
  const found = roles.map((role) => {
    const one = of(role);
    const other = of(role, { ref: { ...one.ref, namespace: 'other' } });
    expect(columnsOf({ by: 'delivery' }, one, other)).toEqual(columnsOf({ by: 'delivery' }, one));
    return `${role}: ${columnsOf({ by: 'delivery' }, one).join('; ')}`;
  });
  expect(found).toMatchInlineSnapshot(`
    [
      "source: source/Kind-of-source | sources | Kind-of-source | folder | {"kind":"Kind-of-source"}",
      "applier: Kind-of-applier/checkout | flux | checkout | applier | {"kind":"Kind-of-applier","name":"checkout"}",
      "managed: managed/rds.aws | flux | rds.aws | resource | {"reconciler":"flux","q":"rds.aws"}",
      "composite: composite/rds.aws.upbound.io/Kind-of-composite | flux | Kind-of-composite | resource | {"group":"rds.aws.upbound.io","kind":"Kind-of-composite"}",
      "claim: composite/rds.aws.upbound.io/Kind-of-claim | flux | Kind-of-claim | resource | {"group":"rds.aws.upbound.io","kind":"Kind-of-claim"}",
      "package: packages/flux | flux | packages | resource | {"reconciler":"flux"}",
      "definition: packages/flux | flux | packages | resource | {"reconciler":"flux"}",
      "helper: helpers/rds.aws.upbound.io | flux | helpers | resource | {"reconciler":"flux","group":"rds.aws.upbound.io"}",
      "declared: declared/checkout | declared | checkout | declared | {"group":"rds.aws.upbound.io","kind":"Kind-of-declared","name":"checkout"}",
    ]
  `);
});

it('Kustomizations stand by what delivers them, releases beneath theirs', () => {
  const deliveredBy = { ...ref, name: 'infra' };
  const release = { ...ref, group: 'helm.toolkit.fluxcd.io', kind: 'HelmRelease', name: 'redis' };
  const root = recorded({ ref: deliveredBy, path: 'clusters/c1' });
  const child = recorded({ path: 'apps/shop', deliveredBy });
  const bare = recorded({ ref: { ...ref, name: 'bare' }, path: null });
  const beneath = recorded({ ref: release, deliveredBy: ref, path: null });
  const alone = recorded({ ref: { ...release, name: 'alone' }, path: null });
  expect(columnsOf({ by: 'delivery' }, root, child, bare, beneath, alone)).toMatchInlineSnapshot(`
    [
      "Kustomization/infra | flux-system | infra | folder | {"kind":"Kustomization","name":"infra"}",
      "Kustomization/checkout | apps | checkout | folder | {"kind":"Kustomization","name":"checkout"}",
      "Kustomization/bare | flux-system | bare | folder | {"kind":"Kustomization","name":"bare"}",
      "HelmRelease/alone | releases | alone | applier | {"kind":"HelmRelease","name":"alone"}",
    ]
  `);
});

it.each(['reconciler', 'kind', 'group', 'namespace'] as const)('a column of %s is of its value', (by) => {
  const values = { reconciler: 'flux', kind: 'Kustomization', group: ref.group, namespace: 'flux-system' };
  expect(columnsOf({ by }, recorded())).toEqual([
    `${by}/${values[by]} | ${by} | ${values[by]} | folder | ${JSON.stringify({ [by]: values[by] })}`,
  ]);
  const bare = recorded({ ref: { ...ref, group: '', namespace: '' } });
  const nothing = { group: 'core', namespace: 'cluster-scoped', kind: '', reconciler: '' }[by];
  const empty = [`${by}/ | ${by} | ${nothing} | folder | ${JSON.stringify({ [by]: '-' })}`];
  expect(columnsOf({ by }, bare)).toEqual(nothing === '' ? columnsOf({ by }, recorded()) : empty);
});

it('a column of a label is of its value on the cluster', () => {
  expect(columnsOf({ by: 'label', key: 'env' }, recorded())).toEqual(['label/prod | env | prod | folder | {}']);
  expect(columnsOf({ by: 'label', key: 'tier' }, recorded())).toEqual(['label/ | tier | no tier | folder | {}']);
});

it.each([
  ['GitRepository', 'sources | shop'],
  ['OCIRepository', 'sources | shop'],
  ['Bucket', 'sources | shop'],
  ['ExternalArtifact', 'sources | shop'],
  ['HelmRepository', 'sources | Helm repositories'],
])('a %s stands under %s', (kind, column) => {
  const [first = ''] = columnsOf({ by: 'delivery' }, of('source', { ref: { ...ref, kind, name: 'shop' } }));
  expect(first.split(' | ').slice(1, 3).join(' | ')).toBe(column);
});

it.each<[role: Role, kind: string, title: string | null]>([
  ['source', 'HelmRepository', 'Helm repositories'],
  ['source', 'HelmChart', 'Helm charts'],
  ['source', 'GitRepository', null],
  ['package', 'Provider', 'packages'],
  ['definition', 'Composition', 'packages'],
  ['helper', 'ProviderConfig', 'helpers'],
  ['applier', 'Kustomization', null],
  ['managed', 'Instance', null],
  ['composite', 'XDatabase', null],
  ['claim', 'Database', null],
  ['declared', 'Stack', null],
])('a %s of kind %s is gathered under %j', (role, kind, title) => {
  expect(gatheredTitle({ role, ref: { ...ref, kind } })).toBe(title);
});

it.each(roles)('the seed of a column of a %s is made once', (role) => {
  const seeds = columnSeeds();
  const known = { state: 'live', since: 0, bound: 'exact', reason: null, cautions: [] } as const;
  const question = { mode: { by: 'delivery' }, policy: defaultPolicy, now: noon, seeds } as const;
  const [first, second] = [
    'rds.aws.upbound.io',
    role === 'managed' ? 'rds.aws.m.upbound.io' : 'rds.aws.upbound.io',
  ].map((group) => {
    const one = of(role);
    return matrixRow({ name: 'c1', labels: {}, known }, [{ ...one, ref: { ...one.ref, group } }], question).cells[0];
  });
  expect(first?.seed).toBeDefined();
  expect(second?.seed).toBe(first?.seed);
});

it.each<[what: string, mode: ColumnMode, object: KnownObject]>([
  ['a label', { by: 'label', key: 'env' }, recorded()],
  ['a value', { by: 'namespace' }, recorded()],
  ['a Kustomization', { by: 'delivery' }, recorded()],
  ['a source of a name', { by: 'delivery' }, of('source', { ref: { ...ref, kind: 'GitRepository' } })],
])('the seed of a column of %s is made once', (_what, mode, object) => {
  const question = { mode, policy: defaultPolicy, now: noon, seeds: columnSeeds() };
  const known = { state: 'live', since: 0, bound: 'exact', reason: null, cautions: [] } as const;
  const cluster = { name: 'c1', labels: { env: 'prod' }, known };
  const [first, second] = [object, object].map((one) => matrixRow(cluster, [one], question).cells[0]?.seed);
  expect(first).toBeDefined();
  expect(second).toBe(first);
});

it.each<[string, ColumnMode | null]>([
  ['delivery', { by: 'delivery' }],
  ['reconciler', { by: 'reconciler' }],
  ['kind', { by: 'kind' }],
  ['group', { by: 'group' }],
  ['namespace', { by: 'namespace' }],
  ['label:env', { by: 'label', key: 'env' }],
  ['label:', null],
  ['label', null],
  ['env', null],
  ['', null],
])('columns=%s is the trait %j', (text, mode) => {
  expect(parseColumnMode(text)).toEqual(mode);
});

it('a Kustomization that delivers Kustomizations is a root; one that delivers something else is none', () => {
  const named = (name: string, kind = 'Kustomization') => ({ ...ref, kind, name });
  const [flux, apps, shop] = [named('flux'), named('apps'), named('shop')];
  const roots = rootsOf([
    recorded({ ref: flux, deliveredBy: flux }),
    recorded({ ref: apps, deliveredBy: flux }),
    recorded({ ref: shop, deliveredBy: apps }),
    recorded({ ref: named('web', 'HelmRelease'), deliveredBy: shop }),
    recorded({ ref: named('inner'), deliveredBy: named('chart', 'HelmRelease') }),
    recorded({ ref: named('alone'), deliveredBy: null }),
  ]);
  expect([...roots]).toEqual([refKey(flux), refKey(apps)]);
});

it.each([
  ['rds.aws.upbound.io', 'rds.aws'],
  ['rds.aws.m.upbound.io', 'rds.aws'],
  ['nop.crossplane.io', 'nop'],
  ['upbound.io', 'upbound'],
  ['local', 'local'],
  ['', ''],
])('the provider family of %s is %s', (group, family) => {
  expect(providerFamily(group)).toBe(family);
});

it('an object without the trait stands in a column that says so', () => {
  const bare = recorded({ ref: { ...ref, group: '', kind: '', namespace: '' }, reconciler: '' });
  const found = (['reconciler', 'kind', 'group', 'namespace'] as const).map((by) => columnsOf({ by }, bare).join('; '));
  expect(found).toEqual([
    'reconciler/ | reconciler | none | folder | {"reconciler":"-"}',
    'kind/ | kind | none | folder | {"kind":"-"}',
    'group/ | group | core | folder | {"group":"-"}',
    'namespace/ | namespace | cluster-scoped | folder | {"namespace":"-"}',
  ]);
});
