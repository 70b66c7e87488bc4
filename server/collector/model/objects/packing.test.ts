// What rests of a cluster, in memory and in the store: it is left alone, and nothing of it is made anew.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { ForeignObject } from '#lib/foreign.ts';
import { minute } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import { clusterSource, type StoredClusterState, type WriteBatch } from '#server/store/port/port.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { createPacker } from '#server/store/codec/pack/packer.ts';
import { restoreEntry } from './entry-memory.ts';
import { createUnpackedCache } from './unpacked-cache.ts';
import { startBed } from '../testing/bed.ts';
import { deliveredBy, kinds, kustomizationSpec, offering, passedWell, ready, revision } from '../testing/objects.ts';
import type { Bed } from '../testing/bed.ts';

const { kustomization, gitRepository, instance, providerRevision } = kinds;
const endings: (() => void)[] = [];

afterEach(() => {
  for (const end of endings.splice(0).toReversed()) end();
});

/** The store's own way there and back. */
async function throughTheStore(batches: readonly WriteBatch[]): Promise<StoredClusterState> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-packing-'));
  endings.push(() => rmSync(directory, { recursive: true }));
  const writer = openSqliteWriter({ path: join(directory, 'plumbline.db'), log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  const lease = await writer.acquire(clusterSource('c1'), 'one', 0, 1_000);
  if (!lease) throw new Error('no lease');
  for (const batch of batches) expect(await writer.write(lease, batch)).toEqual({ type: 'written' });
  const state = await writer.load('c1');
  await writer.close();
  return state;
}

type Lists = Parameters<Bed['open']>[0];

/** A fleet with something of each sort, two of them away. */
function lists(bed: Bed): Lists {
  const at = bed.clock.now();
  const app = (name: string, part: object = {}): ForeignObject =>
    bed.object(kustomization, name, {
      spec: kustomizationSpec('control'),
      status: { ...passedWell(at - 1_000, revision('a')), ...part },
    });
  const active = { desiredState: 'Active', image: 'xpkg.upbound.io/upbound/provider-aws-rds:v1' };
  const healthy = { conditions: [ready('True', 'HealthyPackageRevision', at)], objectRefs: [] };
  const failing = { conditions: [ready('False', 'BuildFailed', at - 5_000)] };
  return [
    [gitRepository, bed.object(gitRepository, 'control', offering(at - 60_000, revision('a')))],
    [kustomization, app('checkout'), app('orders', failing), app('web', { lastAppliedRevision: revision('b') })],
    [providerRevision, bed.object(providerRevision, 'provider-aws-rds-1', { spec: active, status: healthy })],
    [
      instance,
      bed.object(instance, 'db', {
        labels: deliveredBy('checkout'),
        status: {
          conditions: [ready('True', 'Available', at), { ...ready('True', 'ReconcileSuccess', at), type: 'Synced' }],
        },
      }),
    ],
  ];
}

function written(bed: Bed): readonly string[] {
  return bed.batches.flatMap(({ objects }) => objects.map(({ object }) => `${object.ref.name} ${object.verdict}`));
}

it('a restart writes nothing of an object that has not changed', async () => {
  const bed = startBed();
  endings.push(() => bed.model.stop());
  const listed = lists(bed);
  bed.open(listed);
  bed.pass(60_000);
  expect(new Set(written(bed).map((line) => line.split(' ')[0])).size).toBe(6);
  bed.model.stop();
  const state = await throughTheStore(bed.batches);
  const next = startBed(state, bed.clock.now() + 5_000);
  endings.push(() => next.model.stop());
  next.open(listed);
  next.pass(30_000);
  expect(written(next)).toEqual([]);
  expect(next.batches.flatMap(({ transitions }) => transitions)).toEqual([]);
  next.write(
    kustomization,
    next.object(kustomization, 'checkout', { status: { conditions: [ready('False', 'BuildFailed', 0)] } }),
  );
  next.pass(1_000);
  expect(written(next)).toContain('checkout diverged');
});

it.each([
  ['nothing', null],
  ['a word', 'x'],
  ['no clocks', { firstSeenAt: 1, passesSeen: 0 }],
  ['no passes', { firstSeenAt: 1, clocks: {} }],
  ['passes alone', { passesSeen: 0 }],
])('memory of another make is none: %s', (_name, memory) => {
  const bed = startBed();
  endings.push(() => bed.model.stop());
  bed.open(lists(bed));
  bed.pass(60_000);
  const [written] = bed.batches.flatMap(({ objects }) => objects);
  if (!written?.detail) throw new Error('an object was written');
  expect(restoreEntry(written.object, written.detail)).not.toBeNull();
  expect(restoreEntry(written.object, { ...written.detail, memory })).toBeNull();
});

it('while leases move and nothing is said, nothing is unpacked', () => {
  const packer = createPacker();
  let unpacked = 0;
  const unpack = (packed: string): unknown => {
    unpacked += 1;
    return packer.unpack(packed);
  };
  const bed = startBed(null, undefined, undefined, createUnpackedCache({ ...packer, unpack }, 1));
  endings.push(() => bed.model.stop());
  bed.open(lists(bed));
  // By then whoever was away and came back is home for good, and what is late is known to be late.
  bed.pass(15 * minute);
  unpacked = 0;
  bed.pass(5 * minute);
  expect(unpacked).toBe(0);
  expect(bed.batches.at(-1)?.cluster?.controllers.map((controller) => controller.objects)).toContain(3);
});
