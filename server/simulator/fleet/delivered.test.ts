// Inventories of simulated Kustomizations are as kustomize-controller writes them: they list everything that it has applied.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inventoryId } from '#lib/domain/observation/inventory.ts';
import { listAt, parseForeign, textAt } from '#lib/foreign.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { groupResource } from '../api/kinds.ts';
import { startSimulator } from '../main.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';

const group = 'kustomize.toolkit.fluxcd.io';

/** The objects of a cluster that bear owner labels, and those of them that nobody lists who is named there. */
function labelledOn({ store }: SimulatedCluster) {
  const listed = new Set<string>();
  const labelled: string[] = [];
  for (const kind of store.kinds())
    for (const stored of store.store(groupResource(kind))?.sorted() ?? []) {
      const object = parseForeign(stored.json().toString());
      const id = inventoryId({ group: kind.group, kind: kind.kind, namespace: stored.namespace, name: stored.name });
      const by = textAt(object, 'metadata', 'labels', `${group}/name`);
      if (by !== null) labelled.push(`${by}: ${id}`);
      if (kind.group !== group) continue;
      for (const entry of listAt(object, 'status', 'inventory', 'entries'))
        listed.add(`${stored.name}: ${textAt(entry, 'id')}`);
    }
  return { labelled, unlisted: labelled.filter((one) => !listed.has(one)) };
}

it.each([
  ['the demo', { clusters: 3, story: false }],
  ['a generated fleet', { clusters: 2, kindsPerCluster: 10, objectsPerCluster: 200 }],
])('lists everything that bears the labels of one, in %s', async (_what, options) => {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-delivered-'));
  const simulator = await startSimulator({ clock: fakeClock(), log: silentLog, directory, ...options });
  for (const cluster of simulator.fleet.values()) {
    const { labelled, unlisted } = labelledOn(cluster);
    expect(labelled.length).toBeGreaterThan(20);
    expect(unlisted).toEqual([]);
  }
  await simulator.stop();
  rmSync(directory, { recursive: true, force: true });
});
