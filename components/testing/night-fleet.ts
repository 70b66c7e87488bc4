import type { WireCauseLine, WireFleet, WireMark } from '#lib/api/fleet.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import {
  cellHref,
  countsOf,
  minutesAgo,
  wireColumn,
  wireFleet,
  wireFleetSummary,
  wireMark,
  wireRow,
} from './wire-fleet.ts';

const groups: readonly (readonly [string, readonly string[]])[] = [
  ['sources', ['control-repo']],
  ['infrastructure', ['crds', 'cert-manager', 'external-dns', 'ingress-nginx', 'monitoring', 'policy', 'crossplane']],
  ['apps', ['checkout', 'catalogue', 'search', 'accounts', 'mail', 'web']],
  ['crossplane', ['rds.aws', 's3.aws', 'iam.aws', 'sqs.aws']],
];
const columns = groups.flatMap(([group, titles]) => titles.map((title) => wireColumn(title, group)));
const at = (title: string): number => columns.findIndex((column) => column.title === title);

type Said = Partial<Omit<WireMark, 'c'>> & { readonly code: string };

function row(cluster: string, group: string, said: Readonly<Record<string, Said>> = {}) {
  const letters = columns.map((column) => said[column.title]?.code ?? 'c');
  const marks = Object.entries(said).map(([title, { code: _code, ...mark }]) => {
    const c = at(title);
    const column = columns[c];
    return wireMark({ c, href: column === undefined ? '/' : cellHref(cluster, column), ...mark });
  });
  return wireRow({ cluster, group, cells: letters.join(''), marks });
}

const titles = columns.map((column) => column.title);
const stopped = Object.fromEntries(
  titles
    .slice(0, 14)
    .map((title): [string, Said] => [
      title,
      { code: 'S', say: 'no pass since 02:38 UTC, kustomize-controller stopped' },
    ]),
);
const unsure = Object.fromEntries(
  titles.slice(14).map((title): [string, Said] => [title, { code: 'U', say: 'its delivery is stale' }]),
);

/** A night: checkout fails on eu-west-3 and nobody is being called, a cluster is lost, a controller has stopped. */
export function nightFleet(): WireFleet {
  const rows = [
    row('eu-west-3', 'production', {
      checkout: {
        code: 'D',
        alarm: 'silent',
        commit: '2d81e55',
        commitHref: '/commits/2d81e55',
        say: 'since 02:12 UTC, BuildFailed',
      },
      web: { code: 'W', say: 'since 02:13 UTC, waits for checkout' },
    }),
    row('us-east-2', 'production', {
      search: { code: 'B', commit: '41be2aa', say: 'since 02:40 UTC' },
      'rds.aws': { code: 'D', alarm: 'sounding', say: 'since 02:53 UTC, access denied' },
    }),
    row('eu-central-1b', 'production', {
      'iam.aws': { code: 'D', alarm: 'pending', say: 'since 02:53 UTC, access denied' },
    }),
    row('ap-south-1', 'production', {
      monitoring: { code: 'H', alarm: 'sounding', commit: '9f31c07', say: 'since 02:14 UTC, HealthCheckFailed' },
    }),
    wireRow({
      cluster: 'ap-northeast-1',
      cells: 'O'.repeat(18),
      state: 'unreachable',
      since: minutesAgo(38),
      reason: 'connect ETIMEDOUT',
      marks: [],
    }),
    row('us-east-1', 'production', { search: { code: 'B', commit: '41be2aa', say: 'since 02:40 UTC' } }),
    row('eu-central-1a', 'production'),
    row('us-west-2', 'production'),
    row('stg-us', 'staging', { mail: { code: 'R', alarm: 'silent', say: 'since 00:55 UTC, DriftDetected' } }),
    row('stg-edge', 'staging', { ...stopped, ...unsure }),
    row('stg-eu', 'staging', {
      policy: { code: 'P', say: 'since 19 Nov, by m.ito' },
      catalogue: { code: 'G', say: 'since 02:58 UTC' },
    }),
    row('stg-ap', 'staging', { web: { code: 'G', say: 'since 02:58 UTC' } }),
    wireRow({ cluster: 'sbx-1', group: 'sandbox', cells: `${' '.repeat(15)}c  ` }),
    wireRow({ cluster: 'sbx-2', group: 'sandbox', cells: `${' '.repeat(15)}c  ` }),
  ];
  const counts = countsOf(rows.map((each) => each.cells).join(''));
  const summary = wireFleetSummary({
    guarantee: {
      ...wireFleetSummary().guarantee,
      truth: 'broken',
      lead: 'Not so on 2 of 14 clusters:',
      body: '2 objects are away from git and nobody is being called.',
      broken: 2,
      clusters: { total: 14, unseen: 1, away: 8 },
    },
    counts,
    causes: nightCauses.slice(0, 5),
    causesTotal: nightCauses.length,
    causesObjects: nightCauses.length,
    objects: 227,
    partial: ['ap-northeast-1 unreachable for 38 min', 'HelmRelease forbidden on 2 clusters (missing rule: list)'],
    simulated: true,
  });
  return wireFleet({ summary, columns, rows });
}

function cause(
  verdict: Verdict,
  title: string,
  text: string,
  minutes: number,
  alarm: WireCauseLine['alarm'],
): WireCauseLine {
  return {
    key: title,
    verdict,
    cause: { type: 'object', cluster: '', group: '', kind: '', namespace: '', name: '', title, href: '/objects' },
    title,
    text,
    commits: [],
    objects: 1,
    clusters: 1,
    since: minutesAgo(minutes),
    bound: 'exact',
    alarm,
    broken: alarm === 'silent' ? { link: 'rule', objects: 1, silent: 1 } : null,
  };
}

/** Every cause of the night; its summary carries the first five. */
export const nightCauses: readonly WireCauseLine[] = [
  cause('diverged', 'checkout on eu-west-3', 'build fails since 9f31c07, 1 object waits for it', 47, 'silent'),
  cause('drifted', 'mail on stg-us', 'differs from its chart, left in place; its alert has no receiver', 124, 'silent'),
  cause('unobserved', 'ap-northeast-1', 'unreachable: 18 objects', 38, 'sounding'),
  cause(
    'stale',
    'kustomize- and source-controller on stg-edge',
    'stopped: 14 objects stale, 4 more unconfirmed',
    21,
    'sounding',
  ),
  cause('diverged', 'ProviderConfig aws on us-east-2 and eu-central-1b', 'access denied: 2 objects', 6, 'pending'),
  cause('unhealthy', 'monitoring on ap-south-1', 'health checks fail at 9f31c07', 45, 'sounding'),
  cause('behind', 'search on us-east-2', 'runs 2d81e55, not what its source offers', 19, 'not-due'),
];
