// All that is told to somebody who sees one namespace, of two fleets that may differ in nothing but what lies outside of it.
import { anybody } from '#lib/domain/access/viewer.ts';
import type { GroupKind } from '#lib/domain/observation/ref.ts';
import type { Bed } from '#server/collector/model/testing/bed.ts';
import { memoryStore, type MemoryStore } from '#server/web/testing/memory-reader.ts';
import { accessOfViewers, runningWeb } from '#server/web/testing/running-web.ts';

function fill(store: MemoryStore, bed: Bed): void {
  for (const batch of bed.batches) {
    if (batch.cluster) store.cluster(batch.cluster);
    for (const { object, detail } of batch.objects) store.object(object, detail);
    for (const transition of batch.transitions) store.transition(transition);
    for (const change of batch.changes) store.changed(change);
    for (const change of batch.coverage) store.covered(change);
  }
}

const lists = [
  ...['fleet', 'fleet?causes=all', 'clusters', 'clusters/c1', 'objects?limit=500', 'objects?format=csv', 'exemptions'],
  ...['objects?verdict=unconfirmed', 'objects?q=secret', 'history', 'transitions', 'changes', 'lag', 'running'],
  ...[
    'conflicts',
    'corrections',
    'incidents',
    'absences',
    'spans',
    'memberships',
    'report',
    'suspects',
    'commits',
    'repositories',
    'arrivals',
  ],
];

/** Every answer to who sees the namespace `apps` of what a collector wrote, with the pages of these objects in it. */
export async function answersToPart(
  bed: Bed,
  objects: readonly (GroupKind & { readonly name: string })[],
): Promise<ReadonlyMap<string, string>> {
  const store = memoryStore();
  fill(store, bed);
  const scope = { type: 'grants', grants: [{ clusters: ['c1'], labels: {}, namespaces: ['apps'] }] } as const;
  const access = accessOfViewers(() => ({ ...anybody, scope }));
  const web = await runningWeb(null, {}, store, null, access);
  await web.advance(3_000);
  const refs = objects.map(({ group, kind, name }) =>
    new URLSearchParams({ cluster: 'c1', group, kind, namespace: 'apps', name }).toString(),
  );
  const pages = refs.flatMap((ref) => [`object?${ref}`, `history?${ref}`, `neighbours?${ref}`]);
  const found = new Map<string, string>();
  for (const address of [...lists, ...pages]) {
    const answer = await web.get(`/api/v1/${address}`);
    found.set(address, `${answer.status} ${await answer.text()}`);
  }
  await web.stop();
  return found;
}
