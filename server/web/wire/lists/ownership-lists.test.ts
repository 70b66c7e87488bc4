import { describe, expect, it } from 'vitest';
import { ConflictFilter } from '#lib/api/conflict.ts';
import { ExemptionFilter } from '#lib/api/exemption.ts';
import type { Exemption } from '#lib/domain/exemption/exemption.ts';
import type { Conflict } from '#lib/domain/observation/conflict.ts';
import { knownCluster } from '../../testing/moment.ts';
import { sampleCluster, sampleNow, sampleObject, sampleRef } from '../../testing/sample.ts';
import { conflictCsv } from './conflict-list.ts';
import { exemptionCsv } from './exemption-list.ts';

const linesOf = (csv: Iterable<string>): readonly string[] => [...csv].join('').trim().split(/\r?\n/).slice(1);

describe('the list of exemptions is searched', () => {
  const exemption: Exemption = {
    kind: 'suspended',
    field: 'spec.suspend',
    meaning: 'nothing is applied',
    reach: 1,
    by: 'kubectl',
    at: sampleNow,
  };
  const object = sampleObject({ cluster: 'north', namespace: 'shop', name: 'cart' }, { exemptions: [exemption] });
  const clusters = [knownCluster('north', [object])];

  it.each([
    ['the name', 'cart', 1],
    ['the namespace', 'shop', 1],
    ['the cluster', 'north', 1],
    ['the kind', 'kustomiz', 1],
    ['the field', 'spec.sus', 1],
    ['the meaning', 'is applied', 1],
    ['who set it', 'KUBECTL', 1],
    ['nothing of it', 'elsewhere', 0],
  ])('by %s', (_what, q, found) => {
    expect(linesOf(exemptionCsv(clusters, ExemptionFilter.parse({ q }))).filter((line) => line !== '')).toHaveLength(
      found,
    );
  });
});

describe('the list of conflicts', () => {
  const conflict: Conflict = {
    kind: 'two-inventories',
    resource: { group: 'apps', kind: 'Deployment', namespace: '', name: 'cart' },
    owners: [
      { ref: sampleRef({ cluster: 'north', namespace: 'shop', name: 'cart' }), name: 'cart' },
      { ref: sampleRef({ cluster: 'south', namespace: '', name: 'base' }), name: 'base' },
      { ref: null, name: 'helm' },
    ],
    why: 'both have applied it',
    since: sampleNow,
  };
  const source = { records: [sampleCluster('north', { conflicts: [conflict] })], isWatched: () => false };

  it('names each owner by its kind, its namespace where it has one, and its cluster where it is another', () => {
    expect(linesOf(conflictCsv(source, ConflictFilter.parse({})))[0]).toContain(
      'Kustomization shop/cart and Kustomization base on south and helm',
    );
  });

  it.each([
    ['', 1],
    ['-', 1],
    ['shop', 0],
  ])('asked for namespace "%s" has %i', (namespace, found) => {
    const lines = linesOf(conflictCsv(source, ConflictFilter.parse({ namespace })));
    expect(lines.filter((line) => line !== '')).toHaveLength(found);
  });
});
