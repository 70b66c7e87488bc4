import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { ChangeFact } from '#lib/domain/record/change.ts';
import type { ObjectDetail } from '#lib/domain/record/current.ts';
import { noUpstreams } from '#lib/domain/record/upstreams.ts';
import { minute } from '#lib/domain/time/length.ts';
import { memoryStore } from '../testing/memory-reader.ts';
import { sampleDetail, sampleDiverged, sampleNow, sampleObject, sampleRef } from '../testing/sample.ts';
import { changesBefore, type ChangesBeforeQuestion } from './changes-before.ts';

/** When the samples broke, and the beginning of what is asked. */
const broke = sampleNow - 60 * minute;
const begin = broke - 30 * minute;
const iso = (at: number): string => new Date(at).toISOString();

type Told = readonly [fact: ChangeFact, ref?: KnownObject['ref'] | null];

/** Changes before an object broke, where a store has these, each a second before the last. */
async function before(
  object: KnownObject,
  told: readonly Told[],
  part: Partial<ChangesBeforeQuestion> = {},
  details: readonly (readonly [KnownObject, ObjectDetail])[] = [],
) {
  const store = memoryStore();
  for (const [one, detail] of details) store.object(one, detail);
  for (const [index, [fact, ref = null]] of told.entries()) {
    const at = broke - (index + 1) * 1_000;
    store.changed({ cluster: 'eu-west-3', ref, at, notBefore: at, noticedAt: at, fact });
  }
  return changesBefore({
    store: await store.source.open(),
    object,
    detail: sampleDetail(object),
    coverage: [],
    find: () => null,
    context: { policy: defaultPolicy, now: sampleNow, links: () => null },
    ...part,
  });
}

const checkout = sampleDiverged({ name: 'checkout' });
const [exemption, set] = [
  { kind: 'prune-disabled', field: 'spec.prune', by: null },
  { by: null, field: 'spec.suspend' },
] as const;
const version = { namespace: 'flux-system', from: 'v1', to: 'v2' };
const revised = (kind: string, name = 'aws-2'): ChangeFact => {
  return { type: 'package-revision', package: 'xpkg.upbound.io/x', kind, name, from: 'v1', to: 'v2' };
};

describe('a change of the cluster as a whole', () => {
  it.each<readonly [ChangeFact, string | null]>([
    [{ type: 'kubernetes-version', from: 'v1', to: 'v2' }, 'Kubernetes'],
    [{ type: 'controller-version', name: 'kustomize-controller', ...version }, 'controller'],
    [{ type: 'controller-version', name: 'kustomize-controller-shard1', ...version }, 'controller'],
    [{ type: 'controller-version', name: 'kustomize-controllers', ...version }, null],
    [{ type: 'controller-version', name: 'helm-controller', ...version }, null],
    [revised('ProviderRevision'), null],
    [revised('FunctionRevision'), null],
    [{ type: 'spec-edited', by: null, from: 1, generation: 2 }, null],
    [{ type: 'suspended', ...set }, null],
    [{ type: 'resumed', ...set }, null],
    [{ type: 'revision', from: null, to: null }, null],
    [{ type: 'created' }, null],
    [{ type: 'deletion-asked' }, null],
    [{ type: 'deleted' }, null],
    [{ type: 'exemption-added', ...exemption }, null],
    [{ type: 'exemption-removed', ...exemption }, null],
  ])('%j bears on an object as: %s', async (fact, relation) => {
    const { changes } = await before(checkout, [[fact]]);
    expect(changes.map((change) => change.relation)).toEqual(relation === null ? [] : [relation]);
  });

  it.each<readonly [KnownObject['role'], string, string | null]>([
    ['composite', 'ConfigurationRevision', 'package'],
    ['composite', 'FunctionRevision', 'package'],
    ['composite', 'ProviderRevision', null],
    ['claim', 'FunctionRevision', 'package'],
    ['managed', 'FunctionRevision', null],
    ['managed', 'ProviderRevision', 'provider'],
    ['applier', 'FunctionRevision', null],
  ])('bears on a %s by a %s as: %s', async (role, kind, relation) => {
    const { changes } = await before({ ...checkout, role }, [[revised(kind)]]);
    expect(changes.map((change) => change.relation)).toEqual(relation === null ? [] : [relation]);
  });

  it('bears on what a provider runs by its own revision only', async () => {
    const provider = sampleRef({ kind: 'ProviderRevision', name: 'aws-2' });
    const managed = { ...checkout, role: 'managed' as const, upstreams: { ...noUpstreams, provider } };
    const { changes } = await before(managed, [[revised('ProviderRevision')], [revised('ProviderRevision', 'gcp-2')]]);
    expect(changes.map(({ relation, at }) => [relation, at])).toEqual([['provider', iso(broke - 1_000)]]);
  });

  it('is found among the 500 newest', async () => {
    const foreign: Told[] = Array.from({ length: 499 }, () => [{ type: 'created' }]);
    const upgrade: Told = [{ type: 'kubernetes-version', from: 'v1', to: 'v2' }];
    expect((await before(checkout, [...foreign, upgrade])).changes).toHaveLength(1);
    expect((await before(checkout, [...foreign, [{ type: 'created' }], upgrade])).changes).toHaveLength(0);
  });
});

describe('what bears on an object', () => {
  it.each([
    [50, false],
    [51, true],
  ])('of %i changes 50 are shown, and that there are more: %s', async (count, more) => {
    const own = Array.from({ length: count }, (): Told => [{ type: 'suspended', ...set }, checkout.ref]);
    const found = await before(checkout, own);
    expect([found.changes.length, found.more, found.changes[0]?.relation]).toEqual([50, more, 'itself']);
  });

  it('is looked for by the controllers of itself as then known, not by those of its parts', async () => {
    const part = sampleObject({ name: 'part' });
    const detail = sampleDetail(checkout, { controller: 'own', children: [part.ref] });
    const details = [
      [checkout, sampleDetail(checkout, { controller: 'own-by-now' })],
      [part, sampleDetail(part, { controller: 'another' })],
    ] as const;
    const ofSource = ['GitRepository control'];
    expect((await before(checkout, [], { detail }, details)).searched).toEqual([
      ...ofSource,
      'Kustomization part',
      'own',
      'Kubernetes',
    ]);
    expect((await before(checkout, [], { detail: null }, details)).searched).toEqual([...ofSource, 'Kubernetes']);
  });

  it.each([
    ['it was made before it is known to be away', broke - minute, broke - minute],
    ['it was made later than that', broke + minute, broke],
    ['it is not known when it was made', null, broke],
  ])('of one that was never converged is from then on where %s', async (_what, createdAt, from) => {
    const never = {
      ...checkout,
      awaySince: { time: broke, bound: 'exact' as const, noticedAt: broke, sinceMade: true as const },
    };
    const detail = createdAt === null ? null : sampleDetail(never, { createdAt });
    const found = await before(never, [], { detail });
    expect([found.span, found.from, found.to]).toEqual(['since-made', iso(from), iso(sampleNow)]);
  });

  it('has the gaps within it, and since when there is a record', async () => {
    const word = (at: number, observed: boolean) => {
      return { cluster: 'eu-west-3', kind: null, at, observed, state: observed ? 'live' : 'unreachable', reason: null };
    };
    const gapsOf = async (from: number, to: number) => {
      const found = await before(checkout, [], {
        coverage: [word(begin - 99, true), word(from, false), word(to, true)],
      });
      expect(found.recordedSince).toBe(iso(begin - 99));
      return found.gaps.map((gap) => [gap.from, gap.to]);
    };
    expect(await gapsOf(begin - 9, begin)).toEqual([]);
    expect(await gapsOf(begin - 9, begin + 1)).toEqual([[iso(begin - 9), iso(begin + 1)]]);
    expect(await gapsOf(broke - 1, broke + 9)).toEqual([[iso(broke - 1), iso(broke + 9)]]);
    expect(await gapsOf(broke, broke + 9)).toEqual([]);
    expect((await before(checkout, [])).recordedSince).toBeNull();
  });
});
