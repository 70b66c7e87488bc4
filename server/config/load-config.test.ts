import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { yamlBomb } from '#test/hostile/kubeconfigs.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import { loadConfig, parseConfig } from './load-config.ts';
import { problemLine } from './problem.ts';

const noAccess = { user: null, token: null, key: null, knownHosts: null };

const whole = `publicUrl: https://Plumbline.example.org/
clusters:
  - name: eu-west-3
    kubeconfig: ./eu-west-3.yaml
    context: eu-west-3
    labels: { environment: production, region: eu }
  - name: laptop
  - directory: /etc/plumbline/clusters
compare:
  pairs:
    - { left: ./clusters/production/, right: clusters/staging }
    - { repository: ../control-repo, left: a, right: b }
repositories:
  - url: https://git.example.org/acme/control-repo.git
    host: gitlab
  - url: ../control-repo
alarms:
  - name: main
    prometheus: https://Mimir.example.org/prometheus/
    alertmanager: [http://localhost:9093, https://am.example.org:443/x//]
    clusterLabel: k8s_cluster
    clusterNames: { prod-eu: eu-west-3 }
    clusters: [eu-west-3, laptop]
    ca: ./ca.pem
    tokenFile: ~/token
    tenant: a|b
    metrics: [gotk_]
  - { alertmanager: 'http://[::1]:9093' }
stacks:
  - name: legacy-vpc
    tool: terraform
    repository: ../legacy
    path: vpc
    labels: { environment: production }
    reason: applied from the release pipeline
  - { name: dns, tool: ansible, cluster: laptop }
  - { name: mail, tool: other, row: office }
policy:
  alarmWithin: 1h30m
  alarms: { notifications: count }
  staleAfterIntervals: 4
  maintenance:
    - clusters: [eu-west-3]
      until: 2026-11-21T06:00:00+01:00
      reason: Upgrade to 1.36
  incidents: { quiet: 20m }
record: { spans: 100d, messages: 36h }
security:
  execPlugins: [{ path: /usr/local/bin/aws-iam-authenticator, args: [token, -i, x], env: { AWS_PROFILE: p } }]
  hubs: [eu-west-3]
embeds:
  keys: ./embed-keys.yaml
  frameAncestors: [https://wiki.example.org, 'https://*.atlassian.net', http://localhost:8090]
  links: api
  mostDays: 30
messages: { keep: reason-only }
`;

describe('parseConfig', () => {
  it('reads every key, with paths against the folder of the file and durations in ms', () => {
    expect(parseConfig(whole, '/srv/plumbline')).toEqual({
      type: 'ok',
      config: {
        publicUrl: 'https://plumbline.example.org',
        auth: null,
        clusters: [
          {
            type: 'cluster',
            name: 'eu-west-3',
            kubeconfig: '/srv/plumbline/eu-west-3.yaml',
            context: 'eu-west-3',
            labels: { environment: 'production', region: 'eu' },
            execPlugin: 'allow-list',
          },
          { type: 'cluster', name: 'laptop', kubeconfig: null, context: null, labels: {}, execPlugin: 'allow-list' },
          { type: 'directory', directory: '/etc/plumbline/clusters', trusted: false, labels: {} },
        ],
        repositories: [
          {
            ...{ url: 'https://git.example.org/acme/control-repo.git', host: 'gitlab', mirror: true, access: noAccess },
            from: 'https://git.example.org/acme/control-repo.git',
          },
          { url: '/srv/control-repo', from: '/srv/control-repo', host: null, mirror: true, access: noAccess },
        ],
        pairs: [
          { left: 'clusters/production', right: 'clusters/staging', repository: null },
          { left: 'a', right: 'b', repository: '/srv/control-repo' },
        ],
        git: { found: true, every: 60_000, mostBytes: 2 * 1024 ** 3 },
        alarms: [
          {
            name: 'main',
            prometheus: 'https://mimir.example.org/prometheus',
            alertmanagers: ['http://localhost:9093', 'https://am.example.org/x'],
            attribution: {
              label: 'k8s_cluster',
              aliases: { 'prod-eu': 'eu-west-3' },
              clusters: ['eu-west-3', 'laptop'],
            },
            tokenFile: join(homedir(), 'token'),
            ca: '/srv/plumbline/ca.pem',
            tenant: 'a|b',
            metrics: ['gotk_'],
          },
          {
            name: '0::1:9093',
            prometheus: null,
            alertmanagers: ['http://[::1]:9093'],
            attribution: { label: 'cluster', aliases: {}, clusters: [] },
            tokenFile: null,
            ca: null,
            tenant: null,
            metrics: ['gotk_', 'flux_', 'crossplane_', 'upjet_', 'kube_customresource_', 'argocd_', 'tofu_', 'pulumi_'],
          },
        ],
        stacks: [
          {
            name: 'legacy-vpc',
            tool: 'terraform',
            row: 'not on a cluster',
            labels: { environment: 'production' },
            repository: '/srv/legacy',
            path: 'vpc',
            reason: 'applied from the release pipeline',
          },
          { name: 'dns', tool: 'ansible', row: 'laptop', labels: {}, repository: null, path: null, reason: null },
          { name: 'mail', tool: 'other', row: 'office', labels: {}, repository: null, path: null, reason: null },
        ],
        policy: {
          alarmWithin: 5_400_000,
          staleAfterIntervals: 4,
          behindAfter: 600_000,
          maintenance: [{ clusters: ['eu-west-3'], until: Date.UTC(2026, 10, 21, 5, 0, 0), reason: 'Upgrade to 1.36' }],
          notifications: 'count',
        },
        incidents: { quiet: 1_200_000 },
        record: { spans: 100 * day, messages: 36 * hour },
        security: {
          execPlugins: [
            { path: '/usr/local/bin/aws-iam-authenticator', args: ['token', '-i', 'x'], env: { AWS_PROFILE: 'p' } },
          ],
          hubs: ['eu-west-3'],
        },
        embeds: {
          keys: '/srv/plumbline/embed-keys.yaml',
          frameAncestors: ['https://wiki.example.org', 'https://*.atlassian.net', 'http://localhost:8090'],
          readersSign: 30,
        },
        messages: { keep: 'reason-only' },
      },
    });
  });

  it('fills an empty file with the defaults', () => {
    expect(parseConfig('', '/srv')).toEqual({
      type: 'ok',
      config: {
        publicUrl: null,
        auth: null,
        clusters: [],
        repositories: [],
        pairs: [],
        git: { found: true, every: 60_000, mostBytes: 2 * 1024 ** 3 },
        alarms: [],
        stacks: [],
        policy: {
          alarmWithin: 900_000,
          staleAfterIntervals: 3,
          behindAfter: 600_000,
          maintenance: [],
          notifications: 'show',
        },
        incidents: { quiet: 600_000 },
        record: { spans: 400 * day, messages: 30 * day },
        security: { execPlugins: [], hubs: 'unsaid' },
        embeds: { keys: null, frameAncestors: [], readersSign: null },
        messages: { keep: 'full' },
      },
    });
  });

  it.each([
    [
      'an unknown key',
      'clusters:\n  - name: a\n    kubeconfg: x\n',
      '3:5: unknown key "clusters[0].kubeconfg": did you mean "kubeconfig"?',
    ],
    [
      'an unknown key at the top',
      'clusters: []\ncluster: []\n',
      '2:1: unknown key "cluster": did you mean "clusters"?',
    ],
    ['a key like no other', 'clusters: []\nfoo: []\n', '2:1: unknown key "foo"'],
    [
      'a key deep inside',
      'policy: { incidents: { quite: 1m } }\n',
      '1:24: unknown key "policy.incidents.quite": did you mean "quiet"?',
    ],
    ['a tab', 'clusters:\n\t- name: a\n', '2:1: a tab indents this line: YAML is indented with spaces'],
    [
      'a tab further on',
      'clusters:\n  - name: a\n\tcontext: b\n',
      '3:1: a tab indents this line: YAML is indented with spaces',
    ],
    ['a second document', 'clusters: []\n---\nclusters: []\n', '2:1: a second document begins here (---): one is read'],
    [
      'a colon too much',
      'publicUrl: https: //x\n',
      '1:12: a key and a value are expected here, and a second key follows: check colons and indentation',
    ],
    ['aliases that multiply', yamlBomb, 'its aliases (*name) stand for too much, or for nothing'],
    ['an alias of nothing', 'clusters: *none\n', 'its aliases (*name) stand for too much, or for nothing'],
    [
      'trusted beside a name',
      'clusters:\n  - name: a\n    trusted: true\n',
      '3:14: clusters[0].trusted: trusted goes with directory',
    ],
    [
      'an exec plugin in the shape of before',
      'security:\n  execPlugins: [/usr/bin/aws]\n',
      '2:17: security.execPlugins[0]: a path alone would allow any arguments: write { path: /usr/bin/aws, args: [...], env: {...} }, as the kubeconfig has them',
    ],
    ['a doubled name', 'clusters:\n  - name: a\n  - name: b\n  - name: a\n', '4:11: two clusters are called "a"'],
    ['a doubled key', 'policy: {}\npolicy: {}\n', '2:1: Map keys must be unique'],
    [
      'a directory outside of the repository',
      'compare:\n  pairs:\n    - { left: ../production, right: a }\n',
      '3:15: compare.pairs[0].left: must be a directory of the repository',
    ],
    ['a doubled repository', 'repositories:\n  - url: x\n  - url: x\n', '3:10: x is named twice'],
    [
      'neither name nor directory',
      'clusters:\n  - labels: {}\n',
      '2:5: clusters[0]: needs a name, or a directory of kubeconfig files',
    ],
    [
      'both name and directory',
      'clusters:\n  - name: a\n    directory: b\n',
      '2:11: clusters[0].name: name does not go with directory',
    ],
    [
      'a name with a slash',
      'clusters:\n  - name: a/b\n',
      '2:11: clusters[0].name: must be letters, digits and . _ : @ - and start with a letter or digit',
    ],
    [
      'a bare number as duration',
      'policy:\n  alarmWithin: 15\n',
      '2:16: policy.alarmWithin: must be a duration such as 15m, 90s or 1h30m',
    ],
    [
      'no duration',
      'policy:\n  behindAfter: soon\n',
      '2:16: policy.behindAfter: "soon" is not a duration such as 15m, 90s or 1h30m',
    ],
    [
      'no time at all',
      'policy: { alarmWithin: 0s }\n',
      '1:24: policy.alarmWithin: "0s" is not a duration such as 15m, 90s or 1h30m',
    ],
    [
      'a relative exec plugin',
      'security:\n  execPlugins: [{ path: aws }]\n',
      '2:25: security.execPlugins[0].path: must be an absolute path',
    ],
    ...['https://wiki/page', '*', "'self'", 'wiki.example.org', 'https://a.example; script-src *'].map((origin) => [
      `${origin} as an origin`,
      `embeds:\n  frameAncestors: [${JSON.stringify(origin)}]\n`,
      '2:20: embeds.frameAncestors[0]: must be an origin such as https://wiki.example.org, without a path',
    ]),
    ...['https://p.example/path', 'p.example', 'javascript:alert(1)', 'https://u:p@p.example', 'https://*.example'].map(
      (url) => [
        `${url} as where people reach the pages`,
        `publicUrl: ${JSON.stringify(url)}\n`,
        '1:12: publicUrl: must be where people reach the pages, such as https://plumbline.example.org, without a path',
      ],
    ),
    ['an address that is none', 'publicUrl: https://p.example:99999\n', '1:12: publicUrl: is no address'],
    [
      'an unknown cluster',
      'clusters: [{ name: a }]\npolicy:\n  maintenance:\n    - { clusters: [b], until: 2026-11-21T06:00:00Z, reason: r }\n',
      '4:20: no cluster is called "b"',
    ],
    [
      'a stack on an unknown cluster',
      'clusters: [{ name: a }]\nstacks:\n  - { name: s, tool: cdk, cluster: b }\n',
      '3:36: no cluster is called "b"',
    ],
    [
      'a doubled stack',
      'stacks:\n  - { name: s, tool: cdk, row: x }\n  - { name: s, tool: cdk }\n  - { name: s, tool: pulumi, row: x }\n',
      '4:13: two stacks are called "s" in the row "x"',
    ],
    [
      'a row that is a cluster',
      'clusters: [{ name: a }]\nstacks:\n  - { name: s, tool: cdk, row: a }\n',
      '3:32: "a" is a cluster: say cluster instead of row',
    ],
    [
      'a stack on a cluster and in a row',
      'clusters: [{ name: a }]\nstacks:\n  - { name: s, tool: cdk, cluster: a, row: b }\n',
      '3:44: stacks[0].row: row does not go with cluster',
    ],
    [
      'labels beside a cluster',
      'clusters: [{ name: a }]\nstacks:\n  - { name: s, tool: cdk, cluster: a, labels: { x: y } }\n',
      '3:47: stacks[0].labels: labels do not go with cluster: it has its own',
    ],
    [
      'two values of a label of one row',
      'stacks:\n  - { name: s, tool: cdk, labels: { x: a } }\n  - { name: t, tool: cdk, labels: { x: b } }\n',
      '3:40: the row "not on a cluster" has the label x: a already',
    ],
    [
      'a tool that is none',
      'stacks:\n  - { name: s, tool: make }\n',
      '2:22: stacks[0].tool: Invalid option: expected one of "terraform"|"opentofu"|"cdk"|"pulumi"|"ansible"|"other"',
    ],
    ['a list that is none', 'clusters: a\n', '1:11: clusters: must be a list: begin each of its entries with "- "'],
    ['broken YAML', 'clusters:\n  - name: "a\n', '3:1: Missing closing "quote'],
  ])('names the place of %s', (_case, text, line) => {
    const loaded = parseConfig(text, '/srv');
    const lines = loaded.type === 'invalid' ? loaded.problems.map((problem) => problemLine('f', problem)) : [];
    expect(lines).toEqual([line.includes(':') && /^\d/.test(line) ? `f:${line}` : `f: ${line}`]);
  });

  it('names all problems in the order of the file', () => {
    const loaded = parseConfig('messages: { keep: some }\nclusters:\n  - nam: a\n    name: b/c\nx: 1\n', '/srv');
    expect(loaded.type === 'invalid' && loaded.problems.map((problem) => problem.line)).toEqual([1, 3, 4, 5]);
  });

  it('allows a cluster that only a directory can know', () => {
    const text =
      'clusters: [{ directory: /d }]\n' +
      'policy: { maintenance: [{ clusters: [b], until: 2026-11-21T06:00:00Z, reason: r }] }\n' +
      'stacks: [{ name: s, tool: cdk, cluster: b }]\n';
    expect(parseConfig(text, '/srv').type).toBe('ok');
  });
});

describe('loadConfig', () => {
  it('says that the file does not exist', async () => {
    expect(await loadConfig('/nowhere/plumbline.yaml')).toEqual({
      type: 'invalid',
      problems: [{ message: 'the file does not exist', line: null, column: null }],
    });
  });

  it('names the line of every file that it names and that is not there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plumbline-config-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'here.yaml'), '');
    await writeFile(
      join(folder, 'plumbline.yaml'),
      'clusters:\n  - name: a\n    kubeconfig: here.yaml\n  - name: b\n    kubeconfig: there.yaml\n  - directory: here.yaml\n',
    );
    expect(await loadConfig(join(folder, 'plumbline.yaml'))).toEqual({
      type: 'invalid',
      problems: [
        { message: `${join(folder, 'there.yaml')} does not exist`, line: 5, column: 17 },
        { message: `${join(folder, 'here.yaml')} is not a folder`, line: 6, column: 16 },
      ],
    });
  });

  it('leaves alone what it names where it is not to read it, as the web in a pod', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plumbline-config-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'plumbline.yaml');
    await writeFile(path, 'clusters: [{ directory: /nowhere/clusters }]\n');
    expect((await loadConfig(path)).type).toBe('invalid');
    expect((await loadConfig(path, 'not-read')).type).toBe('ok');
  });
});

function said(text: string): readonly string[] {
  const loaded = parseConfig(text, '/srv');
  return loaded.type === 'ok' ? [] : loaded.problems.map((problem) => problemLine('f', problem).replace(/^f:/, ''));
}

describe('alarms', () => {
  it.each([
    ['neither program', '{ name: a }', 'alarms[0]: needs the address of a prometheus, of an alertmanager, or of both'],
    [
      'no address',
      '{ prometheus: prometheus:9090 }',
      'alarms[0].prometheus: must be an address such as http://prometheus:9090 or https://mimir.example.org/prometheus',
    ],
    [
      'an address of another scheme',
      '{ prometheus: "file:///etc/passwd" }',
      'alarms[0].prometheus: must be an address such as http://prometheus:9090 or https://mimir.example.org/prometheus',
    ],
    [
      'a password in an address',
      '{ prometheus: "https://u:p@h" }',
      'alarms[0].prometheus: must not hold a user or password: name a file with a token under tokenFile',
    ],
    [
      'a query in an address',
      '{ prometheus: "https://h/?a=b" }',
      'alarms[0].prometheus: must end with its path: no ? and no #',
    ],
    [
      'a token over plain http',
      '{ prometheus: "http://h:9090", tokenFile: t }',
      'alarms[0].tokenFile: http://h:9090 is http://, and no token is sent over that: write https://',
    ],
    [
      'a token over plain http to one of several',
      '{ prometheus: "https://h", alertmanager: ["http://127.0.0.1:1", "http://am"], tokenFile: t }',
      'alarms[0].tokenFile: http://am is http://, and no token is sent over that: write https://',
    ],
    [
      'authorities without TLS',
      '{ prometheus: "http://h", ca: c }',
      'alarms[0].ca: ca goes with an address of https://',
    ],
    ['one address twice', '{ alertmanager: ["http://am/", "http://AM"] }', 'alarms[0]: names an address twice'],
    ['a source without Alertmanagers', '{ alertmanager: [] }', 'alarms[0].alertmanager: '],
    [
      'a cluster that cannot be one',
      '{ prometheus: "http://h", clusters: [a/b] }',
      'alarms[0].clusters[0]: must be letters, digits and . _ : @ - and start with a letter or digit',
    ],
    [
      'an alias that cannot be a cluster',
      '{ prometheus: "http://h", clusterNames: { x: a/b } }',
      'alarms[0].clusterNames.x: must be letters, digits and . _ : @ - and start with a letter or digit',
    ],
    ['a cluster that is not there', '{ prometheus: "http://h", clusters: [b] }', 'no cluster is called "b"'],
    [
      'an alias of a cluster that is not there',
      '{ prometheus: "http://h", clusterNames: { x: b } }',
      'no cluster is called "b"',
    ],
    [
      'an alias of a cluster that the source does not speak for',
      '{ prometheus: "http://h", clusters: [a], clusterNames: { x: b } }',
      'alarms[0].clusterNames.x: "b" is not among the clusters that it speaks for: name it there, too',
    ],
    ['a header in a tenant', '{ prometheus: "http://h", tenant: "a\\r\\nb: c" }', 'alarms[0].tenant: must be letters'],
    ['an unknown key', '{ prometheus: "http://h", token: t }', 'unknown key "alarms[0].token"'],
  ])('refuses %s', (_what, line, expected) => {
    const problems = said(`clusters: [{ name: a }]\nalarms:\n  - ${line}\n`);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(expected);
  });

  it('refuses two sources of one name, given or not', () => {
    const problems = said(
      'alarms:\n  - { prometheus: "http://h:9090/a" }\n  - { name: "h:9090", alertmanager: "http://am" }\n',
    );
    expect(problems).toEqual(['3:5: two alarm sources are called "h:9090": give one of them another name']);
  });

  it('lets a token go over plain http to this machine', () => {
    expect(
      said('alarms: [{ prometheus: "http://localhost:9090", alertmanager: "http://[::1]:9093", tokenFile: t }]\n'),
    ).toEqual([]);
  });

  it('refuses a file that is not there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plumbline-alarms-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'plumbline.yaml');
    await writeFile(join(folder, 'token'), 'x');
    await writeFile(path, 'alarms: [{ prometheus: "https://h", tokenFile: token, ca: ca.pem }]\n');
    const loaded = await loadConfig(path);
    expect(loaded.type === 'invalid' && loaded.problems.map(({ message }) => message)).toEqual([
      `${join(folder, 'ca.pem')} does not exist`,
    ]);
    expect((await loadConfig(path, 'not-read')).type).toBe('ok');
  });
});
