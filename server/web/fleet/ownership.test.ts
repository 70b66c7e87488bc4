import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WireConflictList } from '#lib/api/conflict.ts';
import { WireExemptionList } from '#lib/api/exemption.ts';
import { WireObjectPage } from '#lib/api/object.ts';
import { inventoryConflict, rivalConflict, type Conflict } from '#lib/domain/observation/conflict.ts';
import type { Exemption } from '#lib/domain/exemption/exemption.ts';
import { runningWeb, type RunningWeb } from '../testing/running-web.ts';
import { sampleCluster, sampleNow, sampleObject, sampleRef, type SampleRef } from '../testing/sample.ts';

let web: RunningWeb;

function exemption(kind: Exemption['kind'], part: Partial<Exemption> = {}): Exemption {
  return { kind, field: `spec.${kind}`, meaning: `it is ${kind}`, by: null, at: null, reach: null, ...part };
}

function put(ref: SampleRef, ...exemptions: readonly Exemption[]): void {
  web.store.object(sampleObject(ref, { exemptions }));
}

async function exemptions(query = ''): Promise<WireExemptionList> {
  const response = await web.get(`/api/v1/exemptions${query}`);
  expect(response.status).toBe(200);
  return WireExemptionList.parse(await response.json());
}

async function conflicts(query = ''): Promise<WireConflictList> {
  const response = await web.get(`/api/v1/conflicts${query}`);
  expect(response.status).toBe(200);
  return WireConflictList.parse(await response.json());
}

/** "cluster/name kind" of each row. */
function described({ rows }: WireExemptionList): string[] {
  return rows.map(({ object, exemption: { kind } }) => `${object.cluster}/${object.name} ${kind}`);
}

beforeEach(async () => {
  web = await runningWeb();
});
afterEach(() => web.stop());

describe('GET /api/v1/exemptions', () => {
  beforeEach(async () => {
    for (const name of ['eu-west-3', 'eu-west', 'us-east-1']) web.store.cluster(sampleCluster(name));
    put(
      { name: 'checkout' },
      exemption('health-not-checked'),
      exemption('prune-disabled', { by: 'kubectl-edit', reach: 7 }),
    );
    put({ name: 'mail', cluster: 'us-east-1' }, exemption('prune-disabled', { at: sampleNow, by: 'flux' }));
    put({ name: 'mail', cluster: 'eu-west', namespace: 'mail' }, exemption('prune-disabled'));
    put({ name: 'policy' }, exemption('suspended', { by: 'kubectl-edit' }));
    put({ name: 'web' });
    await web.advance(300);
  });

  it('lists by kind, then by cluster and name, and counts', async () => {
    const list = await exemptions();
    expect(described(list)).toEqual([
      'eu-west-3/policy suspended',
      'eu-west/mail prune-disabled',
      'eu-west-3/checkout prune-disabled',
      'us-east-1/mail prune-disabled',
      'eu-west-3/checkout health-not-checked',
    ]);
    expect(list).toMatchObject({ total: 5, objects: { exempt: 4, all: 5 }, nextCursor: null });
    expect((await exemptions('?limit=5')).nextCursor).toBeNull();
    expect((await exemptions('?limit=4')).nextCursor).not.toBeNull();
    expect(list.counts).toEqual([
      { kind: 'suspended', sort: 'not-applied', count: 1 },
      { kind: 'prune-disabled', sort: 'removal', count: 3 },
      { kind: 'health-not-checked', sort: 'not-proven', count: 1 },
    ]);
    expect(list.rows[2]).toEqual({
      object: {
        cluster: 'eu-west-3',
        group: 'kustomize.toolkit.fluxcd.io',
        kind: 'Kustomization',
        namespace: 'flux-system',
        name: 'checkout',
        verdict: 'converged',
      },
      exemption: {
        kind: 'prune-disabled',
        field: 'spec.prune-disabled',
        meaning: 'it is prune-disabled',
        by: 'kubectl-edit',
        at: null,
        reach: 7,
      },
      links: { self: '/clusters/eu-west-3/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/checkout' },
    });
  });

  it.each([
    ['cluster=us-east-1,eu-west', ['eu-west/mail prune-disabled', 'us-east-1/mail prune-disabled']],
    ['namespace=mail', ['eu-west/mail prune-disabled']],
    ['kind=HelmRelease', []],
    ['exemption=suspended', ['eu-west-3/policy suspended']],
    ['by=kubectl-edit', ['eu-west-3/policy suspended', 'eu-west-3/checkout prune-disabled']],
    ['by=-', ['eu-west/mail prune-disabled', 'eu-west-3/checkout health-not-checked']],
    ['q=POLICY', ['eu-west-3/policy suspended']],
    ['q=not%20checked', ['eu-west-3/checkout health-not-checked']],
  ])('is filtered by %s', async (query, expected) => {
    const list = await exemptions(`?${query}`);
    expect(described(list)).toEqual(expected);
    expect(list.total).toBe(expected.length);
  });

  it('counts every kind beside the filter of kinds', async () => {
    const { counts, total, objects } = await exemptions('?exemption=suspended');
    expect(counts.map(({ kind, count }) => `${kind} ${count}`)).toEqual([
      'suspended 1',
      'prune-disabled 3',
      'health-not-checked 1',
    ]);
    expect([total, objects.exempt]).toEqual([1, 1]);
  });

  it.each([1, 2, 3])('comes in pages of %i, none twice and none left out', async (limit) => {
    const found: string[] = [];
    let cursor = '';
    do {
      const list = await exemptions(`?limit=${limit}&cursor=${cursor}`);
      expect(list.rows.length).toBeLessThanOrEqual(limit);
      found.push(...described(list));
      cursor = list.nextCursor ?? '';
    } while (cursor !== '');
    expect(found).toEqual(described(await exemptions()));
  });

  it.each([
    ['exemption=holiday', 'exemption'],
    ['cursor=xx', 'cursor'],
    ['format=xml', 'format'],
    ['limit=0', 'limit'],
  ])('refuses %s', async (query, parameter) => {
    const response = await web.get(`/api/v1/exemptions?${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ parameter });
  });

  it('comes whole as CSV, formulas kept from the spreadsheet', async () => {
    put({ name: 'odd' }, exemption('suspended', { by: '=HYPERLINK("x")', meaning: 'one, two' }));
    await web.advance(300);
    const response = await web.get('/api/v1/exemptions?format=csv&limit=1&exemption=suspended');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="exemptions.csv"');
    expect(await response.text()).toBe(
      [
        'cluster,group,kind,namespace,name,verdict,sort,exemption,field,meaning,covers,by,at',
        `eu-west-3,kustomize.toolkit.fluxcd.io,Kustomization,flux-system,odd,converged,What is in git does not arrive,Suspended,spec.suspended,"one, two",,"'=HYPERLINK(""x"")",`,
        'eu-west-3,kustomize.toolkit.fluxcd.io,Kustomization,flux-system,policy,converged,What is in git does not arrive,Suspended,spec.suspended,it is suspended,,kubectl-edit,',
        '',
      ].join('\r\n'),
    );
  });

  it('is counted in the summary of every page, and per cell in the matrix', async () => {
    const fleet: unknown = await (await web.get('/api/v1/fleet')).json();
    expect(fleet).toMatchObject({ summary: { exemptions: 5, conflicts: 0 } });
    expect(JSON.stringify(fleet)).toContain('"exempt":"2');
  });
});

describe('GET /api/v1/conflicts', () => {
  const shared = { group: '', kind: 'ConfigMap', namespace: 'apps', name: 'shared' };

  function inventories(cluster: string, name = 'shared', since = sampleNow): Conflict {
    const holders = ['base', 'on-other'].map((holder) => ({
      ref: sampleRef({ cluster, name: holder }),
      suspended: false,
      fights: false,
    }));
    return { ...inventoryConflict({ ...shared, name }, holders), since };
  }

  function edited(cluster: string): Conflict {
    const managers = ['kustomize-controller', 'kubectl-edit'] as const;
    const rival = { type: 'fields', managers, byHand: true, fields: ['spec.suspend'], at: null } as const;
    return { ...rivalConflict(sampleRef({ cluster, name: 'policy' }), rival), since: sampleNow };
  }

  beforeEach(async () => {
    const [here, there] = [inventories('eu-west-3'), edited('us-east-1')];
    web.store.cluster(sampleCluster('eu-west-3', { conflicts: [here], conflictsTotal: 1 }));
    web.store.cluster(sampleCluster('us-east-1', { conflicts: [there], conflictsTotal: 41 }));
    for (const name of ['base', 'on-other']) put({ name });
    put({ name: 'policy', cluster: 'us-east-1' });
    await web.advance(300);
  });

  it('lists what is managed twice with both owners, and says how many are left out', async () => {
    const list = await conflicts();
    expect(list).toMatchObject({ total: 2, notListed: 40, nextCursor: null });
    expect(list.counts).toEqual([
      { kind: 'two-inventories', count: 1 },
      { kind: 'edited-by-hand', count: 1 },
    ]);
    expect(list.rows[0]).toEqual({
      kind: 'two-inventories',
      cluster: 'eu-west-3',
      resource: { ...shared, href: null },
      owners: ['base', 'on-other'].map((name) => ({
        name,
        cluster: 'eu-west-3',
        kind: 'Kustomization',
        namespace: 'flux-system',
        href: `/clusters/eu-west-3/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/${name}`,
      })),
      why: 'both have applied it and do so again on every pass',
      since: new Date(sampleNow).toISOString(),
    });
    expect(list.rows[1]?.resource.href).toBe(
      '/clusters/us-east-1/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/policy',
    );
    expect(list.rows[1]?.owners.map(({ name, href }) => [name, href])).toEqual([
      ['kustomize-controller', null],
      ['kubectl-edit', null],
    ]);
  });

  it.each([
    ['cluster=us-east-1', 1],
    ['conflict=two-inventories', 1],
    ['kind=ConfigMap', 1],
    ['kind=Kustomization', 2],
    ['namespace=apps', 1],
    ['by=kubectl-edit', 1],
    ['by=base', 1],
    ['q=suspend', 1],
    ['q=nothing', 0],
  ])('is filtered by %s', async (query, expected) => {
    expect((await conflicts(`?${query}`)).rows).toHaveLength(expected);
  });

  it('comes in pages', async () => {
    expect((await conflicts('?limit=2')).nextCursor).toBeNull();
    const { nextCursor } = await conflicts('?limit=1');
    expect((await conflicts(`?limit=1&cursor=${nextCursor}`)).rows.map(({ kind }) => kind)).toEqual(['edited-by-hand']);
  });

  it('comes whole as CSV', async () => {
    const response = await web.get('/api/v1/conflicts?format=csv');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="conflicts.csv"');
    const text = await response.text();
    expect(text.split('\r\n')[1]).toBe(
      'eu-west-3,In two inventories,,ConfigMap,apps,shared,Kustomization flux-system/base and Kustomization flux-system/on-other,both have applied it and do so again on every pass,2026-11-21T02:00:00.000Z',
    );
  });

  it('an external resource that two clusters both tell of is listed once', async () => {
    const owners = ['eu-west-3', 'us-east-1'].map((cluster) => ({
      ref: sampleRef({ cluster, name: 'logs' }),
      name: 'logs',
    }));
    const one: Conflict = { kind: 'external-resource', resource: shared, owners, why: 'both', since: sampleNow };
    for (const name of ['eu-west-3', 'us-east-1'])
      web.store.cluster(sampleCluster(name, { conflicts: [one], conflictsTotal: 1 }));
    await web.advance(300);
    expect((await conflicts()).rows).toHaveLength(1);
  });

  it('is told on the pages of the objects that are part of it', async () => {
    async function pageOf(cluster: string, name: string): Promise<WireObjectPage> {
      const query = new URLSearchParams({ ...sampleRef({ cluster, name }) }).toString();
      return WireObjectPage.parse(await (await web.get(`/api/v1/object?${query}`)).json());
    }
    expect((await pageOf('eu-west-3', 'base')).conflicts.map(({ kind }) => kind)).toEqual(['two-inventories']);
    expect((await pageOf('us-east-1', 'policy')).conflicts.map(({ kind }) => kind)).toEqual(['edited-by-hand']);
    put({ name: 'web' });
    await web.advance(300);
    expect((await pageOf('eu-west-3', 'web')).conflicts).toEqual([]);
  });
});
