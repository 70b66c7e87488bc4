// The image and the chart, as somebody installs them: built, rendered, checked, applied and started over a real API server.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chown, lstat, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { clustersApi, WireClusterList } from '#lib/api/cluster.ts';
import { at, isForeignObject, listAt, objectAt, parseForeign, textAt } from '#lib/foreign.ts';
import { minute } from '#lib/domain/time/length.ts';
import { buildPrograms } from './build.ts';
import { documentedCommands } from './commands/blocks.ts';
import { freePorts, portAt } from './harness/ports.ts';
import { mustCome } from './harness/until.ts';
import { buildImage } from './install/build-image.ts';
import { type OneCluster, startOneCluster } from './install/one-cluster.ts';
import { type Container, startContainer } from './install/run-container.ts';
import { schemaLocation, writeSchemas } from './install/schemas.ts';
import type { ProgramName } from './programs.ts';
import { notRun } from './report.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const chart = join(root, 'deploy', 'chart');
const say = (line: string): void => void process.stdout.write(`  ${line}\n`);
const needed = ['etcd', 'kube-apiserver', 'kubectl', 'helm', 'kubeconform'] as const;
const programs = await buildPrograms(say, needed);
const refusals = [...programs.values()].flatMap((result) =>
  result.type === 'refused' ? [`${result.program} could not be built: ${result.why}`] : [],
);
const hasPrograms = refusals.length === 0;
if (!hasPrograms) await notRun([{ name: 'the installation', reason: refusals.join('; ') }]);
const image = await buildImage(say);
if (image.type === 'refused') await notRun([{ name: 'the image', reason: image.why, byMachine: image.byMachine }]);

function binary(name: ProgramName): string {
  const result = programs.get(name);
  return result?.type === 'built' ? result.binary : '';
}

const examples = ['everything', 'many-clusters', 'login'].map((name) => join(chart, 'examples', `${name}.yaml`));
const namespace = 'plumbline';
/** Where nothing is installed yet. */
const elsewhere = 'elsewhere';
let home: OneCluster;

beforeAll(async () => {
  if (!hasPrograms) return;
  const crds = [programs.get('helm'), programs.get('kubeconform')].flatMap((result) =>
    result?.type === 'built' && result.crds !== null ? [result.crds] : [],
  );
  const those = { etcd: binary('etcd'), apiServer: binary('kube-apiserver'), kubectl: binary('kubectl'), crds };
  home = await startOneCluster(those);
  await kubectl('apply', '-k', join(root, 'deploy/base'));
  await kubectl('create', 'namespace', elsewhere);
}, 5 * minute);
afterAll(() => home?.processes.stop());

async function kubectl(...args: readonly string[]): Promise<string> {
  return (await run(join(home.bin, 'kubectl'), args, { maxBuffer: 16 * 1024 * 1024 })).stdout;
}

/** Runs Helm as somebody who may do all on the cluster: its exit code and all that it says. */
async function helm(...args: readonly string[]): Promise<{ readonly code: number; readonly said: string }> {
  const env = { ...process.env, KUBECONFIG: home.api.adminKubeconfig, HELM_CACHE_HOME: home.folder };
  try {
    const { stdout } = await run(binary('helm'), args, { env, maxBuffer: 16 * 1024 * 1024 });
    return { code: 0, said: stdout };
  } catch (failure) {
    const said = (of: string): string => (isForeignObject(failure) ? (textAt(failure, of) ?? '') : '');
    return { code: 1, said: said('stdout') + said('stderr') };
  }
}

async function rendered(...args: readonly string[]): Promise<string> {
  const { code, said } = await helm('template', 'plumbline', chart, '--namespace', namespace, ...args);
  if (code !== 0) throw new Error(said);
  return said;
}

describe.skipIf(!hasPrograms)('the chart', () => {
  const withValues = [['--set', 'git.enabled=true'], ...examples.map((path) => ['--values', path])];

  it.each(withValues)('is sound to helm lint: %s %s', async (...values) => {
    const { code, said } = await helm('lint', '--strict', chart, '--namespace', namespace, ...values);
    expect([code, said]).toEqual([0, expect.stringContaining('1 chart(s) linted, 0 chart(s) failed')]);
  });

  it('is what deploy/base holds', async () => {
    expect(await rendered()).toBe(await readFile(join(root, 'deploy/base/plumbline.yaml'), 'utf8'));
  });

  it.each(withValues)('renders what the schemas of Kubernetes know: %s %s', async (...values) => {
    const schemas = join(home.folder, 'schemas');
    expect(await writeSchemas(home.api, schemas)).toBeGreaterThan(30);
    const file = join(home.folder, 'rendered.yaml');
    const check = (): Promise<{ stdout: string }> =>
      run(binary('kubeconform'), ['-strict', '-summary', '-schema-location', schemaLocation(schemas), file]);
    await writeFile(file, await rendered(...values));
    expect((await check()).stdout).toMatch(/Valid: \d+, Invalid: 0, Errors: 0, Skipped: 0/);
    // Where it could not fail it would say nothing.
    await writeFile(
      file,
      (await rendered(...values)).replace('automountServiceAccountToken', 'automountServiceAccountTokens'),
    );
    await expect(check()).rejects.toMatchObject({ stdout: expect.stringContaining('automountServiceAccountTokens') });
  });

  it.each(withValues)('renders what a real API server takes: %s %s', async (...values) => {
    const file = join(home.folder, 'applied.yaml');
    await writeFile(file, await rendered('--namespace', elsewhere, ...values));
    const said = await kubectl('apply', '--dry-run=server', '--validate=strict', '-f', file);
    expect(said.trim().split('\n')).toHaveLength(parseAllDocuments(await readFile(file, 'utf8')).length);
  });

  it('makes a pod that a namespace of restricted pods takes', async () => {
    for (const values of withValues) {
      const documents = parseAllDocuments(await rendered(...values)).map((document): unknown => document.toJS());
      const template = objectAt(
        documents.find((one) => textAt(one, 'kind') === 'Deployment'),
        'spec',
        'template',
      );
      const file = join(home.folder, 'pod.json');
      const metadata = { ...objectAt(template, 'metadata'), name: 'plumbline-pod', namespace };
      await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata, spec: at(template, 'spec') }));
      expect(await kubectl('apply', '--dry-run=server', '--validate=strict', '-f', file)).toContain('created');
    }
  });

  it('has a pod in docs/operations.md for what is done while nothing runs, which is taken there too', async () => {
    const text = await readFile(join(root, 'docs/operations.md'), 'utf8');
    const block = text.split('```yaml\n').find((part) => part.startsWith('# maintenance.yaml\n'));
    const file = join(home.folder, 'maintenance.yaml');
    await writeFile(file, (block ?? '').slice(0, block?.indexOf('```')));
    const said = await kubectl('apply', '--dry-run=server', '--validate=strict', '-f', file);
    expect(said).toBe('pod/plumbline-maintenance created (server dry run)\n');
  });

  it.each([
    [['nonsense=1'], "additional properties 'nonsense' not allowed"],
    [['config.policy.alarmWithinn=15m'], "additional properties 'alarmWithinn' not allowed"],
    [['auth.oidc.issuer=https://login.example.org'], "additional properties 'auth' not allowed"],
    [
      ['ingress.enabled=true', 'ingress.hosts={plumbline.example.org}'],
      'ingress and gateway need config.auth or proxy.enabled',
    ],
    [['gateway.enabled=true', 'proxy.enabled=true', 'proxy.image=p'], 'ingress and gateway need config.publicUrl'],
    [['proxy.enabled=true'], 'proxy.enabled needs proxy.image'],
    [['metrics.enabled=true'], 'metrics.enabled needs metrics.tokenSecret.name'],
    [['metrics.serviceMonitor.enabled=true'], 'metrics.serviceMonitor.enabled needs metrics.enabled'],
    [['clusters.inCluster.enabled=false'], 'No cluster is named'],
    [
      ['config.clusters[0].name=this-cluster', 'config.clusters[0].kubeconfig=k'],
      'Two clusters are named "this-cluster"',
    ],
    [
      [
        'config.auth.oidc.issuer=https://id.example.org',
        'config.auth.oidc.clientId=p',
        'config.auth.access[0].groups={platform}',
        'config.auth.access[0].everything=true',
      ],
      'config.auth needs config.publicUrl',
    ],
    [['config.embeds.keys=/etc/plumbline-links/keys.yaml'], 'web.linksSecret names no Secret'],
    [
      [
        'config.repositories[0].url=https://git.example.org/a',
        'config.repositories[0].token=/etc/plumbline-repositories/t',
      ],
      'git.repositoriesSecret names no Secret',
    ],
    [
      [
        'ingress.enabled=true',
        'ingress.hosts={other.example.org}',
        'proxy.enabled=true',
        'proxy.image=p',
        'config.publicUrl=https://plumbline.example.org',
      ],
      'ingress.hosts has not plumbline.example.org',
    ],
    [['proxy.enabled=true', 'proxy.image=p', 'proxy.port=9466'], "proxy.port 9466 is one of the pod's own"],
    [['image.repository=plumbline:0.1.0'], 'image/repository'],
    [['image.tag=0.1.0 # old'], 'image/tag'],
    [['fullnameOverride=Plumb Line'], 'fullnameOverride'],
    [['persistence.storageClass=-'], 'persistence/storageClass'],
  ])('refuses %s', async (settings, words) => {
    const set = settings.flatMap((setting) => ['--set', setting]);
    const { code, said } = await helm('template', 'plumbline', chart, '--namespace', namespace, ...set);
    expect([code, said]).toEqual([1, expect.stringContaining(words)]);
  });

  it('lets the pod out to the ports of what its values name, and to none where they name none', async () => {
    const portsOf = async (values: string): Promise<readonly unknown[]> => {
      const file = join(home.folder, 'network.yaml');
      await writeFile(file, values);
      const policies = parseAllDocuments(await rendered('--values', file)).map((document): unknown => document.toJS());
      const [names, ...others] = listAt(
        policies.find((one) => textAt(one, 'kind') === 'NetworkPolicy'),
        'spec',
        'egress',
      );
      expect(listAt(names, 'ports')).toHaveLength(2);
      // A rule without ports would be one for all of them.
      return others.flatMap((rule) => listAt(rule, 'ports').map((port) => at(port, 'port')));
    };
    expect(await portsOf('networkPolicy: { egressPorts: [] }')).toEqual([]);
    const named = `
config:
  alarms: [{ prometheus: 'http://prometheus.monitoring:9090', alertmanager: ['http://am-0:9093', 'https://am-1'] }]
  repositories: [{ url: 'git@git.example.org:acme/control-repo.git' }, { url: 'http://git.example.org/acme/other.git' }]
clusters:
  remote: [{ name: eu-west-3, server: 'https://[fd00::1]:7443', audience: a }]
`;
    expect(await portsOf(named)).toEqual([443, 6443, 7443, 9093, 9090, 22, 80]);
  });

  it('takes names that read like numbers', async () => {
    const values = join(home.folder, 'numbers.yaml');
    const file = join(home.folder, 'numbers-rendered.yaml');
    const written = `
image: { pullSecrets: ['123'] }
clusters: { kubeconfigSecrets: ['1e3'] }
web: { linksSecret: '42', authSecret: 'true' }
git: { repositoriesSecret: 'null' }
metrics: { enabled: true, tokenSecret: { name: '7', key: 'on' }, serviceMonitor: { enabled: true } }
persistence: { storageClass: '8' }
`;
    await writeFile(values, written);
    await writeFile(file, await rendered('--namespace', elsewhere, '--values', values));
    const said = await kubectl('apply', '--dry-run=server', '--validate=strict', '-f', file);
    expect(said).toContain('deployment.apps/plumbline created');
  });

  it('is installed, upgraded and removed by Helm, and the record stays', async () => {
    const there = ['--namespace', 'by-helm'];
    const deployed = async (...args: readonly string[]) => (await helm(...args, ...there)).said;
    expect(await deployed('install', 'watch', chart, '--create-namespace')).toContain('STATUS: deployed');
    const objects = 'deployment,persistentvolumeclaim,clusterrole,flowschema,configmap';
    expect(await kubectl('get', objects, '-o', 'name', ...there)).toContain('deployment.apps/watch-plumbline');
    expect(await deployed('upgrade', 'watch', chart, '--set', 'config.policy.alarmWithin=10m')).toContain(
      'REVISION: 2',
    );
    expect(await kubectl('get', 'configmap', 'watch-plumbline', '-o', 'yaml', ...there)).toContain('alarmWithin: 10m');
    await deployed('uninstall', 'watch');
    const left = await kubectl('get', objects, '-o', 'name', '-l', 'app.kubernetes.io/instance=watch', ...there);
    expect(left.trim()).toBe('persistentvolumeclaim/watch-plumbline');
  });
});

describe.skipIf(image.type === 'refused')('the image', () => {
  const { files, base, config } =
    image.type === 'built'
      ? image
      : { files: '', base: '', config: { user: '', folder: '', entrypoint: [], environment: [] } };
  const about = async (name: string) => parseForeign(await readFile(join(files, 'usr/share/plumbline', name), 'utf8'));

  async function allFiles(): Promise<readonly string[]> {
    const entries = await readdir(files, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(files, join(parentPath, name)));
  }

  it('is smaller than 400 MB', async () => {
    const sizes = await Promise.all((await allFiles()).map(async (path) => (await lstat(join(files, path))).size));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    say(`the image takes ${Math.round(bytes / 1e6)} MB`);
    expect(bytes).toBeLessThan(400e6);
  });

  it('runs as nobody, and holds no program beside those that it runs', async () => {
    expect(config).toMatchObject({ user: '10001:10001', folder: '/plumbline' });
    expect((await readdir(join(files, 'usr/bin'))).toSorted()).toEqual(['dash', 'git', 'git-upload-pack', 'sh', 'ssh']);
    expect(await readdir(join(files, 'usr/local/bin'))).toEqual(['node']);
    expect((await lstat(join(files, 'var/lib/plumbline'))).uid).toBe(10_001);
    const privileged = (
      await Promise.all((await allFiles()).map(async (path) => ({ path, mode: (await lstat(join(files, path))).mode })))
    ).filter(({ mode }) => (mode & 0o6000) !== 0);
    expect(privileged).toEqual([]);
  });

  it('says all that is in it, and that is so', async () => {
    const list = await readFile(join(files, 'usr/share/plumbline/files.sha256'), 'utf8');
    const told = new Map(
      list
        .trim()
        .split('\n')
        .map((line) => [line.slice(66), line.slice(0, 64)]),
    );
    const own = new Set(
      ['sbom.cdx.json', 'files.sha256', 'provenance.json'].map((name) => `usr/share/plumbline/${name}`),
    );
    const found = (await allFiles()).filter((path) => !own.has(path) || told.has(path));
    expect(found.toSorted()).toEqual([...told.keys()].toSorted());
    for (const [path, digest] of told)
      expect([
        path,
        createHash('sha256')
          .update(await readFile(join(files, path)))
          .digest('hex'),
      ]).toEqual([path, digest]);
    const provenance = await about('provenance.json');
    const [subject] = listAt(provenance, 'subject');
    expect(textAt(subject, 'digest', 'sha256')).toBe(createHash('sha256').update(list).digest('hex'));
    expect(textAt(provenance, 'predicate', 'buildDefinition', 'externalParameters', 'BASE')).toBe(base);
  });

  it('has a bill of materials of every package in it', async () => {
    const components = listAt(await about('sbom.cdx.json'), 'components');
    const names = (type: string) =>
      components.flatMap((one) =>
        textAt(one, 'purl')?.startsWith(`pkg:${type}/`) === true ? [textAt(one, 'name')] : [],
      );
    expect(names('deb')).toEqual(expect.arrayContaining(['ca-certificates', 'dash', 'git', 'libc6', 'openssh-client']));
    expect(names('generic')).toEqual(['node']);
    const packages = await readdir(join(files, 'plumbline/node_modules'), { recursive: true, withFileTypes: true });
    const folders = packages.flatMap(({ parentPath, name }) => {
      const [, path] = /(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(parentPath) ?? [];
      return name === 'package.json' && path !== undefined ? [path] : [];
    });
    expect(new Set(names('npm'))).toEqual(new Set(folders));
    for (const tool of ['typescript', 'tailwindcss', 'vitest', 'oxlint', '@next/swc-linux-x64-gnu'])
      expect(folders).not.toContain(tool);
  });

  describe.skipIf(!hasPrograms)('started as the manifests have it', () => {
    const containers: Container[] = [];
    let ports: readonly number[];
    let folder: string;
    const token = 'a-token-of-scrapes-for-tests';

    async function writePod(): Promise<void> {
      folder = join(home.folder, 'pod');
      for (const name of ['config', 'known', 'credentials', 'data', 'scrape'])
        await mkdir(join(folder, name), { recursive: true });
      await chown(join(folder, 'data'), 10_001, 10_001);
      const map = async (name: string) =>
        objectAt(parseForeign(await kubectl('get', 'configmap', name, '-n', namespace, '-o', 'json')), 'data');
      await writeFile(join(folder, 'config/plumbline.yaml'), textAt(await map('plumbline'), 'plumbline.yaml') ?? '');
      // The name of the API server within the cluster is the one thing of a pod that nobody plays here.
      const known = textAt(await map('plumbline-known'), 'this-cluster.yaml') ?? '';
      await writeFile(
        join(folder, 'known/this-cluster.yaml'),
        known.replace('https://kubernetes.default.svc', home.url),
      );
      const issued = await kubectl('create', 'token', 'plumbline', '-n', namespace);
      await writeFile(join(folder, 'credentials/token'), issued);
      const certificate = await readFile(join(home.folder, 'home/certs/apiserver.crt'), 'utf8');
      await writeFile(join(folder, 'credentials/ca.crt'), certificate);
      await writeFile(join(folder, 'scrape/token'), token);
    }

    /** A container of the Deployment, with ports of this run in place of its own. */
    async function start(name: string, environment: { readonly [name: string]: string }): Promise<Container> {
      const documents = parseAllDocuments(
        await rendered('--set', 'metrics.enabled=true', '--set', 'metrics.tokenSecret.name=s'),
      );
      const pod = documents.map((one): unknown => one.toJS()).find((one) => textAt(one, 'kind') === 'Deployment');
      const container = listAt(pod, 'spec', 'template', 'spec', 'containers').find(
        (one) => textAt(one, 'name') === name,
      );
      const own = Object.fromEntries(
        listAt(container, 'env').map((one) => [textAt(one, 'name') ?? '', textAt(one, 'value') ?? '']),
      );
      const mounts = Object.fromEntries(
        listAt(container, 'volumeMounts')
          .map((mount) => [textAt(mount, 'mountPath') ?? '', join(folder, textAt(mount, 'name') ?? '')])
          .filter(([path]) => path !== '/tmp'),
      );
      const args = listAt(container, 'args').filter((arg) => typeof arg === 'string');
      const started = startContainer({ files, config, args, environment: { ...own, ...environment }, mounts });
      containers.push(started);
      return started;
    }

    async function answers(port: number, path: string, headers: Record<string, string> = {}) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      return { status: response.status, text: await response.text() };
    }

    beforeAll(async () => {
      ports = await freePorts(5);
      await writePod();
      const port = (index: number): string => String(portAt(ports, index));
      await start('collector', { PLUMBLINE_COLLECTOR_PORT: port(0), PLUMBLINE_POD_PORT: port(1) });
      await start('web', { PORT: port(2), PLUMBLINE_METRICS_PORT: port(3), PLUMBLINE_POD_PORT: port(4) });
      await start('git', {});
    }, minute);
    afterAll(() => Promise.all(containers.map((one) => one.end(1_000))));

    const ready = (index: number) => async (): Promise<true | null> =>
      (await answers(portAt(ports, index), '/readyz')).status === 200 ? true : null;
    const saidByAll = (): string => containers.map((one) => one.said()).join('\n');

    it('answers the probes of the kubelet on the pod, and starts nothing for it', async () => {
      for (const index of [1, 4])
        await mustCome('/readyz', ready(index), 2 * minute).catch((failure) => {
          throw new Error(saidByAll(), { cause: failure });
        });
      for (const index of [1, 4]) {
        expect(await answers(portAt(ports, index), '/healthz')).toEqual({ status: 200, text: 'ok\n' });
        expect((await answers(portAt(ports, index), '/metrics')).status).toBe(401);
        const scraped = await answers(portAt(ports, index), '/metrics', { authorization: `Bearer ${token}` });
        expect([scraped.status, scraped.text]).toEqual([200, expect.stringContaining('# TYPE plumbline_')]);
      }
    });

    it('reads the cluster by the rights of the chart alone', async () => {
      const found = await mustCome(
        'the cluster',
        async () => {
          const { text } = await answers(portAt(ports, 2), clustersApi.path);
          const [one] = WireClusterList.parse(JSON.parse(text)).clusters;
          return one?.state === 'live' ? one : null;
        },
        2 * minute,
      ).catch((failure) => {
        throw new Error(saidByAll(), { cause: failure });
      });
      expect(found.name).toBe('this-cluster');
      expect(found.feeds.filter(({ state }) => state === 'forbidden')).toEqual([]);
      const page = await answers(portAt(ports, 2), '/');
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('this-cluster')]);
    });

    it('runs as the user of the image, who may change nothing of it', async () => {
      for (const { pid } of containers) {
        const [status, mounts] = await Promise.all(
          ['status', 'mountinfo'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
        );
        expect(status).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m);
        expect(status).toMatch(/^CapEff:\t0+$/m);
        // The mount at / of the container, as it sees it.
        expect(mounts).toMatch(/^\d+ \d+ \S+ \S+ \/ ro,/m);
      }
      expect((await readdir(join(folder, 'data'))).toSorted()).toEqual(expect.arrayContaining(['git', 'plumbline.db']));
    });

    it('gives a backup out of the pod by what the image has, as docs/operations.md says', async () => {
      const inThePod = documentedCommands(root).flatMap(({ command }) => {
        const [, program] = / --container collector -- (node .*)$/.exec(command) ?? [];
        return program === undefined ? [] : [program.replace(/ > \S+$/, '')];
      });
      expect(inThePod).toHaveLength(3);
      const mounts = { '/var/lib/plumbline': join(folder, 'data') };
      const copy = join(folder, 'data/backup/plumbline.db');
      const ended = async (program = ''): Promise<Container> => {
        // Only words and quotes stand in them: a shell of this machine reads them as that of a person does.
        const { stdout } = await run('sh', ['-c', `set -- ${program}; printf '%s\\n' "$@"`]);
        const [, ...args] = stdout.trimEnd().split('\n');
        const inside = { files, config: { ...config, entrypoint: ['node'] }, args, environment: {}, mounts };
        const started = startContainer(inside);
        await mustCome('its end', () => (started.code() === null ? null : true), minute);
        expect([started.code(), started.said()]).toEqual([0, expect.anything()]);
        return started;
      };
      const [made, read, removed] = inThePod;
      await ended(made);
      expect((await lstat(copy)).isFile()).toBe(true);
      // All that is kept of what it prints, and the copy is longer.
      expect((await ended(read)).said()).toHaveLength(20_000);
      await ended(removed);
      await expect(lstat(copy)).rejects.toThrow('ENOENT');
    });

    it('ends on SIGTERM within the grace of the pod', async () => {
      expect(containers.map((one) => one.code())).toEqual([null, null, null]);
      const ended = await Promise.all(containers.map((one) => one.end(15_000)));
      expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
      say(`ended on SIGTERM in ${ended.map(({ took }) => took).join(', ')} ms`);
    });
  });
});
