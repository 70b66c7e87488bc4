import { startChild } from '../child.ts';
import { CeilingResult } from '../fleet-protocol.ts';
import type { BenchFleet } from '../fleet.ts';

/** Reads and parses everything that the fleet has, and does nothing with it. */
export async function measureCeiling(fleet: BenchFleet, directory: string): Promise<CeilingResult> {
  const child = startChild({ program: 'test/bench/measure/ceiling.ts', args: [fleet.planPath], directory });
  const result = CeilingResult.parse(await child.receive('ceiling', 60_000 + fleet.objects));
  await child.stop();
  if (result.objects !== fleet.objects)
    throw new Error(`the ceiling read ${result.objects} of ${fleet.objects} objects`);
  return result;
}
