import { expect, it } from 'vitest';
import { defaultPolicy } from '../guarantee/guarantee.ts';
import type { ObjectRef } from '../observation/ref.ts';
import { noon, recorded } from '../testing/observed.ts';
import { columnSeeds } from './column-seeds.ts';
import { matrixColumns } from './matrix-columns.ts';
import { matrixRow } from './matrix-row.ts';

/** The columns by kind of clusters with these objects. */
function columnsOf(...clusters: readonly (readonly Partial<ObjectRef>[])[]) {
  const question = { mode: { by: 'kind' }, policy: defaultPolicy, now: noon, seeds: columnSeeds() } as const;
  const { ref } = recorded();
  return matrixColumns(
    clusters.map((refs, at) => {
      const known = { state: 'live', since: 0, bound: 'exact', reason: null, cautions: [] } as const;
      const cluster = { name: `c${at}`, labels: {}, known };
      const objects = refs.map((rest) => recorded({ ref: { ...ref, cluster: cluster.name, ...rest } }));
      return matrixRow(cluster, objects, question);
    }),
  );
}

it.each<[what: string, clusters: Partial<ObjectRef>[][], name: string | null]>([
  ['of one object on one cluster', [[{ name: 'a' }]], 'a'],
  ['of the same on each', [[{ name: 'a' }], [{ name: 'a' }], [{ name: 'a' }]], 'a'],
  ['of two on one cluster', [[{ name: 'a' }, { name: 'b' }]], null],
  ['of the same on each, and another on the last', [[{ name: 'a' }], [{ name: 'a' }, { name: 'b' }]], null],
  ['of another on each', [[{ name: 'a' }], [{ name: 'b' }]], null],
  ['of another namespace on each', [[{ name: 'a' }], [{ name: 'a', namespace: 'other' }]], null],
  ['of another API group on each', [[{ name: 'a' }], [{ name: 'a', group: 'other.io' }]], null],
])('a column %s is of the object %j', (_what, clusters, name) => {
  expect(columnsOf(...clusters).map(({ object }) => object?.name ?? null)).toEqual([name]);
});

it('columns stand in the order of their titles, whichever cluster comes first', () => {
  const [zebra, ant] = [{ kind: 'Zebra' }, { kind: 'Ant' }];
  const titles = [columnsOf([zebra], [ant]), columnsOf([ant, zebra])].map((columns) =>
    columns.map(({ title }) => title),
  );
  expect(titles).toEqual([
    ['Ant', 'Zebra'],
    ['Ant', 'Zebra'],
  ]);
});

it.each([
  ['tenants', 4, 'apps', 3],
  ['tenants', 2, 'apps', 3],
  ['tenants', 3, 'apps', 4],
])('of %s on %d clusters alike and %s on %d unlike, the more frequent is the header', (alike, many, other, few) => {
  const seeds = columnSeeds();
  const question = { mode: { by: 'delivery' }, policy: defaultPolicy, now: noon, seeds } as const;
  const { ref } = recorded();
  const rowOf = (folder: string, name: string, beside: readonly string[]) => {
    const known = { state: 'live', since: 0, bound: 'exact', reason: null, cautions: [] } as const;
    const objects = ['checkout', ...beside].map((each) =>
      recorded({ ref: { ...ref, cluster: name, name: each }, path: `${folder}/${each}` }),
    );
    return matrixRow({ name, labels: {}, known }, objects, question);
  };
  const rows = [
    ...Array.from({ length: many }, (_, at) => rowOf(alike, `a${at}`, [])),
    ...Array.from({ length: few }, (_, at) => rowOf(other, `b${at}`, [`beside-${at}`])),
  ];
  for (const shown of [rows, rows.toReversed()])
    expect(matrixColumns(shown).find(({ title }) => title === 'checkout')?.group).toBe(many > few ? alike : other);
});

it('headers stand with the folders of sources, clusters and infrastructure first, then folders, appliers, resources and what is declared', () => {
  const { ref } = recorded();
  const deliveredTo = (path: string) => recorded({ ref: { ...ref, name: `of ${path}` }, path });
  const objects = [
    recorded({ ref: { ...ref, kind: 'Stack', name: 'a' }, role: 'declared' }),
    recorded({
      ref: { ...ref, kind: 'Bucket', group: 's3.aws.upbound.io' },
      role: 'managed',
      reconciler: 'crossplane',
    }),
    recorded({ ref: { ...ref, kind: 'HelmRelease', name: 'nginx' }, role: 'applier' }),
    deliveredTo('apps/shop'),
    deliveredTo('zoo/lion'),
    deliveredTo('infrastructure/dns'),
    deliveredTo('teams/clusters/eu'),
    recorded({ ref: { ...ref, kind: 'GitRepository', name: 'fleet' }, role: 'source' }),
  ];
  const question = { mode: { by: 'delivery' }, policy: defaultPolicy, now: noon, seeds: columnSeeds() } as const;
  const known = { state: 'live', since: 0, bound: 'exact', reason: null, cautions: [] } as const;
  const rows = [objects, objects.toReversed()].map((each, at) =>
    matrixRow({ name: `c${at}`, labels: {}, known }, each, question),
  );
  for (const shown of [rows, rows.toReversed(), rows.slice(0, 1)])
    expect(matrixColumns(shown).map(({ group }) => group)).toEqual([
      'sources',
      'clusters',
      'infrastructure',
      'apps',
      'zoo',
      'releases',
      'crossplane',
      'declared',
    ]);
});

it('a header of folders and of resources stands where the resources do', () => {
  const { ref } = recorded();
  const objects = [
    recorded({ ref: { ...ref, name: 'shop' }, path: 'crossplane/shop' }),
    recorded({
      ref: { ...ref, kind: 'Bucket', group: 's3.aws.upbound.io' },
      role: 'managed',
      reconciler: 'crossplane',
    }),
    recorded({ ref: { ...ref, kind: 'HelmRelease', name: 'nginx' }, role: 'applier' }),
    recorded({ ref: { ...ref, name: 'lion' }, path: 'zoo/lion' }),
  ];
  const question = { mode: { by: 'delivery' }, policy: defaultPolicy, now: noon, seeds: columnSeeds() } as const;
  const known = { state: 'live', since: 0, bound: 'exact', reason: null, cautions: [] } as const;
  const rows = objects.map((object, at) => matrixRow({ name: `c${at}`, labels: {}, known }, [object], question));
  for (const shown of [rows, rows.toReversed()])
    expect(matrixColumns(shown).map(({ group, title }) => `${group} ${title}`)).toEqual([
      'zoo lion',
      'releases nginx',
      'crossplane s3.aws',
      'crossplane shop',
    ]);
});
