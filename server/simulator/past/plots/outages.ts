import type { Cause } from '#lib/domain/verdict/judgement.ts';
import { day, hour, minute } from '#lib/domain/time/length.ts';
import { chancesIn, lasting, momentsIn } from '../calendar.ts';
import type { Random } from '../../random.ts';
import type { Diary, DiaryPlan } from '../diary.ts';
import type { Page, StatusSummary } from '../episodes.ts';
import type { Inventory } from '../inventory.ts';
import type { Blindness } from '../script.ts';

function clusterOf({ clusters }: Inventory, random: Random): string {
  return clusters[random.between(0, clusters.length - 1)]?.name ?? '';
}

/** Nothing ends within the last hours, so that all is well again when the present begins. */
function inTime(diary: Diary, at: number, most: number): boolean {
  return at > diary.from + hour && at + most + hour < diary.to;
}

/** Clusters that could not be reached, and kinds that could not be read, for a while. */
export function planBlindness(plan: Omit<DiaryPlan, 'blindness'>): readonly Blindness[] {
  const { inventory, from, to, random } = plan;
  const blindness: Blindness[] = [];
  type Unseen = Pick<Blindness, 'state' | 'reason'>;
  const whole: readonly [Unseen, ...Unseen[]] = [
    { state: 'unreachable', reason: 'The API server does not answer (connection timed out)' },
    { state: 'unreachable', reason: 'The name of the API server cannot be resolved' },
    { state: 'unauthorized', reason: 'The API server refuses the credentials (401)' },
  ];

  function add(one: Blindness): void {
    const overlaps = blindness.some(
      (other) => other.cluster === one.cluster && one.from < other.to + hour && one.to + hour > other.from,
    );
    if (!overlaps && one.from > from + hour && one.to + hour < to) blindness.push(one);
  }

  for (const at of momentsIn(plan, 0.35)) {
    const cluster = clusterOf(inventory, random);
    add({ cluster, kind: null, from: at, to: at + lasting(2 * hour, 22 * hour, random), ...random.pick(whole) });
  }
  const managed = inventory.objects.filter(({ role }) => role === 'managed');
  for (const [at, { ref }] of chancesIn(plan, 0.2, managed)) {
    const { cluster, group, kind } = ref;
    const until = at + lasting(7 * hour, 3 * day, random);
    const refusal = { state: 'forbidden', reason: 'Listing this kind is forbidden (403)' };
    add({ cluster, kind: { group, kind }, from: at, to: until, ...refusal });
  }
  return blindness.sort((a, b) => a.from - b.from);
}

/** Notes that objects of a kind are not seen. */
export function blindKinds(diary: Diary): void {
  for (const blind of diary.blindness) if (blind.kind !== null) diary.unseen(blind);
}

/** The cloud did not answer for all of a provider's resources on a cluster, or for those of every provider. */
export function providerOutages(diary: Diary): void {
  const { random } = diary;
  for (const at of momentsIn(diary, 0.3)) {
    const cluster = clusterOf(diary.inventory, random);
    const services = ['provider-aws-s3', 'provider-aws-iam', 'provider-aws-sqs', 'provider-aws-rds'] as const;
    const one = random.pick(services);
    const all = random.next() < 0.4;
    const most = lasting(150 * minute, 11 * hour, random);
    if (!inTime(diary, at, most)) continue;
    const providerConfig = { cluster, group: 'aws.upbound.io', kind: 'ProviderConfig', namespace: '', name: 'aws' };
    const message =
      'observe failed: cannot get credentials: operation error STS: AssumeRoleWithWebIdentity, request send failed';
    const rootCause: Cause = { type: 'shared-error', cluster, providerConfig, message };
    for (const page of diary.pages()) {
      const { ref, role, controller } = page.object;
      if (ref.cluster !== cluster || role !== 'managed' || !(all || controller === one)) continue;
      const begin = at + random.between(0, 540) * 1000;
      const summary = { verdict: 'stale', at: begin, reason: 'ReconcileError', message, rootCause } as const;
      diary.away(page, [summary], at + most + random.between(0, 540) * 1000);
    }
  }
}

/** A controller of a cluster stood still. */
export function stoppedControllers(diary: Diary): void {
  const { random } = diary;
  for (const at of momentsIn(diary, 0.25)) {
    const cluster = clusterOf(diary.inventory, random);
    const name = random.pick(['kustomize-controller', 'source-controller', 'helm-controller']);
    const home = at + lasting(110 * minute, 13 * hour, random);
    if (!inTime(diary, at, home - at)) continue;
    const rootCause: Cause = { type: 'controller', cluster, namespace: 'flux-system', name };
    const noticed = at + 50_000;
    for (const page of diary.pages()) {
      const { ref, controller } = page.object;
      if (ref.cluster !== cluster || controller !== name) continue;
      const begin = noticed + random.between(0, 3) * 1000;
      const summary = { verdict: 'stale', at: begin, reason: 'ControllerDead', rootCause } as const;
      diary.away(page, [summary], home + random.between(5, 65) * 1000);
    }
  }
}

/** Single resources that the cloud refuses, or that do not come up. */
export function refusals(diary: Diary): void {
  const { random } = diary;
  const managed = diary.pages((object) => object.role === 'managed');
  for (const [at, page] of chancesIn(diary, 7, managed)) {
    diary.away(page, [refusal(page, at, random.next())], at + lasting(4 * hour, 6 * day, random));
  }
}

function refusal({ object }: Page, at: number, how: number): StatusSummary {
  const { name, kind } = object.ref;
  if (how < 0.5) {
    const message = `update failed: async update failed: api error AccessDenied: not authorized to modify ${kind} ${name}`;
    return { verdict: 'diverged', at, reason: 'ReconcileError', message };
  }
  if (how < 0.8) {
    const message = `${kind} ${name} is being modified in the cloud`;
    return { verdict: 'unhealthy', at, reason: 'Unavailable', message };
  }
  const message = 'observe failed: request send failed, connection reset by peer';
  return { verdict: 'stale', at, reason: 'ReconcileError', message };
}
