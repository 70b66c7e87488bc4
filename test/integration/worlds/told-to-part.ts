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

/** Headers of an answer that may tell something of what it is of. */
const told = ['etag', 'cache-control', 'retry-after', 'content-type', 'content-disposition', 'location'];

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
  ...['alarms', 'openapi.json', 'history?format=csv', 'transitions?limit=2', 'spans?limit=2', 'absences?format=csv'],
  ...[
    'report?format=csv',
    'report?format=md',
    'incidents?format=csv',
    'corrections?format=csv',
    'exemptions?format=csv',
  ],
  ...[
    'go?alertname=x&kind=Kustomization&name=secret',
    'go?name=secret',
    'objects?namespace=flux-system',
    'objects?q=outside',
  ],
  ...['commit-names?shas=eeeeeeee', 'report?period=last-30-days', 'changes?cluster=c1', 'clusters/c2'],
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
    const headers = told.map((name) => `${name}: ${answer.headers.get(name) ?? ''}`);
    const body = (await answer.text()).replaceAll(/127\.0\.0\.1:\d+/g, 'here');
    found.set(address, [answer.status, ...headers, body].join('\n'));
  }
  await web.stop();
  return found;
}
