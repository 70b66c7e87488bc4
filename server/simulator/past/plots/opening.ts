import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import { components } from '../../fleet/plan.ts';
import type { Diary } from '../diary.ts';
import { ownCause, type StatusSummary } from '../episodes.ts';
import type { PastObject } from '../inventory.ts';
import { optOut } from '../past-record.ts';

const reasons: Partial<Readonly<Record<PastObject['verdict'], string>>> = {
  behind: 'Behind',
  waiting: 'DependencyNotReady',
  unhealthy: 'HealthCheckFailed',
  drifted: 'DriftDetected',
  suspended: 'Suspended',
};

function reasonOf({ verdict, role, controller, partOf, optedOut }: PastObject): string {
  if (verdict === 'stale') return controller === 'helm-controller' ? 'SourceStale' : 'ControllerDead';
  if (verdict === 'diverged') return role === 'managed' ? 'ReconcileError' : 'BuildFailed';
  if (verdict === 'unconfirmed') {
    if (optedOut) return 'OptedOut';
    if (role === 'applier') return 'SourceUnconfirmed';
    return partOf ? 'CompositeNotConverged' : 'DeliveryNotConverged';
  }
  return reasons[verdict] ?? 'Progressing';
}

type Known = Extract<Cause, { readonly type: 'object' | 'controller' }>;

function causeOf(diary: Diary, { ref, verdict, controller, deliveredBy, partOf }: PastObject): Known | undefined {
  if (verdict === 'stale') {
    // A release is stale by the source of its chart.
    const name = controller === 'helm-controller' ? 'source-controller' : controller;
    return { type: 'controller', cluster: ref.cluster, namespace: 'flux-system', name };
  }
  if (verdict === 'waiting') {
    const broken = waitsFor(diary, ref);
    return broken && { type: 'object', ref: broken };
  }
  const under = verdict === 'unconfirmed' ? (partOf ?? deliveredBy) : null;
  return under ? { type: 'object', ref: under } : undefined;
}

/** The first that a Kustomization depends on and that is not well. */
function waitsFor(diary: Diary, ref: ObjectRef): ObjectRef | undefined {
  const names = components.find(({ name }) => name === ref.name)?.dependsOn ?? [];
  const refs = names.map((name): ObjectRef => ({ ...ref, name }));
  return refs.find((one) => (diary.page(one)?.object.verdict ?? 'converged') !== 'converged');
}

/** The cause as the script knows it: the same for all that fail by it. */
function knownAs(diary: Diary, cause: Known, { since }: PastObject): string {
  if (cause.type === 'controller') return `${cause.name} of ${cause.cluster} at ${since}`;
  return ownCause(cause.ref, diary.page(cause.ref)?.object.since ?? since);
}

/** Commit that an applier tried and that has failed since: the newest by then. null of what is no failed attempt. */
function triedBy(diary: Diary, { role, verdict, commit, source, since }: PastObject): string | null {
  const failed = role === 'applier' && (verdict === 'diverged' || verdict === 'unhealthy');
  if (!failed || commit === null || source?.kind !== 'GitRepository') return null;
  const newest = diary.inventory.commits.findLast(({ time }) => time <= since);
  return newest === undefined ? null : `main@sha1:${newest.sha}`;
}

/** Writes the trouble of the fleet when the present begins: it began before, and lasts. */
export function opening(diary: Diary): void {
  for (const page of diary.pages()) {
    const { object } = page;
    const { ref, verdict, since, suspended } = object;
    if (verdict === 'converged' || verdict === 'progressing' || since >= diary.to) continue;
    const rootCause = causeOf(diary, object);
    const cause = rootCause ? knownAs(diary, rootCause, object) : null;
    const attempted = triedBy(diary, object);
    const state: StatusSummary = {
      verdict,
      at: since,
      reason: reasonOf(object),
      ...(rootCause ? { rootCause } : {}),
      ...(attempted === null ? {} : { attempted }),
      ...(cause === null ? {} : { cause }),
    };
    if (!diary.lasts(page, state)) continue;
    if (suspended) diary.note({ ref, at: since, fact: { type: 'suspended', ...suspended } });
    const { kind, field, by } = optOut;
    if (state.reason === 'OptedOut') diary.note({ ref, at: since, fact: { type: 'exemption-added', kind, field, by } });
  }
}
