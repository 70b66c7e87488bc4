// What the benchmark measures, small, and only as ratios of one run: a machine may be slow, and busy with other things.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CeilingResult } from '#test/bench/fleet-protocol.ts';
import { startFleetProcess, type BenchFleet } from '#test/bench/fleet.ts';
import { measureCeiling } from '#test/bench/measure/measure-ceiling.ts';
import { measureStoreLag } from '#test/bench/measure/measure-steady.ts';
import { measureSync, type BenchCollector } from '#test/bench/measure/measure-sync.ts';
import { stopAllChildren } from '#test/bench/child.ts';

const size = { clusters: 5, kinds: 10, objects: 200 };
/** Measured 4 to 6; a sync that judges or writes everything several times over is beyond it. */
const cpuFactor = 15;
/** TLS, discovery, leases and the watches that go on beside what the ceiling reads; measured 1.05. */
const byteFactor = 1.5;

describe('a first full sync beside reading and parsing the same bytes', () => {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-bench-ratios-'));
  let fleet: BenchFleet;
  let ceiling: CeilingResult;
  let collector: BenchCollector;
  let sent: number;

  beforeAll(async () => {
    fleet = await startFleetProcess(size, directory);
    ceiling = await measureCeiling(fleet, directory);
    const before = await fleet.traffic();
    collector = await measureSync(fleet, directory);
    sent = (await fleet.traffic()).sent - before.sent;
  });

  afterAll(async () => {
    await stopAllChildren();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  it('stores a row for every object and follows every cluster', () => {
    expect(fleet.objects).toBe(size.clusters * size.objects);
    expect(collector.result.objects).toBe(fleet.objects);
    expect(collector.result.followed).toBe(size.clusters);
    expect([...collector.result.verdicts.values()].reduce((sum, count) => sum + count, 0)).toBe(fleet.objects);
  });

  it('reads everything once', () => {
    expect(sent / ceiling.bytes).toBeGreaterThan(1);
    expect(sent / ceiling.bytes).toBeLessThan(byteFactor);
  });

  // CPU, not wall time: the collector waits for a second look at the leases before it judges.
  it.runIf(process.platform === 'linux')(`costs less than ${cpuFactor} times as much CPU`, () => {
    const { cpu, startCpu } = collector.result;
    expect((cpu - startCpu) / ceiling.cpu).toBeLessThan(cpuFactor);
  });

  it('brings later changes into the store one by one', async () => {
    const { p99 } = await measureStoreLag(fleet, collector, 10);
    expect(p99).toBeGreaterThan(0);
  });
});
