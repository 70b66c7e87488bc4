import type { Cause } from '#lib/domain/verdict/judgement.ts';
import type { Diary } from '../diary.ts';
import type { StatusSummary } from '../episodes.ts';
import type { PastObject } from '../inventory.ts';
import { optOut } from '../past-record.ts';

const reasons: Partial<Readonly<Record<PastObject['verdict'], string>>> = {
  behind: 'Behind',
  waiting: 'DependencyNotReady',
  unhealthy: 'HealthCheckFailed',
  drifted: 'DriftDetected',
  suspended: 'Suspended',
  stale: 'ControllerDead',
};

function reasonOf({ verdict, role, partOf, optedOut }: PastObject): string {
  if (verdict === 'diverged') return role === 'managed' ? 'ReconcileError' : 'BuildFailed';
  if (verdict === 'unconfirmed') {
    if (optedOut) return 'OptedOut';
    if (role === 'applier') return 'SourceUnconfirmed';
    return partOf ? 'CompositeNotConverged' : 'DeliveryNotConverged';
  }
  return reasons[verdict] ?? 'Progressing';
}

function causeOf({ ref, verdict, controller, deliveredBy, partOf }: PastObject): Cause | undefined {
  if (verdict === 'stale')
    return { type: 'controller', cluster: ref.cluster, namespace: 'flux-system', name: controller };
  const under = verdict === 'unconfirmed' ? (partOf ?? deliveredBy) : null;
  return under ? { type: 'object', ref: under } : undefined;
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
    const rootCause = causeOf(object);
    const attempted = triedBy(diary, object);
    const state: StatusSummary = {
      verdict,
      at: since,
      reason: reasonOf(object),
      ...(rootCause ? { rootCause } : {}),
      ...(attempted === null ? {} : { attempted }),
    };
    if (!diary.lasts(page, state)) continue;
    if (suspended) diary.note({ ref, at: since, fact: { type: 'suspended', ...suspended } });
    const { kind, field, by } = optOut;
    if (state.reason === 'OptedOut') diary.note({ ref, at: since, fact: { type: 'exemption-added', kind, field, by } });
  }
}
