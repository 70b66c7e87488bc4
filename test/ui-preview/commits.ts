import {
  stuckCluster,
  wireCommitCluster,
  wireCommitName,
  wireCommitObject,
  wireCommitPage,
  wireCommits,
  wireFates,
  wireListedCommit,
  wireRepository,
} from '#components/testing/wire-commit.ts';
import { minutesAgo } from '#components/testing/wire-fleet.ts';
import type { CommitQuery, CommitsQuery, WireCommitList, WireCommitPage } from '#lib/api/commit.ts';

const subjects = [
  'checkout: split the ingress by country (#412)',
  'Revert "accounts: a session is kept for a day, and what was signed before it is refused without a word"',
  'mail: one replica more',
  'search: warm the index before ready',
];

/** Commits of a day, none of a path that is called nowhere, and of a repository that is called nowhere nothing at all. */
export function commitsOf({ path, repository }: CommitsQuery): WireCommitList {
  if (repository === 'nowhere') return wireCommits([], { repositories: [], of: null });
  const repositories = [
    wireRepository({
      rewritten: [{ branch: 'main', from: 'b'.repeat(40), to: 'c'.repeat(40), at: minutesAgo(900) }],
      gaps: [{ from: minutesAgo(60), to: minutesAgo(50), reason: 'The server hangs.' }],
    }),
    wireRepository({
      key: 'git.example.org/acme/applications-of-the-edge',
      origin: 'configured',
      state: 'failing',
      reason: 'The token has expired.',
      fetchedAt: minutesAgo(130),
      failingSince: minutesAgo(120),
      objects: 3,
    }),
  ];
  if (path !== '') return wireCommits([], { repositories });
  const rows = Array.from({ length: 30 }, (_, n) =>
    wireListedCommit({
      sha: `${(n + 10).toString(16)}9f31c07`.padEnd(40, '3'),
      subject: subjects[n % subjects.length] ?? '',
      at: minutesAgo(4 + n * n * 7),
      pullRequest: n % 2 === 0 ? { number: 412 - n, href: '/' } : null,
      tags: n === 5 ? ['v1.4.0'] : [],
      counts:
        [
          wireFates({ stuck: 1, 'on-its-way': 2, converged: 9 }),
          wireFates({ superseded: 4, converged: 31, unknown: 1, 'failed-later': 1 }),
          wireFates({ 'not-concerned': 50 }),
        ][n % 3] ?? null,
    }),
  );
  return wireCommits(rows, { repositories, nextCursor: 'a'.repeat(40) });
}

/** A commit by the first digit of its hash: `a` of a large fleet, `b` that is out, `c` that concerns nothing, else stuck on one cluster. */
export function commitPageOf({ sha }: Pick<CommitQuery, 'sha'>): WireCommitPage | null {
  const commit = wireCommitName({ tags: ['v1.4.0'] });
  const page = wireCommitPage({ commit, counts: wireFates({ stuck: 1, converged: 3, 'not-concerned': 41 }) });
  if (sha.startsWith('f')) return null;
  if (sha.startsWith('c')) return { ...page, clusters: [], outcome: 'nothing' };
  const out = page.clusters.filter(({ state }) => state === 'converged');
  if (sha.startsWith('b')) return { ...page, clusters: out, outcome: 'arrived' };
  if (!sha.startsWith('a')) {
    const failed = wireCommitCluster('ap-south-1', 11, {
      state: 'failed-later',
      why: 'HealthCheckFailed',
      since: minutesAgo(6),
      objects: [
        wireCommitObject('ap-south-1', {
          state: 'failed-later',
          verdict: 'unhealthy',
          why: 'HealthCheckFailed',
          since: minutesAgo(6),
        }),
      ],
    });
    const superseded = wireCommitCluster('us-west-2', 2, {
      state: 'superseded',
      objects: [
        wireCommitObject('us-west-2', { state: 'superseded', by: { sha: 'd'.repeat(40), subject: subjects[2] ?? '' } }),
      ],
    });
    const lost = wireCommitCluster('ap-northeast-1', null, { state: 'unknown', why: 'unreachable' });
    const slow = { ...wireCommitCluster('eu-central-1a', 9), firstAt: minutesAgo(21) };
    return { ...page, clusters: [stuckCluster, failed, lost, ...page.clusters.slice(1), superseded, slow] };
  }
  const many = Array.from({ length: 990 }, (_, n) =>
    wireCommitCluster(`ap-southeast-${n + 1}`, 25 - (n % 170) / 8, { environment: n < 40 ? 'staging' : 'production' }),
  );
  const bad = Array.from({ length: 9 }, (_, n) => ({ ...stuckCluster, cluster: `eu-west-${n + 1}` }));
  return { ...page, clusters: [...bad, ...many] };
}
