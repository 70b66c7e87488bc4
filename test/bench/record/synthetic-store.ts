import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import { seededRandom, type Random } from '#server/simulator/random.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { batchOf, clusterOf, objectOf, withDetails } from '#test/contract/store-records.ts';
import { clusterSource } from '#server/store/port/port.ts';

/** A store that no collector has written: so many clusters, each with so many Kustomizations, one in fifty of them away. */
export interface SyntheticStore {
  readonly configPath: string;
  readonly data: string;
  readonly objects: number;
}

/** Writes the store and a configuration beside it. */
export async function writeSyntheticStore(
  directory: string,
  clusters: number,
  columns: number,
): Promise<SyntheticStore> {
  const data = join(directory, 'synthetic');
  mkdirSync(data, { recursive: true });
  const writer = openSqliteWriter({ path: join(data, 'plumbline.db'), log: silentLog });
  if ('type' in writer) throw new Error(`the synthetic store cannot be written: ${writer.type}`);
  const now = Date.now();
  const random = seededRandom(60);
  // Vouched for longer than anybody measures.
  const validUntil = now + hour;
  for (let index = 0; index < clusters; index += 1) {
    const cluster = `cluster-${String(index).padStart(4, '0')}`;
    const lease = await writer.acquire(clusterSource(cluster), 'bench', now, hour);
    if (!lease) throw new Error(`no lease of ${cluster}`);
    const objects = Array.from({ length: columns }, (_, number) => synthetic(cluster, number, random, now, validUntil));
    const labels = { environment: ['production', 'production', 'staging', 'sandbox'][index % 4] ?? 'production' };
    const record = clusterOf(cluster, { labels, lastWordAt: now, validUntil });
    const written = await writer.write(lease, batchOf({ at: now, cluster: record, objects: withDetails(objects) }));
    if (written.type !== 'written') throw new Error(JSON.stringify(written));
  }
  await writer.close();
  const configPath = join(data, 'plumbline.yaml');
  writeFileSync(configPath, 'clusters:\n  - directory: ./kubeconfigs\n');
  mkdirSync(join(data, 'kubeconfigs'), { recursive: true });
  return { configPath, data, objects: clusters * columns };
}

function synthetic(cluster: string, number: number, random: Random, now: number, validUntil: number): CurrentObject {
  const ref = {
    cluster,
    group: 'kustomize.toolkit.fluxcd.io',
    kind: 'Kustomization',
    namespace: 'flux-system',
    name: `component-${String(number).padStart(2, '0')}`,
  };
  const seen = { observedAt: now, confirmedAt: now, validUntil };
  if (random.between(1, 50) > 1) return objectOf(ref, seen);
  const time = now - random.between(60_000, 30 * day);
  const since = { time, bound: 'exact' as const, noticedAt: time };
  return objectOf(ref, {
    ...seen,
    verdict: verdicts[random.between(0, verdicts.indexOf('converged') - 1)] ?? 'diverged',
    reason: 'BuildFailed',
    message: `kustomize build failed: accumulating resources: missing file ${random.hex(8)}.yaml`,
    sentence: 'The build has failed.',
    onset: since,
    awaySince: since,
    commit: random.hex(40),
    commitDiffers: 'yes',
  });
}
