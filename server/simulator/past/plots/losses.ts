// Clusters and kinds that nobody could see, and the times in which work on clusters was planned.
import { day, hour, minute } from '#lib/domain/time/length.ts';
import { chancesIn, lasting, momentsIn } from '../calendar.ts';
import type { Diary, DiaryPlan } from '../diary.ts';
import type { Inventory } from '../inventory.ts';
import type { Blindness, PlannedTime } from '../script.ts';

type Unseen = Pick<Blindness, 'state' | 'reason'>;

const refusals: readonly [Unseen, ...Unseen[]] = [
  { state: 'unreachable', reason: 'The API server does not answer (connection timed out)' },
  { state: 'unreachable', reason: 'The name of the API server cannot be resolved' },
  { state: 'unauthorized', reason: 'The API server refuses the credentials (401)' },
];

/** Two losses of different causes begin so far from each other that nobody takes them for one (ms). */
const apart = 5 * minute;

/** When regions are lost, before the end of a past (ms). */
const regionsLost: readonly number[] = [41 * day + 9 * hour, 17 * day + 6 * hour];

/** Clusters that could not be reached, and kinds that could not be read, for a while. */
export function planBlindness(plan: Omit<DiaryPlan, 'blindness' | 'planned'>): readonly Blindness[] {
  const { inventory, from, to, random } = plan;
  const blindness: Blindness[] = [];

  function fits(one: Blindness): boolean {
    const overlaps = blindness.some(
      (other) => other.cluster === one.cluster && one.from < other.to + hour && one.to + hour > other.from,
    );
    const isMixed = blindness.some((other) => other.cause !== one.cause && Math.abs(other.from - one.from) < apart);
    return !overlaps && !isMixed && one.from > from + hour && one.to + hour < to;
  }

  for (const before of regionsLost) {
    const lost = regionLost(plan, to - before);
    if (lost.every(fits)) blindness.push(...lost);
  }
  for (const at of momentsIn(plan, 0.35)) {
    const { name: cluster = '' } = inventory.clusters[random.between(0, inventory.clusters.length - 1)] ?? {};
    const until = at + lasting(2 * hour, 22 * hour, random);
    const one = {
      cluster,
      kind: null,
      from: at,
      to: until,
      ...random.pick(refusals),
      cause: `${cluster} lost at ${at}`,
    };
    if (fits(one)) blindness.push(one);
  }
  const managed = inventory.objects.filter(({ role }) => role === 'managed');
  for (const [at, { ref }] of chancesIn(plan, 0.2, managed)) {
    const { cluster, group, kind } = ref;
    const until = at + lasting(7 * hour, 3 * day, random);
    const refusal = { state: 'forbidden', reason: 'Listing this kind is forbidden (403)' };
    const one = {
      cluster,
      kind: { group, kind },
      from: at,
      to: until,
      ...refusal,
      cause: `${kind} forbidden at ${at}`,
    };
    if (fits(one)) blindness.push(one);
  }
  return blindness.sort((a, b) => a.from - b.from);
}

/** The region with the most clusters: the way to all of them is cut at once, and they are back one after the other. */
function regionLost({ inventory, random }: Pick<DiaryPlan, 'inventory' | 'random'>, at: number): readonly Blindness[] {
  const regions = Map.groupBy(inventory.clusters, ({ labels }) => labels['region'] ?? '');
  const [largest] = [...regions].toSorted(([, a], [, b]) => b.length - a.length);
  if (!largest) return [];
  const [region, clusters] = largest;
  const lasts = lasting(50 * minute, 3 * hour, random);
  return clusters.map(({ name }) => ({
    cluster: name,
    kind: null,
    from: at + random.between(0, 25_000),
    to: at + lasts + random.between(1_000, 4 * minute),
    state: 'unreachable',
    reason: 'The API server does not answer (no route to host)',
    cause: `region ${region} lost at ${at}`,
  }));
}

/** When work on clusters is planned, before the end of a past (ms). */
const workPlanned: readonly number[] = [
  73 * day + 4 * hour,
  52 * day + 3 * hour,
  29 * day + 5 * hour,
  12 * day + 4 * hour,
];

/** Times of planned work, one cluster after the other. */
export function planWork(
  { clusters }: Inventory,
  { to, blindness }: Pick<DiaryPlan, 'to' | 'blindness'>,
): readonly PlannedTime[] {
  return workPlanned.flatMap((before, index) => {
    const { name: cluster = '' } = clusters[index % clusters.length] ?? {};
    const work = { cluster, from: to - before, to: to - before + 2 * hour, reason: 'new nodes' };
    const isSeen = blindness.every(
      (one) => one.cluster !== cluster || one.to + 6 * hour < work.from || one.from > work.to + 6 * hour,
    );
    return isSeen ? [work] : [];
  });
}

/** Notes that objects of a kind are not seen. */
export function blindKinds(diary: Diary): void {
  for (const blind of diary.blindness) if (blind.kind !== null) diary.unseen(blind);
}
