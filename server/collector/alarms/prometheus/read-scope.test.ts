import { describe, expect, it } from 'vitest';
import { objectHash } from '#lib/domain/alarm/object-hash.ts';
import { vectorAnswer } from '../testing/answers.ts';
import { readScope } from './read-scope.ts';

const turn = (): Promise<void> => Promise.resolve();
const attribution = { label: 'cluster', aliases: { 'prod-eu': 'eu' }, clusters: [] };

async function scopes(series: readonly Readonly<Record<string, string>>[], clusters: readonly string[] = []) {
  const { facts } = await readScope('gotk_a', vectorAnswer(series), { ...attribution, clusters }, turn);
  return facts.filter((fact) => fact.type === 'scope');
}

const sorted = (...hashes: readonly number[]): readonly number[] => hashes.toSorted((a, b) => a - b);

describe('readScope', () => {
  it('gathers objects by cluster and kind, each once, sorted', async () => {
    const apps = { customresource_kind: 'Kustomization', exported_namespace: 'flux-system', name: 'apps' };
    const infra = { ...apps, name: 'infra' };
    const series = [
      { ...infra, cluster: 'prod-eu' },
      { ...apps, cluster: 'prod-eu', job: 'a' },
      { ...apps, cluster: 'prod-eu', job: 'b' },
      { ...apps, cluster: 'us', customresource_kind: 'HelmRelease' },
      apps,
    ];
    const hash = objectHash('flux-system', 'apps');
    const expected = [
      {
        type: 'scope',
        key: 'eu gotk_a',
        scope: 'gotk_a',
        cluster: 'eu',
        series: 3,
        objects: { kustomization: sorted(hash, objectHash('flux-system', 'infra')) },
      },
      { type: 'scope', key: 'us gotk_a', scope: 'gotk_a', cluster: 'us', series: 1, objects: { helmrelease: [hash] } },
      { type: 'scope', key: ' gotk_a', scope: 'gotk_a', cluster: null, series: 1, objects: { kustomization: [hash] } },
    ];
    expect(await scopes(series)).toEqual(expected);
    const again = await scopes(series.toReversed());
    expect(again.toSorted((a, b) => a.key.localeCompare(b.key))).toEqual(
      expected.toSorted((a, b) => a.key.localeCompare(b.key)),
    );
  });

  it.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, readonly number[]>>]>([
    [
      'flux-operator',
      { kind: 'Kustomization', exported_namespace: 'a', name: 'b', namespace: 'monitoring' },
      { kustomization: [objectHash('a', 'b')] },
    ],
    [
      'exported_name and exported_kind',
      { exported_kind: 'X', exported_name: 'b', name: 'pod' },
      { x: [objectHash('', 'b')] },
    ],
    ['resource', { kind: 'Bucket', resource: 'b' }, { bucket: [objectHash('', 'b')] }],
    [
      'a namespace that may be the object’s or the exporter’s',
      { customresource_kind: 'Bucket', name: 'b', namespace: 'monitoring', job: 'kube-state-metrics' },
      { bucket: sorted(objectHash('monitoring', 'b'), objectHash('', 'b')) },
    ],
    ['no kind', { name: 'b', exported_namespace: 'a' }, { '': [objectHash('a', 'b')] }],
    ['no name: it names no object', { kind: 'Bucket', namespace: 'a' }, {}],
    ['a gvk alone', { job: 'crossplane' }, {}],
    ['an empty name', { kind: 'Bucket', name: ' ' }, {}],
    ['a name longer than any', { kind: 'Bucket', name: 'x'.repeat(2_000) }, {}],
  ])('reads the object that a series names: %s', async (_what, labels, objects) => {
    expect((await scopes([labels])).map((fact) => fact.objects)).toEqual([objects]);
  });

  it('gives series without a cluster to the one cluster of the source, and to none of several', async () => {
    const of = async (clusters: readonly string[]) =>
      (await scopes([{ name: 'a' }], clusters)).map(({ cluster }) => cluster);
    expect([await of(['eu']), await of(['eu', 'us']), await of([])]).toEqual([['eu'], [null], [null]]);
  });

  it('knows that a scope has no series', async () => {
    expect(await readScope('gotk_a', vectorAnswer([]), attribution, turn)).toEqual({
      facts: [{ type: 'scope-standing', key: 'gotk_a', series: 0, reason: null }],
      cut: [],
    });
  });

  it.each<[string, unknown, string]>([
    ['a text', 'x', 'Its answer is not that of Prometheus to /api/v1/query.'],
    [
      'a matrix',
      { status: 'success', data: { resultType: 'matrix', result: [] } },
      'Its answer is not that of Prometheus to /api/v1/query.',
    ],
    [
      'no list',
      { status: 'success', data: { resultType: 'vector', result: {} } },
      'Its answer is not that of Prometheus to /api/v1/query.',
    ],
    [
      'a part',
      { ...Object(vectorAnswer([])), warnings: ['a store is down'] },
      'It answers with a warning: a store is down',
    ],
  ])('does not know it of %s', async (_what, body, reason) => {
    expect(await readScope('gotk_a', body, attribution, turn)).toEqual({
      facts: [{ type: 'scope-standing', key: 'gotk_a', series: null, reason }],
      cut: [],
    });
  });

  it('keeps no more clusters than its bound, and takes what is no series for one that names nothing', async () => {
    const series = Array.from({ length: 2_001 }, (_, index) => ({ cluster: `c${index}`, name: 'a' }));
    const { facts, cut } = await readScope('gotk_a', vectorAnswer(series), attribution, turn);
    expect(facts).toHaveLength(2_001);
    expect(cut).toEqual(['Series of gotk_a name more than 2,000 clusters; 1 series are left out.']);
    const odd = { status: 'success', data: { resultType: 'vector', result: [7, null, { metric: [] }] } };
    expect((await readScope('gotk_a', odd, attribution, turn)).facts).toMatchObject([{ series: 3 }, { objects: {} }]);
  });
});

it('does not keep a kind for each of hundreds of thousands of series', async () => {
  const series = Array.from({ length: 100_001 }, (_, n) => ({ name: 'x', kind: `Kind${n}` }));
  const { facts } = await readScope('gotk_a', vectorAnswer(series), attribution, turn);
  const reason = 'Its series name more than 100,000 kinds on clusters.';
  expect(facts).toEqual([{ type: 'scope-standing', key: 'gotk_a', series: null, reason }]);
});
