import type { Cause } from '#lib/domain/verdict/judgement.ts';
import { day, hour, minute, second } from '#lib/domain/time/length.ts';
import { chancesIn, lasting, momentsIn } from '../calendar.ts';
import type { Random } from '../../random.ts';
import type { Diary } from '../diary.ts';
import type { Page, StatusSummary } from '../episodes.ts';
import type { Inventory } from '../inventory.ts';

function clusterOf({ clusters }: Inventory, random: Random): string {
  return clusters[random.between(0, clusters.length - 1)]?.name ?? '';
}

/** Nothing ends within the last hours, so that all is well again when the present begins. */
function inTime(diary: Diary, at: number, most: number): boolean {
  return at > diary.from + hour && at + most + hour < diary.to;
}

/** An outage of a provider on a cluster. Times in ms. */
interface Outage {
  readonly cluster: string;
  readonly cause: string;
  readonly rootCause: Cause;
  readonly message: string;
  /** When it is clear that those that fail have something in common. */
  readonly clearAt: number;
}

/** The cloud did not answer for all of a provider's resources on a cluster, or for those of every provider. */
export function providerOutages(diary: Diary): void {
  const { random } = diary;
  for (const at of momentsIn(diary, 0.3)) {
    const cluster = clusterOf(diary.inventory, random);
    const services = ['provider-aws-s3', 'provider-aws-iam', 'provider-aws-sqs', 'provider-aws-rds'] as const;
    const one = random.pick(services);
    const all = random.next() < 0.4;
    const home = at + lasting(150 * minute, 11 * hour, random);
    const cause = `credentials of ${cluster} at ${at}`;
    if (!inTime(diary, at, home - at + 10 * minute)) continue;
    if (!diary.isAlone(`credentials of ${cluster}`, cause, at, lastKnown(diary, cluster, home + 10 * minute))) continue;
    const pages = diary.pages(
      ({ ref, role, controller }) => ref.cluster === cluster && role === 'managed' && (all || controller === one),
    );
    const begins = pages.map(() => at + random.between(0, 540) * second);
    const message =
      'observe failed: cannot get credentials: operation error STS: AssumeRoleWithWebIdentity, request send failed';
    const providerConfig = { cluster, group: 'aws.upbound.io', kind: 'ProviderConfig', namespace: '', name: 'aws' };
    const rootCause: Cause = { type: 'shared-error', cluster, providerConfig, message };
    // Of the first two it looks as if each failed by itself.
    const clearAt = begins.toSorted((a, b) => a - b)[2] ?? at;
    const outage = { cluster, cause, rootCause, message, clearAt };
    for (const [index, page] of pages.entries())
      failFor(diary, page, outage, { at: begins[index] ?? at, home: home + random.between(0, 540) * second });
  }
}

/** When at the latest it is known of a cluster's objects that they are well since `at` (ms). */
function lastKnown(diary: Diary, cluster: string, at: number): number {
  return diary.knownBy({ cluster, group: '', kind: '', namespace: '', name: '' }, at);
}

/** One of them fails; now and then something else is the matter with it once the outage is over. Times in ms. */
function failFor(
  diary: Diary,
  page: Page,
  { cause, rootCause, message, clearAt }: Outage,
  { at, home }: { readonly at: number; readonly home: number },
): void {
  const { random } = diary;
  const summary = { verdict: 'stale', at, reason: 'ReconcileError', message, cause } as const;
  const known: StatusSummary = { ...summary, rootCause, clearAt: Math.max(at, clearAt) };
  const states: [StatusSummary, ...StatusSummary[]] =
    at < clearAt - minute / 2 ? [{ ...summary, seemsAlone: true }, known] : [known];
  if (random.next() > 0.04) return void diary.away(page, states, home);
  const { name, kind } = page.object.ref;
  const refused = `update failed: async update failed: api error AccessDenied: not authorized to modify ${kind} ${name}`;
  const own = { verdict: 'diverged', at: home, reason: 'ReconcileError', message: refused } as const;
  const cured = home + lasting(3 * hour, day, random);
  diary.away(page, [...states, { ...own, cause: `${kind} ${name} refused at ${home}` }], cured);
}

/** A controller of a cluster stood still; some came up again, and stood still again. */
export function stoppedControllers(diary: Diary): void {
  const { random } = diary;
  for (const at of momentsIn(diary, 0.25)) {
    const cluster = clusterOf(diary.inventory, random);
    const name = random.pick(['kustomize-controller', 'source-controller', 'helm-controller']);
    const isCrashing = random.next() < 0.35;
    const lasts = isCrashing ? random.between(12, 30) * minute : lasting(110 * minute, 13 * hour, random);
    const times = isCrashing ? random.between(2, 4) : 1;
    stop(diary, { cluster, name, at, lasts, times });
  }
}

/** Time that a controller that crashes is up between (ms): long enough for its objects to be well for good. */
const upBetween = 450 * second;

/** Which controller stood still, since when, for how long and how often (ms). */
interface Stop {
  readonly cluster: string;
  readonly name: string;
  readonly at: number;
  readonly lasts: number;
  readonly times: number;
}

function stop(diary: Diary, { cluster, name, at, lasts, times }: Stop): void {
  const { random } = diary;
  const end = at + times * (lasts + upBetween);
  const cause = `${name} of ${cluster} at ${at}`;
  if (!inTime(diary, at, end - at)) return;
  if (!diary.isAlone(`${name} of ${cluster}`, cause, at, lastKnown(diary, cluster, end + 65 * second))) return;
  const rootCause: Cause = { type: 'controller', cluster, namespace: 'flux-system', name };
  const pages = diary.pages(({ ref, controller }) => ref.cluster === cluster && controller === name);
  const spread = times > 1 ? 15 : 65;
  for (let begin = at; begin < end; begin += lasts + upBetween) {
    const noticed = begin + 50_000;
    for (const page of pages) {
      const since = noticed + random.between(0, 3) * second;
      const summary = { verdict: 'stale', at: since, reason: 'ControllerDead', rootCause, cause } as const;
      diary.away(page, [summary], begin + lasts + random.between(5, spread) * second);
    }
  }
}

/** Work was planned on clusters: a controller stood still for it, and twice that took longer than planned. */
export function plannedWork(diary: Diary): void {
  for (const [index, { cluster, from, to }] of diary.planned.entries()) {
    const at = from + 20 * minute;
    const lasts = index % 2 === 0 ? to - at + 40 * minute : to - at - 15 * minute;
    stop(diary, { cluster, name: 'kustomize-controller', at, lasts, times: 1 });
  }
}

/** Single resources that the cloud refuses, or that do not come up. */
export function refusals(diary: Diary): void {
  const { random } = diary;
  const managed = diary.pages((object) => object.role === 'managed');
  for (const [at, page] of chancesIn(diary, 2.5, managed)) {
    diary.away(page, [refusal(page, at, random.next())], at + lasting(9 * hour, 6 * day, random));
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
