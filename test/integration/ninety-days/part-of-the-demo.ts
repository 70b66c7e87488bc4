import { day, hour, minute } from '#lib/domain/time/length.ts';
import type { Clock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { startSimulator } from '#server/simulator/main.ts';
import type { Inventory } from '#server/simulator/past/inventory.ts';
import { inventoryOf } from '#server/simulator/past/inventory-of.ts';
import { asKnown } from '#server/simulator/past/known-calls.ts';
import type { Blindness, CallPast, Script, SourcePast } from '#server/simulator/past/script.ts';
import { seededRandom } from '#server/simulator/random.ts';

/** A part of the demo's fleet: two of production, one whose controllers are dead, one with Terraform. */
const clusters: readonly string[] = ['us-east-1', 'us-east-2', 'stg-edge', 'sbx-1'];

/** A Saturday in November: every run tells of the very same days. */
const present: Clock = {
  now: () => Date.UTC(2026, 10, 21, 13, 37, 11, 123),
  after: () => ({ cancel: () => undefined }),
};

/** Inventory of that part. Its control repository and its configuration go to `directory`. */
export async function partOfTheDemo(directory: string): Promise<Inventory> {
  const shared = { clock: present, log: silentLog, directory };
  const simulator = await startSimulator({ ...shared, story: 'opening' });
  if (!simulator.demo) throw new Error('no demo');
  const whole = inventoryOf(simulator.demo, present.now());
  await simulator.stop();
  return {
    ...whole,
    clusters: whole.clusters.filter(({ name }) => clusters.includes(name)),
    objects: whole.objects.filter(({ ref }) => clusters.includes(ref.cluster)),
  };
}

/** A second source laid over the first: it speaks for two of the clusters, is not read at times, and calls for some of what they are away for. */
export function moreAlarms(script: Script, seed: number): readonly SourcePast[] {
  const random = seededRandom(seed);
  const name = 'second';
  const clusters = script.clusters.slice(0, 2);
  const unread = [11, 29, 47, 63].map((days) => {
    const from = script.from + days * day + random.between(0, day);
    return { from, to: from + random.between(minute, 14 * hour) };
  });
  const calls = script.alarms
    .flatMap((source) => source.calls)
    .filter(({ call }) => call.cluster !== null && clusters.includes(call.cluster) && random.next() < 0.5)
    .map(({ names, call }): CallPast => {
      const later = random.between(-5, 40) * minute;
      const to = call.to === null ? null : call.to + later + random.between(1, 30) * minute;
      return { names, call: { ...call, source: name, from: call.from + later, to } };
    });
  const times = { since: script.from + 3 * day, unread };
  return [...script.alarms, { name, clusters, ...times, calls: asKnown(calls, { ...times, to: script.to }) }];
}

/** More of what nobody saw, laid over all the rest: of clusters and of kinds, long and short, where nothing was blind before. */
export function moreBlindness(script: Script, seed: number): readonly Blindness[] {
  const random = seededRandom(seed);
  const blindness = [...script.blindness];
  for (let i = 0; i < 60; i++) {
    const object = script.objects[random.between(0, script.objects.length - 1)]?.object;
    if (!object) continue;
    const { cluster, group, kind } = object.ref;
    const of = random.next() < 0.5 ? null : { group, kind };
    const from = random.between(script.from + hour, script.to - 3 * day);
    const to = from + random.between(1, random.next() < 0.3 ? 2 * day : 3 * hour);
    const same = (one: Blindness): boolean =>
      one.cluster === cluster &&
      (of === null ? one.kind === null : one.kind?.group === group && one.kind.kind === kind);
    const isMixed = (one: Blindness): boolean => one.kind === null && Math.abs(one.from - from) < 5 * minute;
    if (blindness.some((one) => (same(one) && from <= one.to && to >= one.from) || isMixed(one))) continue;
    const [state, reason] = ['unreachable', 'laid over'];
    blindness.push({ cluster, kind: of, from, to, state, reason, cause: `${reason} ${cluster} ${i}` });
  }
  return blindness.toSorted((a, b) => a.from - b.from);
}
