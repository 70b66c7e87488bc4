import type { WireCluster, WireClusterPage, WireFeed } from '#lib/api/cluster.ts';
import type {
  WireAlarm,
  WireAlarmChain,
  WireCommitRange,
  WireObject,
  WireObjectChanges,
  WireObjectList,
  WireObjectPage,
  WireTransition,
} from '#lib/api/object.ts';
import { clusterPath, objectPath } from '#lib/api/paths.ts';
import { verdicts, type Verdict } from '#lib/domain/verdict/verdict.ts';
import { countsOf, minutesAgo, moment } from './wire-fleet.ts';

export const lastGood = '2d81e5512345678901234567890123456789abcd';
export const firstBad = '9f31c0712345678901234567890123456789abcd';

/** The Kustomization that most tests are about. */
export const checkout = {
  cluster: 'eu-west-3',
  group: 'kustomize.toolkit.fluxcd.io',
  kind: 'Kustomization',
  namespace: 'flux-system',
  name: 'checkout',
};

/** A Kustomization on eu-west-3 that is converged; only what matters must be told. */
export function wireObject(part: Partial<WireObject> = {}): WireObject {
  const ref = { ...checkout, ...pick(part) };
  const verdict = part.verdict ?? 'converged';
  const since = { time: minutesAgo(47), bound: 'exact' as const, noticedAt: minutesAgo(47) };
  return {
    reconciler: 'flux',
    role: 'applier',
    was: null,
    reconciling: false,
    rolling: false,
    reason: '',
    message: '',
    sentence: `${ref.kind} ${ref.name} is as declared.`,
    onset: since,
    awaySince: verdict === 'converged' ? null : since,
    confirmation: 'pass',
    observedAt: minutesAgo(1),
    confirmedAt: minutesAgo(1),
    revision: {
      applied: `main@sha1:${lastGood}`,
      attempted: `main@sha1:${lastGood}`,
      offered: `main@sha1:${lastGood}`,
    },
    commit: lastGood,
    commitDiffers: 'no',
    path: `clusters/production/${ref.cluster}/${ref.name}`,
    source: {
      group: 'source.toolkit.fluxcd.io',
      kind: 'GitRepository',
      namespace: 'flux-system',
      name: 'control-repo',
    },
    deliveredBy: null,
    rootCause: null,
    range: null,
    drift: 'none',
    exemptions: [],
    alarm: wireAlarm({ state: 'not-due' }),
    guarantee: 'holds',
    links: { self: objectPath(ref), commit: null, tree: null },
    ...part,
    ...ref,
    verdict,
  };
}

function pick({ cluster, group, kind, namespace, name }: Partial<WireObject>): Partial<WireObject> {
  return {
    ...(cluster === undefined ? {} : { cluster }),
    ...(group === undefined ? {} : { group }),
    ...(kind === undefined ? {} : { kind }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  };
}

/** It broke between the two commits of that night, which were seen to be tried, with one that was offered between. */
export const brokenRange: WireCommitRange = {
  lastGood: { text: '2d81e55', commit: lastGood, href: null },
  firstBad: { text: '9f31c07', commit: firstBad, href: null },
  seenBetween: 1,
  watched: true,
  text: 'worked at 2d81e55, first failed at 9f31c07, at least 1 between',
};

/** checkout on eu-west-3 in that night: it broke by 9f31c07. */
export function failingCheckout(part: Partial<WireObject> = {}): WireObject {
  return wireObject({
    verdict: 'diverged',
    reason: 'BuildFailed',
    message: 'kustomize build failed: <b>no matches</b> for Id Deployment.v1.apps/checkout-api',
    sentence:
      'The build of clusters/production/eu-west-3/checkout fails, last tried at 9f31c07. The cluster runs 2d81e55.',
    revision: {
      applied: `main@sha1:${lastGood}`,
      attempted: `main@sha1:${firstBad}`,
      offered: `main@sha1:${firstBad}`,
    },
    commitDiffers: 'yes',
    range: brokenRange,
    alarm: wireAlarm({ state: 'unknown', why: 'none' }),
    guarantee: 'unknown',
    links: {
      self: '/clusters/eu-west-3/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/checkout',
      commit: `https://git.example.org/acme/control-repo/-/commit/${lastGood}`,
      tree: `https://git.example.org/acme/control-repo/-/tree/${lastGood}/clusters/production/eu-west-3/checkout`,
    },
    ...part,
  });
}

/** A change of verdict, some minutes ago. */
export function wireTransition(
  minutes: number,
  to: Verdict | null,
  part: Partial<WireTransition> = {},
): WireTransition {
  const { cluster, group, kind, namespace, name } = wireObject();
  return {
    ref: { cluster, group, kind, namespace, name },
    at: minutesAgo(minutes),
    bound: 'exact',
    noticedAt: minutesAgo(minutes),
    from: null,
    to,
    reason: '',
    message: '',
    commit: null,
    ...part,
  };
}

/** Everything the page of an object shows. */
export function wireObjectPage(part: Partial<WireObjectPage> = {}): WireObjectPage {
  const object = part.object ?? failingCheckout();
  return {
    asOf: new Date(moment).toISOString(),
    object,
    message: object.message,
    conditions: [],
    driftSays: null,
    evidence: [{ from: 'condition', text: 'Ready=False BuildFailed', at: minutesAgo(47) }],
    target: null,
    suspended: null,
    specEditedBy: null,
    cadence: { intervalMs: 600_000, retryIntervalMs: null, timeoutMs: 300_000 },
    lastAttempt: minutesAgo(1),
    nextAttempt: minutesAgo(-9),
    corrections: [],
    transitions: [],
    more: { transitions: false, gaps: false },
    gaps: [],
    upstreams: [],
    waitsForThis: [],
    dependents: 0,
    conflicts: [],
    alike: [],
    before: wireObjectChanges(),
    elsewhere: { clusters: 13, converged: 13, atCommit: null },
    chain: wireChain({ alarm: object.alarm }),
    notified: null,
    commands: ['flux get kustomizations checkout -n flux-system --context eu-west-3'],
    cluster: {
      name: 'eu-west-3',
      state: 'live',
      reason: null,
      labels: { environment: 'production' },
      plannedWork: null,
    },
    ...part,
  };
}

/** The half hour before the object broke, 47 min ago, recorded throughout and empty. */
export function wireObjectChanges(part: Partial<WireObjectChanges> = {}): WireObjectChanges {
  return {
    span: 'before-away',
    from: minutesAgo(77),
    to: minutesAgo(47),
    changes: [],
    more: false,
    searched: ['GitRepository control', 'kustomize-controller', 'Kubernetes'],
    recordedSince: minutesAgo(600),
    gaps: [],
    ...part,
  };
}

/** A change of the object itself, some minutes ago. */
export function wireChange(
  minutes: number,
  part: Partial<WireObjectChanges['changes'][number]> = {},
): WireObjectChanges['changes'][number] {
  const { cluster, group, kind, namespace, name, links } = failingCheckout();
  return {
    cluster,
    ref: { cluster, group, kind, namespace, name },
    type: 'spec-edited',
    text: 'Spec edited, to generation 4',
    by: 'kubectl-edit',
    at: minutesAgo(minutes),
    notBefore: minutesAgo(minutes),
    noticedAt: minutesAgo(minutes),
    revision: null,
    href: links.self,
    relation: 'itself',
    ...part,
  };
}

/** One kind as it is being read. */
export function wireFeed(part: Partial<WireFeed> = {}): WireFeed {
  return {
    group: 'kustomize.toolkit.fluxcd.io',
    kind: 'Kustomization',
    version: 'v1',
    state: 'live',
    since: minutesAgo(600),
    reason: null,
    lastWordAt: minutesAgo(0.1),
    objects: 13,
    ...part,
  };
}

/** A cluster that is seen. */
export function wireCluster(part: Partial<WireCluster> = {}): WireCluster {
  const name = part.name ?? 'eu-west-3';
  return {
    name,
    labels: { environment: 'production' },
    state: 'live',
    since: minutesAgo(600),
    bound: 'exact',
    reason: null,
    protocol: 'h2',
    version: 'v1.34.3',
    lastWordAt: minutesAgo(0.1),
    feeds: [wireFeed()],
    probes: null,
    cautions: [],
    clockAheadMs: null,
    unread: [],
    controllers: [],
    objects: 0,
    counts: countsOf(''),
    declared: 0,
    worst: null,
    plannedWork: null,
    links: { self: clusterPath(name) },
    ...part,
  };
}

/** The page of a cluster with these objects; counts and worst follow from them. */
export function wireClusterPage(
  objects: readonly WireObject[],
  part: Partial<WireClusterPage> & { readonly of?: Partial<WireCluster> } = {},
): WireClusterPage {
  const { of = {}, ...rest } = part;
  const sentence = part.sentence ?? 'Not confirmed: 1 of 3 objects.';
  return {
    asOf: new Date(moment).toISOString(),
    sentence,
    said: [{ text: sentence, href: null }],
    truth: 'unknown',
    filter: null,
    counts: countVerdicts(objects),
    declared: 0,
    offer: {
      kinds: [...new Set(objects.map(({ kind }) => kind))].toSorted(),
      namespaces: [...new Set(objects.map(({ namespace }) => (namespace === '' ? '-' : namespace)))].toSorted(),
    },
    cluster: wireCluster({ objects: objects.length, counts: countVerdicts(objects), worst: worstOf(objects), ...of }),
    objects: [...objects],
    total: objects.length,
    edges: [],
    ...rest,
  };
}

/** A list with these objects on its one page. */
export function wireList(objects: readonly WireObject[], part: Partial<WireObjectList> = {}): WireObjectList {
  return {
    asOf: new Date(moment).toISOString(),
    objects: objects.map((object) => ({ ...object, suspect: null })),
    total: objects.length,
    counts: countVerdicts(objects),
    declared: 0,
    truth: 'unknown',
    filter: null,
    nextCursor: null,
    reconcilers: ['crossplane', 'flux', 'helm'],
    partial: [],
    ...part,
  };
}

function countVerdicts(objects: readonly WireObject[]): Record<Verdict, number> {
  const counts = countsOf('');
  for (const { verdict } of objects) counts[verdict] += 1;
  return counts;
}

function worstOf(objects: readonly WireObject[]): Verdict | null {
  return verdicts.find((verdict) => objects.some((object) => object.verdict === verdict)) ?? null;
}

/** An alarm of which only this is said. */
export function wireAlarm(alarm: Pick<WireAlarm, 'state'> & Partial<WireAlarm>): WireAlarm {
  return { broken: null, since: null, by: null, why: null, ...alarm };
}

/** A chain of which nothing is known but its alarm. */
export function wireChain(part: Pick<WireAlarmChain, 'alarm'> & Partial<WireAlarmChain>): WireAlarmChain {
  return { steps: [], alerts: [], alertsTotal: part.alerts?.length ?? 0, mend: null, asOf: null, ...part };
}

/** The chain of an object that no rule reads: nobody is being called. */
export function silentChain(): WireAlarmChain {
  const later = (['condition', 'delivery', 'receiver'] as const).map((link) => ({
    link,
    state: 'later' as const,
    text: 'Not reached: no rule reads it.',
    at: null,
  }));
  return wireChain({
    alarm: wireAlarm({ state: 'silent', broken: 'rule' }),
    steps: [
      { link: 'series', state: 'whole', text: 'gotk_resource_info has a series of it.', at: minutesAgo(1) },
      { link: 'rule', state: 'broken', text: 'No rule of prometheus-eu reads gotk_resource_info.', at: null },
      ...later,
    ],
    mend: 'Load a rule on gotk_resource_info{ready="False"}; "plumbline rules" writes it.',
    asOf: minutesAgo(0.5),
  });
}

/** The chain of an object for which oncall is called, and slack was not: a silence holds that alert back. */
export function soundingChain(): WireAlarmChain {
  const labels = {
    alertname: 'FluxReconciliationFailure',
    cluster: 'eu-west-3',
    customresource_kind: 'Kustomization',
    exported_namespace: 'flux-system',
    name: 'checkout',
    severity: 'critical',
  };
  const of = { source: 'prometheus-eu', name: 'FluxReconciliationFailure', by: 'own', labels } as const;
  return wireChain({
    alarm: wireAlarm({ state: 'sounding', since: minutesAgo(28), by: 'own' }),
    steps: [
      { link: 'series', state: 'whole', text: 'gotk_resource_info has a series of it.', at: minutesAgo(1) },
      { link: 'rule', state: 'whole', text: 'Rule FluxReconciliationFailure reads it.', at: null },
      { link: 'receiver', state: 'whole', text: 'It is routed to oncall (pagerduty).', at: null },
    ],
    alerts: [
      { ...of, state: 'sounding', since: minutesAgo(28), receivers: ['oncall (pagerduty)'] },
      { ...of, name: 'FluxNotReady', state: 'held-back', since: minutesAgo(40), receivers: ['team (slack)'] },
    ],
    asOf: minutesAgo(0.5),
  });
}
