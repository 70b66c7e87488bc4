import { expect, it } from 'vitest';
import type { WatchedKind } from '../../clusters/cluster-event.ts';
import { startBed } from '../testing/bed.ts';
import { kinds, kustomizationSpec } from '../testing/objects.ts';

const provider: WatchedKind = {
  group: 'notification.toolkit.fluxcd.io',
  kind: 'Provider',
  version: 'v1beta3',
  resource: 'providers',
  namespaced: true,
  categories: [],
};

it('a Provider stands in the row of its cluster: it is counted there, judged nowhere, and listed anew after a restart', () => {
  const bed = startBed();
  const object = (name: string) =>
    bed.object(provider, name, { spec: { type: 'slack', address: 'https://a.example' } });
  bed.open([
    [kinds.kustomization, bed.object(kinds.kustomization, 'apps', { spec: kustomizationSpec('control') })],
    [provider, object('slack')],
  ]);
  bed.pass(20_000);
  const { alarming, feeds } = bed.model.cluster();
  expect(alarming).toEqual({
    facts: [
      {
        type: 'notification-provider',
        namespace: 'flux-system',
        name: 'slack',
        suspended: false,
        ready: null,
        calls: 'slack',
      },
    ],
    cut: [],
  });
  expect(feeds.find(({ kind }) => kind === 'Provider')).toMatchObject({ state: 'live', objects: 1 });
  bed.write(provider, object('pager'));
  bed.pass(1_000);
  const rows = bed.batches.flatMap(({ cluster }) => cluster ?? []);
  expect(rows.at(-1)?.alarming?.facts.map(({ name }) => name)).toEqual(['pager', 'slack']);
  const written = bed.batches.flatMap(({ objects }) => objects.map((one) => one.object.ref.kind));
  expect(new Set(written)).toEqual(new Set(['Kustomization']));
  expect(bed.batches.flatMap(({ resume }) => resume.map(({ kind }) => kind))).not.toContain('Provider');
});

it('a kind that is forbidden or absent says nothing, and hides nothing else of the cluster', () => {
  const bed = startBed();
  bed.open([[kinds.kustomization, bed.object(kinds.kustomization, 'apps', { spec: kustomizationSpec('control') })]]);
  bed.feed(provider, { state: 'forbidden', fault: { type: 'forbidden', message: 'providers is forbidden' } });
  bed.pass(20_000);
  const { alarming, feeds, state } = bed.model.cluster();
  expect([alarming, state]).toEqual([{ facts: [], cut: [] }, 'live']);
  expect(feeds.find(({ kind }) => kind === 'Provider')).toMatchObject({ state: 'forbidden', objects: 0 });
  bed.list(provider, bed.object(provider, 'slack'));
  bed.feed(provider, { state: 'absent' });
  expect(bed.model.cluster().alarming?.facts).toEqual([]);
});
