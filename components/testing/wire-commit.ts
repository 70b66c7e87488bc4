import type {
  WireCommitCluster,
  WireCommitList,
  WireCommitName,
  WireCommitObject,
  WireCommitPage,
  WireFateCounts,
  WireListedCommit,
  WireRepository,
} from '#lib/api/commit.ts';
import { commitPath, objectPath } from '#lib/api/paths.ts';
import { minutesAgo, moment } from './wire-fleet.ts';

const asOf = new Date(moment).toISOString();
const sha = '9f31c07d2b64a8e5f1c03b9a7d6e5f4c3b2a1908';
const key = 'git.example.org/acme/control';

/** Counts with every state named. */
export function wireFates(part: Partial<WireFateCounts> = {}): WireFateCounts {
  return {
    stuck: 0,
    'failed-later': 0,
    unknown: 0,
    'on-its-way': 0,
    superseded: 0,
    converged: 0,
    'not-concerned': 0,
    ...part,
  };
}

/** A commit of 30 min ago with a pull request. */
export function wireCommitName(part: Partial<WireCommitName> = {}): WireCommitName {
  const of = part.sha ?? sha;
  return {
    subject: 'checkout: split the ingress by country (#412)',
    author: 'Ines Duarte',
    at: minutesAgo(30),
    pullRequest: { number: 412, href: `https://${key}/pull/412` },
    signed: true,
    tags: [],
    href: `https://${key}/commit/${of}`,
    self: commitPath(of),
    repository: key,
    ...part,
    sha: of,
  };
}

/** A Kustomization on a cluster that a commit concerns. */
export function wireCommitObject(
  cluster: string,
  part: Partial<WireCommitObject> = {},
  name = 'checkout',
): WireCommitObject {
  const ref = { cluster, group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization', namespace: 'flux-system', name };
  const state = part.state ?? 'converged';
  return { ref, href: objectPath(ref), state, verdict: 'converged', why: '', since: null, by: null, ...part };
}

/** A cluster that has the commit since so many minutes; null: not yet. */
export function wireCommitCluster(
  cluster: string,
  minutes: number | null,
  part: Partial<WireCommitCluster> = {},
): WireCommitCluster {
  const at = minutes === null ? null : minutesAgo(minutes);
  const state = part.state ?? (minutes === null ? 'on-its-way' : 'converged');
  const objects = part.objects ?? [wireCommitObject(cluster, { state })];
  const counts = wireFates();
  for (const object of objects) counts[object.state] += 1;
  return {
    cluster,
    environment: cluster.startsWith('stg') ? 'staging' : 'production',
    state,
    why: '',
    since: null,
    offeredAt: minutesAgo(29.5),
    firstAt: at,
    lastAt: at,
    notKnown: null,
    counts,
    ...part,
    objects,
  };
}

/** checkout fails at it on eu-west-3. */
export const stuckCluster: WireCommitCluster = wireCommitCluster('eu-west-3', null, {
  state: 'stuck',
  why: 'BuildFailed',
  since: minutesAgo(12.5),
  objects: [
    wireCommitObject('eu-west-3', { state: 'stuck', verdict: 'diverged', why: 'BuildFailed', since: minutesAgo(12.5) }),
  ],
});

/** Out in staging, on its way in production, stuck on eu-west-3. */
export function wireCommitPage(part: Partial<WireCommitPage> = {}): WireCommitPage {
  const clusters = part.clusters ?? [
    stuckCluster,
    wireCommitCluster('us-east-1', null),
    wireCommitCluster('us-east-2', 4),
    wireCommitCluster('stg-eu', 28),
    wireCommitCluster('stg-us', 27),
  ];
  return {
    asOf,
    commit: wireCommitName(),
    url: `https://${key}.git`,
    mirroredAt: minutesAgo(0.51),
    files: { files: [{ path: 'apps/checkout/base/ingress.yaml', change: 'modified' }], count: 1 },
    branches: ['main'],
    outcome: 'failed',
    sentence: 'Converged on 3 of 5 clusters; on its way to 1; stuck on 1: eu-west-3, BuildFailed for 12 min.',
    counts: wireFates({ stuck: 1, 'on-its-way': 1, converged: 3 }),
    environments: [],
    ...part,
    clusters,
  };
}

/** A repository that is fetched as it should be. */
export function wireRepository(part: Partial<WireRepository> = {}): WireRepository {
  return {
    key,
    url: `https://${key}.git`,
    origin: 'found',
    state: 'current',
    reason: null,
    fetchedAt: minutesAgo(0.51),
    failingSince: null,
    defaultBranch: 'main',
    branches: [{ name: 'main', sha, movedAt: minutesAgo(30) }],
    bytes: 1_400_000,
    rewritten: [],
    gaps: [],
    objects: 56,
    ...part,
  };
}

/** A commit of a list. */
export function wireListedCommit(part: Partial<WireListedCommit> = {}): WireListedCommit {
  return { counts: wireFates({ stuck: 1, converged: 8, 'not-concerned': 40 }), ...wireCommitName(part), ...part };
}

/** Commits of main. */
export function wireCommits(
  rows: readonly WireListedCommit[] = [wireListedCommit()],
  part: Partial<WireCommitList> = {},
): WireCommitList {
  return {
    asOf,
    repositories: [wireRepository()],
    of: { repository: key, branch: 'main' },
    rows: [...rows],
    reason: null,
    nextCursor: null,
    ...part,
  };
}
