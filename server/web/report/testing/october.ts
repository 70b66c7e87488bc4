import type { Arrival } from '#lib/domain/chain/arrival.ts';
import type { NotedChange } from '#lib/domain/record/change.ts';
import type { Transition } from '#lib/domain/record/current.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import type { LedgerEntry } from '#lib/domain/record/figures.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import type { CoverageChange } from '#server/store/port/port.ts';
import type { ReportRequest } from '../ask-report.ts';

/** 1 October 2026. */
export const october = Date.UTC(2026, 9, 1);
export const november = Date.UTC(2026, 10, 1);

const group = 'kustomize.toolkit.fluxcd.io';

/** A Kustomization of that name. */
export function kustomization(cluster: string, name: string): ObjectRef {
  return { cluster, group, kind: 'Kustomization', namespace: 'flux-system', name };
}

export const checkout = kustomization('eu-west-3', 'checkout');
export const mail = kustomization('stg-us', 'mail');

function change(ref: ObjectRef, at: number, to: Verdict | null, rest: Partial<Transition> = {}): Transition {
  return {
    ref,
    uid: `uid-${ref.name}`,
    at,
    bound: 'exact',
    noticedAt: at,
    from: null,
    to,
    reason: to === 'diverged' ? 'BuildFailed' : '',
    message: '',
    commit: null,
    attempted: null,
    rootCause: null,
    ...rest,
  };
}

/**
 * Two objects that are there from the middle of September on. In October checkout is diverged for 10 h and noticed after 30 s; mail is
 * suspended by m.ito for 20 h of which its cluster is unreachable for 5 h, and once drifted for 30 min.
 */
export const octoberHistory: {
  readonly coverage: readonly CoverageChange[];
  readonly transitions: readonly Transition[];
  readonly absences: readonly Absence[];
  readonly changes: readonly NotedChange[];
  readonly corrections: readonly LedgerEntry[];
  readonly arrivals: readonly Arrival[];
} = {
  coverage: [
    { cluster: 'eu-west-3', kind: null, at: october - 20 * day, observed: true, state: 'live', reason: null },
    { cluster: 'stg-us', kind: null, at: october - 20 * day, observed: true, state: 'live', reason: null },
    {
      cluster: 'stg-us',
      kind: null,
      at: october + 10 * day,
      observed: false,
      state: 'unreachable',
      reason: 'connect ETIMEDOUT',
    },
    { cluster: 'stg-us', kind: null, at: october + 10 * day + 5 * hour, observed: true, state: 'live', reason: null },
  ],
  transitions: [
    change(checkout, october - 20 * day, 'converged'),
    change(mail, october - 20 * day, 'converged'),
    change(checkout, october + 2 * day, 'diverged', { noticedAt: october + 2 * day + 30_000 }),
    change(checkout, october + 2 * day + 10 * hour, 'converged'),
    change(mail, october + 10 * day, 'suspended'),
    change(mail, october + 10 * day + 20 * hour, 'converged'),
    change(mail, october + 20 * day, 'drifted'),
    change(mail, october + 20 * day + hour / 2, 'converged'),
  ],
  absences: [
    {
      ref: checkout,
      uid: 'uid-checkout',
      openedAt: october + 2 * day,
      bound: 'exact',
      noticedAt: october + 2 * day + 30_000,
      closedAt: october + 2 * day + 10 * hour,
      ended: 'converged',
      worst: 'diverged',
      reason: 'BuildFailed',
      rootCause: null,
      range: {
        lastGood: 'main@sha1:2d81a0c4a0c42d81a0c4a0c42d81a0c4a0c42d81',
        firstBad: 'main@sha1:9f31c07d9f31c07d9f31c07d9f31c07d9f31c07d',
        seenBetween: 2,
        watched: true,
      },
    },
    {
      ref: mail,
      uid: 'uid-mail',
      openedAt: october + 20 * day,
      bound: 'exact',
      noticedAt: october + 20 * day,
      closedAt: october + 20 * day + hour / 2,
      ended: 'converged',
      worst: 'drifted',
      reason: '=cmd|"/c calc"!A1',
      rootCause: { type: 'controller', cluster: 'stg-us', namespace: 'flux-system', name: '<b>helm</b>-controller' },
      range: null,
    },
  ],
  changes: [
    {
      cluster: 'stg-us',
      ref: mail,
      at: october + 10 * day,
      notBefore: october + 10 * day,
      noticedAt: october + 10 * day,
      fact: { type: 'suspended', by: 'm.ito', field: 'spec.suspend' },
    },
    {
      cluster: 'eu-west-3',
      ref: checkout,
      at: october + 4 * day,
      notBefore: october + 4 * day,
      noticedAt: october + 4 * day,
      fact: { type: 'exemption-added', kind: 'prune-disabled', field: 'spec.prune', by: null },
    },
  ],
  corrections: [
    { ref: mail, correction: { at: october + 20 * day, certainty: 'confirmed', said: 'configured', count: 2 } },
    { ref: mail, correction: { at: october + 21 * day, certainty: 'contested', said: 'configured', count: 9 } },
  ],
  arrivals: [
    {
      cluster: 'eu-west-3',
      commit: 'a'.repeat(40),
      offeredAt: october + day,
      firstAt: october + day + 60_000,
      lastAt: october + day + 250_000,
      objects: 2,
    },
    {
      cluster: 'stg-us',
      commit: 'a'.repeat(40),
      offeredAt: null,
      firstAt: october + day,
      lastAt: october + day,
      objects: 1,
    },
  ],
};

/** All clusters, all kinds. */
export const everywhere: ReportRequest['scope'] = { clusters: null, cluster: '', label: '', kind: null };

/** A report over October, made on 2 November, where nothing else is said. */
export function asked(rest: Partial<ReportRequest> = {}): ReportRequest {
  return {
    period: { from: october, to: november, end: november },
    scope: everywhere,
    asOf: november + day,
    version: '1.2.3',
    simulated: false,
    alarmWithin: hour / 4,
    ...rest,
  };
}
