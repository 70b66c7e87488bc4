import type { CurrentCluster, CurrentFeed } from '#lib/domain/record/current.ts';
import { exemptionKinds } from '#lib/domain/exemption/exemption.ts';
import { conflictKinds } from '#lib/domain/observation/conflict.ts';
import { day, hour, minute } from '#lib/domain/time/length.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import type { MemoryStore } from './memory-reader.ts';
import {
  goodCommit,
  helmGroup,
  sampleCluster,
  sampleDetail,
  sampleDiverged,
  sampleNow,
  sampleObject,
  sampleRef,
  sampleSource,
} from './sample.ts';

const { feeds: sampleFeeds } = sampleCluster('any');

function feed(kind: string, rest: Partial<CurrentFeed>): CurrentFeed {
  const [first] = sampleFeeds;
  if (first === undefined) throw new Error('a sample reads kinds');
  return { ...first, group: helmGroup, kind, since: sampleNow - hour, ...rest };
}

/** Every state that a cluster can be in, and what can be wrong with one that is seen. */
export const troubledClusters: readonly CurrentCluster[] = [
  sampleCluster('eu-west-3', {
    labels: { environment: 'production', team: 'web' },
    clockAhead: 95_000,
    probes: { kinds: 12, longest: 45_000 },
    unread: [
      { group: 'fluxcd.controlplane.io', kind: 'FluxReport', why: 'it only reports on others' },
      { group: 'image.toolkit.fluxcd.io', kind: 'ImageOracle', why: null },
    ],
    controllers: (['alive', 'dead', 'unknown'] as const).map((state, index) => ({
      namespace: 'flux-system',
      name: `${state}-controller`,
      lease: index === 2 ? null : `${state}-controller-leader-election`,
      state,
      lastMovedAt: index === 2 ? null : sampleNow - index * hour,
      durationSeconds: index === 2 ? null : 35,
      holder: index === 2 ? null : `${state}-controller-7c9`,
      transitions: index === 2 ? null : 3,
      version: index === 2 ? null : 'v1.9.4',
      deployment: (['available', 'unavailable', 'unknown'] as const)[index] ?? 'unknown',
      objects: 10 - index,
    })),
    conflicts: conflictKinds.map((kind, index) => ({
      kind,
      resource: { group: 'apps', kind: 'Deployment', namespace: 'web', name: `shop-${index}` },
      owners: [
        { ref: sampleRef({ name: 'checkout' }), name: 'checkout' },
        { ref: null, name: 'kubectl-edit' },
      ],
      why: 'both have applied it and do so again on every pass',
      since: sampleNow - index * hour,
    })),
    conflictsTotal: 9,
    alarming: null,
  }),
  sampleCluster('us-east-1', {
    feeds: [
      ...sampleFeeds.slice(0, 3),
      feed('HelmRelease', { state: 'forbidden', reason: 'User "p" cannot list resource "helmreleases" in API group' }),
    ],
  }),
  sampleCluster('ap-south-1', { state: 'unreachable', since: sampleNow - 3 * hour, reason: 'connect ETIMEDOUT' }),
  sampleCluster('sa-east-1', { state: 'unauthorized', reason: 'Unauthorized', labels: {} }),
  sampleCluster('me-south-1', { state: 'misconfigured', reason: 'no such context', labels: { environment: 'lab' } }),
  sampleCluster('af-south-1', { state: 'connecting', since: sampleNow - minute, feeds: [] }),
  sampleCluster('stacks', { state: 'declared', feeds: [] }),
];

/** Fills a store with a fleet in which each verdict, exemption, conflict and state of a cluster is found, and with its record. */
export function fillTroubled(store: MemoryStore): void {
  for (const cluster of troubledClusters) store.cluster(cluster);
  for (const name of ['eu-west-3', 'us-east-1', 'ap-south-1']) {
    store.object(sampleSource(name));
    store.object(sampleObject({ cluster: name, name: 'payments' }));
  }
  const broken = sampleDiverged({ name: 'checkout' });
  store.object(broken, sampleDetail(broken));
  for (const [index, verdict] of verdicts.entries()) {
    const ref = { name: `is-${verdict}`, namespace: index % 2 === 0 ? 'web' : 'flux-system' };
    store.object(
      sampleObject(ref, {
        verdict,
        was: verdict === 'suspended' || verdict === 'stale' ? 'converged' : null,
        reason: verdict === 'converged' ? 'ReconciliationSucceeded' : 'DependencyNotReady',
        alarm: index % 2 === 0 ? { state: 'sounding', since: sampleNow, by: 'own' } : { state: 'unknown', why: 'none' },
        rootCause: verdict === 'waiting' ? { type: 'object', ref: broken.ref } : null,
        drift: verdict === 'drifted' ? 'found' : 'not-measured',
        exemptions: exemptionKinds
          .filter((_kind, at) => at % verdicts.length === index)
          .map((kind) => ({
            kind,
            field: 'spec.x',
            meaning: `weak by ${kind}`,
            by: 'm.ito',
            at: sampleNow,
            reach: reachOf(kind),
          })),
      }),
    );
  }
  const release = { cluster: 'us-east-1', name: 'api', kind: 'HelmRelease', group: helmGroup };
  store.object(sampleObject(release, { reconciler: 'helm', commit: null, repository: null }));
  store.object(
    sampleObject(
      { cluster: 'stacks', group: 'declared', kind: 'Stack', namespace: '', name: 'dns' },
      { verdict: 'unobserved', role: 'declared', reconciler: 'none', validUntil: null },
    ),
  );
  record(store);
}

const reachOf = (kind: string): number | null => (kind.length % 2 === 0 ? kind.length : null);

function record(store: MemoryStore): void {
  const whole = { kind: null, reason: null };
  for (const name of ['eu-west-3', 'us-east-1', 'ap-south-1'])
    store.covered({ ...whole, cluster: name, at: sampleNow - 20 * day, observed: true, state: 'live' });
  const lost = { ...whole, cluster: 'us-east-1', state: 'unreachable', reason: 'no route' };
  store.covered({ ...lost, at: sampleNow - 5 * hour, observed: false });
  store.covered({ ...lost, at: sampleNow - 4 * hour, observed: true, state: 'live', reason: null });
  const ref = sampleRef({ name: 'checkout' });
  const turns = [
    [20 * day, null, 'converged'],
    [30 * hour, 'converged', 'diverged'],
    [29 * hour, 'diverged', 'converged'],
    [hour, 'converged', 'diverged'],
  ] as const;
  for (const [ago, from, to] of turns) {
    const moment = { at: sampleNow - ago, noticedAt: sampleNow - ago + 30_000, bound: 'exact' } as const;
    const said = { reason: to === 'diverged' ? 'BuildFailed' : 'ReconciliationSucceeded', message: 'as it was said' };
    const tried = { commit: goodCommit, attempted: `main@sha1:${goodCommit}`, rootCause: null };
    store.transition({ ref, uid: `uid-${ref.cluster}-Kustomization-checkout`, ...moment, from, to, ...said, ...tried });
  }
  for (const [opened, closed] of [
    [30 * hour, 29 * hour],
    [hour, null],
  ] as const)
    store.absence({
      ref,
      uid: `uid-${ref.cluster}-Kustomization-checkout`,
      openedAt: sampleNow - opened,
      bound: 'exact',
      noticedAt: sampleNow - opened + 30_000,
      closedAt: closed === null ? null : sampleNow - closed,
      ended: closed === null ? null : 'converged',
      worst: 'diverged',
      reason: 'BuildFailed',
      rootCause: null,
      range: null,
    });
  const release = { cluster: 'us-east-1', group: helmGroup, kind: 'HelmRelease', namespace: 'web', name: 'api' };
  const clusterWide = { cluster: 'us-east-1', group: '', kind: 'Namespace', namespace: '', name: 'web' };
  for (const other of [release, clusterWide]) {
    const moment = { at: sampleNow - 6 * hour, noticedAt: sampleNow - 6 * hour, bound: 'at-least' } as const;
    const said = { reason: 'UpgradeFailed', message: 'as it was said', commit: null, attempted: null };
    store.transition({
      ref: other,
      uid: `uid-${other.name}`,
      ...moment,
      from: null,
      to: 'unhealthy',
      ...said,
      rootCause: null,
    });
    const opened = {
      openedAt: moment.at,
      noticedAt: moment.noticedAt,
      bound: moment.bound,
      closedAt: null,
      ended: null,
    };
    const worst = {
      worst: 'unhealthy',
      reason: 'UpgradeFailed',
      rootCause: { type: 'object', ref },
      range: null,
    } as const;
    store.absence({ ref: other, uid: `uid-${other.name}`, ...opened, ...worst });
  }
  const facts = [
    { type: 'suspended', by: 'm.ito', field: 'spec.suspend' },
    { type: 'spec-edited', by: 'kubectl-edit', from: 3, generation: 5 },
    { type: 'exemption-added', kind: 'prune-disabled', field: 'spec.prune', by: null },
    { type: 'revision', from: null, to: `main@sha1:${goodCommit}` },
  ] as const;
  for (const [index, fact] of facts.entries()) {
    const when = sampleNow - (2 + index) * hour;
    store.changed({ cluster: ref.cluster, ref, at: when, notBefore: when - minute, noticedAt: when, fact });
  }
  const version = { type: 'kubernetes-version', from: 'v1.33.1', to: 'v1.34.3' } as const;
  const when = sampleNow - 3 * day;
  store.changed({ cluster: 'us-east-1', ref: null, at: when, notBefore: when, noticedAt: when, fact: version });
}
